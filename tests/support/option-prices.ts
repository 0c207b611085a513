/** What options of USPS Ground Advantage cost, for all customers of a test's server. */
import { defaultServices } from '#contract/catalogue.ts'
import type { RequestInput } from '#contract/endpoint.ts'
import { setOptionPrices } from '#contract/price-options.ts'
import type { ServerProcess } from './server-process.ts'

type OptionPrices = RequestInput<typeof setOptionPrices>['body']['prices']

/** `prices` in dollars; null: not offered. */
export async function sellOptions(
  app: Pick<ServerProcess, 'admin' | 'call'>,
  prices: OptionPrices,
): Promise<void> {
  const { token } = await app.admin()
  const { body: services } = await app.call(defaultServices, {}, token)
  const { _id: id } = services.find(({ uid }) => uid === 'usps:GROUND_ADVANTAGE')!
  const { status, body } = await app.call(
    setOptionPrices,
    { params: { id }, body: { prices } },
    token,
  )
  if (status !== 200) throw new Error(body.message)
}
