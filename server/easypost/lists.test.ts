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
