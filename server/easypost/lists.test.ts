/** How EasyPost's clients ask for lists: each writes its filters in another way. */
import { expect, test } from 'vitest'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'

const app = await testApp()

async function seller() {
  const user = await app.register()
  await app.creditDollars(user.user._id, 100)
  const list = async (url: string) =>
    (await app.send({ url, headers: { token: user.token } })).json()
  return { list, client: await easypostClient(app, user) }
}

test('shipments that were not bought are listed when a client asks for them in its way', async () => {
  const { list, client } = await seller()
  const bought = await client.Shipment.create({ ...SHIPMENT, service: 'Priority' })
  const draft = await client.Shipment.create(SHIPMENT)
  const ids = async (query: string) =>
    (await list(`/v2/shipments?${query}`)).shipments.map(({ id }: { id: string }) => id)
  for (const no of ['false', 'False', '0'])
    expect(await ids(`purchased=${no}`), no).toEqual([draft.id, bought.id])
  for (const query of ['', 'purchased=True', 'purchased='])
    expect(await ids(query)).toEqual([bought.id])
})

test('a list goes on at its next page also when no page size was named', async () => {
  const { list, client } = await seller()
  for (let n = 0; n < 21; n++) await client.Shipment.create(SHIPMENT)
  const first = await client.Shipment.all({ purchased: false })
  expect([first.shipments.length, first.has_more]).toEqual([20, true])
  const second = await client.Shipment.getNextPage(first)
  expect([second.shipments.length, second.has_more]).toEqual([1, false])
  expect(await list('/v2/shipments?page_size&start_datetime=&end_datetime=')).toEqual({
    shipments: [],
    has_more: false,
  })
})

test('trackers are listed by the tracking numbers that each client names in its way', async () => {
  const { list, client } = await seller()
  const codes: string[] = []
  for (let n = 0; n < 3; n++)
    codes.push((await client.Shipment.create({ ...SHIPMENT, service: 'Priority' })).tracking_code)
  const [a, b] = codes
  const codesOf = ({ trackers }: { trackers: { tracking_code: string }[] }) =>
    trackers.map(one => one.tracking_code)
  expect(codesOf(await client.Tracker.all({ tracking_codes: [a, b] }))).toEqual([a, b])
  for (const query of [
    `tracking_codes[]=${a}&tracking_codes[]=${b}`,
    `tracking_codes=${a}&tracking_codes=${b}`,
    `tracking_codes=${a},${b}`,
    `tracking_codes[]=${a}&tracking_codes[]=EZ1000000001&tracking_code=${b}`,
  ])
    expect(codesOf(await list(`/v2/trackers?${query}`)), query).toEqual([a, b])
  expect(codesOf(await list('/v2/trackers?tracking_codes[]=EZ1000000001'))).toEqual([])
  expect(codesOf(await list('/v2/trackers?page_size=100'))).toHaveLength(3)
})
