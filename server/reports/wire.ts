import { dollars } from '#contract/money.ts'
import type { AccountRunway } from '#contract/reports.ts'
import { daysLeft, perDay } from './rules.ts'
import type { Pace } from './rules.ts'
import type { Runway } from './runway.ts'

/** `at` in milliseconds since 1970. */
export const moment = (at: number): string => new Date(at).toISOString()

export const paceWire = (pace: Pace) => ({ days: pace.days, perDay: dollars(perDay(pace)) })

export const runwayWire = ({
  balance,
  reason,
  askedAt,
  pace,
}: Pick<Runway, 'balance' | 'reason' | 'askedAt' | 'pace'>): AccountRunway => ({
  balance: balance === null ? null : dollars(balance),
  reason,
  askedAt: moment(askedAt),
  pace: pace && paceWire(pace),
  daysLeft: balance === null || pace === null ? null : daysLeft(balance, pace),
})
