/** EasyPost's client makes, reads and lists SCAN forms. */
import { expect, test } from 'vitest'
import { listScanForms } from '#contract/scan-forms.ts'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, FROM_ADDRESS, SHIPMENT } from '#tests/support/easypost-client.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const app = await testApp()

async function seller() {
  const user = await app.register()
  await app.creditDollars(user.user._id, 100)
  return { user, client: await easypostClient(app, user) }
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => ({ statusCode: 200 }),
    (error: { statusCode: number; code: string; message: string }) => error,
  )

test('a form of two shipments is made, read, listed and printed', async () => {
  const { user, client } = await seller()
  const buy = (more: object = {}) =>
    client.Shipment.create({ ...SHIPMENT, service: 'GroundAdvantage', ...more })
  const [first, second] = [await buy(), await buy({ service: 'Priority' })]
  const form = await client.ScanForm.create({ shipments: [first, second] })
  expect(form).toMatchObject({
    object: 'ScanForm',
    status: 'created',
    message: null,
    tracking_codes: [first.tracking_code, second.tracking_code],
    address: { id: first.from_address.id, street1: FROM_ADDRESS.street1 },
    form_file_type: 'application/pdf',
  })
  expect(form.id).toMatch(/^sf_[0-9a-f]{32}$/)
  expect(await client.ScanForm.retrieve(form.id)).toMatchObject({ id: form.id, status: 'created' })

  const file = await fetch(form.form_url)
  const pages = await readPdf(Buffer.from(await file.arrayBuffer()))
  expect(pages).toHaveLength(1)
  expect(pages[0]!.text).toContain('SAMPLE')
  const guessed = form.form_url.replace(/sf_(.)/, (_: string, digit: string) =>
    digit === '0' ? 'sf_1' : 'sf_0',
  )
  expect((await fetch(guessed)).status).toBe(404)

  const again = await refusal(client.ScanForm.create({ shipments: [second] }))
  expect(again).toMatchObject({ statusCode: 422, code: 'SCAN_FORM.INVALID' })
  const listed = await client.ScanForm.all({ page_size: 5 })
  expect([listed.scan_forms.map((one: { id: string }) => one.id), listed.has_more]).toEqual([
    [form.id],
    false,
  ])
  const ours = await app.call(
    listScanForms,
    { params: { userId: user.user._id }, query: {} },
    user.token,
  )
  expect(ours.body.scanForms).toMatchObject([{ labels: 2, state: 'made' }])
})

test('shipments of two senders, unbought ones and those of others make no form', async () => {
  const { client } = await seller()
  const here = await client.Shipment.create({ ...SHIPMENT, service: 'GroundAdvantage' })
  const there = await client.Shipment.create({
    ...SHIPMENT,
    from_address: { ...FROM_ADDRESS, street1: '7 Fore St' },
    service: 'GroundAdvantage',
  })
  const said = async (of: typeof client, shipments: object[]) => {
    const { statusCode, message } = (await refusal(of.ScanForm.create({ shipments }))) as {
      statusCode: number
      message: string
    }
    return [statusCode, message]
  }
  expect(await said(client, [here, there])).toEqual([
    422,
    expect.stringContaining('must have the same sender address'),
  ])
  const draft = await client.Shipment.create(SHIPMENT)
  expect(await said(client, [here, draft])).toEqual([
    422,
    'Only bought shipments can be put on a SCAN form',
  ])
  const bob = await seller()
  expect((await said(bob.client, [here]))[0]).toBe(404)
  expect((await said(client, []))[0]).toBe(422)
  expect((await client.ScanForm.all()).scan_forms).toEqual([])
  expect((await refusal(bob.client.ScanForm.retrieve('sf_1'))).statusCode).toBe(404)
})

test('the labels of a batch are put on a form', async () => {
  const { client } = await seller()
  const { id } = await client.Batch.create({
    shipments: [SHIPMENT, SHIPMENT].map(one => ({ ...one, service: 'GroundAdvantage' })),
  })
  await client.Batch.buy(id)
  await expect.poll(async () => (await client.Batch.retrieve(id)).state).toBe('purchased')
  const batch = await client.Batch.createScanForm(id)
  expect(batch).toMatchObject({ id, scan_form: { status: 'created', batch_id: id } })
  expect(batch.scan_form.tracking_codes).toHaveLength(2)
  // A program whose response was lost asks again, or reads the batch.
  const again = await client.Batch.createScanForm(id)
  expect(again.scan_form.id).toBe(batch.scan_form.id)
  expect((await client.Batch.retrieve(id)).scan_form).toMatchObject({
    id: batch.scan_form.id,
    batch_id: id,
  })
  const shipments = batch.shipments.map((one: { id: string }) => ({ id: one.id }))
  expect((await client.ScanForm.create({ shipments })).id).toBe(batch.scan_form.id)
  expect((await client.ScanForm.all()).scan_forms).toHaveLength(1)
})
