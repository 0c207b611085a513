/** The doctor's lines about carrier accounts. Each carrier is asked for its balance; nothing is written. */
import { countText } from '#contract/format.ts'
import { usd } from '#contract/money.ts'
import { LOW_BALANCE_DAYS } from '#contract/reports.ts'
import { openCarrierAccounts } from '#server/carriers/open.ts'
import type { Context } from '#server/platform/context.ts'
import { daysLeft, perDay } from '#server/reports/rules.ts'
import { openRunways } from '#server/reports/runway.ts'
import type { Runway } from '#server/reports/runway.ts'
import type { Finding } from './data-checks.ts'

/** One finding for each account of the configuration; none with the sandbox, whose money is test money. */
export async function checkCarrierAccounts(ctx: Context): Promise<Finding[]> {
  const [first, ...others] = openCarrierAccounts(ctx)
  if (ctx.config.carrierAccounts[0].carrier === 'sandbox') return []
  const accounts = others.length > 0 ? { carrierAccounts: [first, ...others] } : {}
  const readRunways = openRunways({ ...ctx, carrier: first.carrier, ...accounts })
  return (await readRunways({ withoutWriting: true })).map(runwayFinding)
}

function runwayFinding({ name, balance, reason, pace }: Runway): Finding {
  const account = `Carrier account ${name}:`
  if (balance === null)
    return reason === 'not-reported'
      ? { isOk: true, text: `${account} the carrier reports no balance` }
      : {
          isOk: false,
          text: `${account} the carrier does not say what is left. Check its key, and whether the carrier can be reached.`,
        }
  if (pace === null)
    return { isOk: balance > 0, text: `${account} ${usd(balance)} left, nothing spent in 14 days` }
  const days = daysLeft(balance, pace)
  const lasts = days > 0 ? `about ${countText(days, 'day')}` : 'less than a day'
  const left = `${account} ${usd(balance)} left, which lasts ${lasts} at ${usd(perDay(pace))} a day`
  return days < LOW_BALANCE_DAYS
    ? { isOk: false, text: `${left}. Fund it: without money its labels wait.` }
    : { isOk: true, text: left }
}
