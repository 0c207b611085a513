/** What the seeded seller has beside labels and money: voids, a SCAN form, carrier adjustments, API keys, a webhook. */
import {
  applyAdjustments,
  disputeAdjustment,
  listAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { createKey } from '#contract/api-keys.ts'
import { placeOrder } from '#contract/orders.ts'
import { createScanForms } from '#contract/scan-forms.ts'
import { voidOrder } from '#contract/voids.ts'
import { createWebhook } from '#contract/webhooks.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import type { ServerClient, SignedInUser } from '#tests/support/server-process.ts'
import { done } from './done.ts'

/** Receivers of single labels, and what the sandbox carrier does with each. */
const RECEIVERS = [
  ['June Rivera', '', '2210 E Olive Ave', 'Fresno', 'CA', '93701'],
  ['Otto Lindgren', '', '418 Cedar Ln', 'Duluth', 'MN', '55802'],
  ['Hadley Stone', 'SANDBOX NOVOID', '77 Mill St', 'Boise', 'ID', '83702'],
  ['Priya Nair', 'SANDBOX TRANSIT', '1604 Park Pl', 'Brooklyn', 'NY', '11201'],
  ['Theo Marsh', '', '9 Old Post Rd', 'Bangor', 'ME', '04401'],
  ['Ana Vance', '', '3350 Riverside Dr', 'San Diego', 'CA', '92101'],
] as const
const VOIDED = 3
/** The last two labels are on a SCAN form. */
const ON_FORM = 2

/** Throws when the server refuses a step. */
export async function furnishPrograms(
  server: ServerClient,
  seller: SignedInUser,
  admin: SignedInUser,
): Promise<void> {
  const { token, user } = seller
  const params = { userId: user._id }
  const labels: { orderId: string; trackingNumber: string | null }[] = []
  for (const [receiver_name, receiver_address2, receiver_address1, city, state, zip] of RECEIVERS) {
    const receiver = {
      receiver_name,
      receiver_address1,
      receiver_address2,
      receiver_city: city,
      receiver_state_province: state,
      receiver_zip_postal: zip,
    }
    const body = singleOrderBody(user._id, { receiver })
    labels.push((await done(server.call(placeOrder, { body }, token), 'label')).data)
  }
  for (const { orderId } of labels.slice(0, VOIDED))
    // The carrier refuses one of them.
    await server.call(voidOrder, { params: { orderId } }, token)
  const orderIds = labels.slice(-ON_FORM).map(({ orderId }) => orderId)
  await done(server.call(createScanForms, { params, body: { orderIds } }, token), 'SCAN form')
  await adjust(
    server,
    seller,
    admin,
    labels.slice(VOIDED).map(label => label.trackingNumber!),
  )
  await addKeysAndWebhook(server, seller)
}

/** Two corrections of the carrier are charged, one of them is disputed, and one is of an unknown label. */
async function adjust(
  server: ServerClient,
  { user, token }: SignedInUser,
  admin: SignedInUser,
  [heavier, larger]: readonly string[],
): Promise<void> {
  const params = { userId: user._id }
  const rule = { rule: 'limit' as const, limit: 5 }
  await done(server.call(setAdjustmentRule, { body: rule }, admin.token), 'rule of adjustments')
  const day = new Date().toISOString().slice(0, 10)
  const body = {
    fileName: 'adjustments-week-46.csv',
    rows: [
      ['tracking_number', 'amount', 'date', 'declared_weight_oz', 'measured_weight_oz'],
      [heavier!, '2.25', day, '32', '50'],
      [larger!, '1.10', day, '32', '36'],
      ['9405500000000000000004', '3.40', day, '16', '40'],
    ],
  }
  await done(server.call(applyAdjustments, { body }, admin.token), 'adjustments')
  const { adjustments } = await done(server.call(listAdjustments, { params }, token), 'adjustments')
  const note = 'This box weighs 2 lb on our scale. A picture is on its way.'
  const dispute = { params: { ...params, id: adjustments[0]!._id }, body: { note } }
  await done(server.call(disputeAdjustment, dispute, token), 'dispute')
}

async function addKeysAndWebhook(
  server: ServerClient,
  { user, token }: SignedInUser,
): Promise<void> {
  const params = { userId: user._id }
  const keys = [
    { name: 'Order system', scopes: ['labels:buy', 'labels:read'] as const, dailyLimit: 500 },
    { name: 'Bookkeeping', scopes: ['books', 'wallet:read'] as const, dailyLimit: null },
  ]
  for (const { scopes, ...key } of keys) {
    const body = { ...key, scopes: [...scopes] }
    await done(server.call(createKey, { params, body }, token), 'API key')
  }
  const body = {
    url: 'https://orders.example.com/evenpost',
    types: ['label.bought', 'label.failed', 'parcel.updated'] as (
      | 'label.bought'
      | 'label.failed'
      | 'parcel.updated'
    )[],
  }
  await done(
    server.call(createWebhook, { params, body: { ...body, bulkRows: false } }, token),
    'webhook',
  )
}
