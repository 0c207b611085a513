/** The way of a void from the request to the refund. Pure. */
import { usdFromDollars } from '#contract/money.ts'
import { dateText } from '#web/ui/date-text.ts'
import type { RailStep } from '#web/ui/StepRail.tsx'
import { texts } from './texts.ts'
import type { BalanceOwner } from './texts.ts'

const DAY_MS = 24 * 60 * 60_000

/**
 * `decisionDays`: until the carrier decides; 0: usually at once. `submittedAt`: when the carrier
 * accepted the request (ISO text), null before; `isRequested`: false before the user confirms.
 * `delayDays`: from the confirmation to the refund; `dueAt`: the carrier has confirmed, and the refund
 * is due then (ISO text). `now` in ms. An amount of 0 dollars has no refund.
 */
export function voidSteps(options: {
  dollars: number
  owner: BalanceOwner
  decisionDays: number
  delayDays: number
  dueAt: string | null
  isRequested: boolean
  submittedAt: string | null
  now: number
}): RailStep[] {
  const { dollars, owner, decisionDays, delayDays, dueAt, isRequested, submittedAt, now } = options
  const t = texts.steps
  const day = submittedAt === null ? null : Math.floor((now - Date.parse(submittedAt)) / DAY_MS) + 1
  const wait = decisionDays > 0 ? t.days(decisionDays) : t.atOnce
  return [
    {
      name: isRequested ? t.requested : t.request,
      text: submittedAt === null ? (isRequested ? t.sending : t.now) : t.accepted,
      state: isRequested ? 'done' : 'current',
    },
    {
      name: t.confirms,
      text:
        dueAt !== null
          ? t.confirmed
          : day === null
            ? wait
            : decisionDays > 0
              ? t.day(day, decisionDays)
              : t.waiting,
      state: dueAt !== null ? 'done' : isRequested ? 'current' : 'ahead',
    },
    ...(dollars > 0
      ? [
          {
            name: t.back(usdFromDollars(dollars), owner),
            text:
              dueAt !== null
                ? t.due(dateText(new Date(dueAt)))
                : delayDays > 0
                  ? t.daysAfter(delayDays)
                  : t.after,
            state: dueAt !== null ? ('current' as const) : ('ahead' as const),
          },
        ]
      : []),
  ]
}
