/** The addresses of labels that /v2 gives open without a sign-in. */
import { expect, test } from 'vitest'
import { setUserActivation } from '#contract/accounts.ts'
import { linkName } from '#server/easypost/label-links.ts'
import { openSecretKey, secretKeyFrom } from '#server/platform/process/secret-key.ts'
import { testApp } from '#tests/support/app.ts'
import { easypostClient, SHIPMENT } from '#tests/support/easypost-client.ts'

const app = await testApp()
const admin = await app.admin()
const DAY_MS = 24 * 3600_000

test('79 the address of a label opens that label in that format, and ends with its time, a void and a block', async () => {
  const ana = await app.register('Ana')
  await app.creditDollars(ana.user._id, 100)
  const client = await easypostClient(app, ana)
  const buy = () => client.Shipment.create({ ...SHIPMENT, service: 'GroundAdvantage' })
  const [label, other, voided] = [await buy(), await buy(), await buy()]
  const open = async (url: string) => (await fetch(url)).status
  const urlOf = (of: { postage_label: { label_pdf_url: string } }) => of.postage_label.label_pdf_url
  const file = await fetch(urlOf(label))
  expect([file.status, file.headers.get('cache-control'), file.headers.get('set-cookie')]).toEqual([
    200,
    'no-store',
    null,
  ])

  const [id, end, signature, format] = urlOf(label).split('/').at(-1)!.split('.') as [
    string,
    string,
    string,
    string,
  ]
  const folder = urlOf(label).slice(0, urlOf(label).lastIndexOf('/'))
  const later = (Number.parseInt(end, 36) + 1).toString(36)
  for (const forged of [
    [other.postage_label.id, end, signature, format],
    [id, later, signature, format],
    [id, end, signature, 'png'],
    [id, end, signature.replace(/^./, first => (first === 'A' ? 'B' : 'A')), format],
    [id, end, '', format],
    [`${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`, end, signature, format],
  ])
    expect(await open(`${folder}/${forged.join('.')}`), forged.join('.')).toBe(404)

  const secretKey = await openSecretKey(app.ctx.config)
  const madeAt = (moment: number) => `${folder}/${linkName({ secretKey }, id, 'pdf', moment)}`
  expect(await open(madeAt(Date.now() - 29 * DAY_MS))).toBe(200)
  expect(await open(madeAt(Date.now() - 32 * DAY_MS))).toBe(404)
  const foreign = { secretKey: secretKeyFrom('another installation') }
  expect(await open(`${folder}/${linkName(foreign, id, 'pdf', Date.now())}`)).toBe(404)

  await client.Shipment.refund(voided.id)
  expect(await open(urlOf(voided))).toBe(404)
  const block = { params: { userId: ana.user._id }, body: { activation: 'block' as const } }
  expect((await app.call(setUserActivation, block, admin.token)).status).toBe(200)
  expect(await open(urlOf(label))).toBe(404)
})
