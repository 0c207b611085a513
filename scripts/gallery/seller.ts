/** What the seeded seller has beside labels: addresses, SKUs, deposits, an open invoice, bulk orders with failures, invites. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { register, setUserRole } from '#contract/accounts.ts'
import { listAddresses, setDefaultAddress, updateAddress } from '#contract/addresses.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { placeOrder } from '#contract/orders.ts'
import { topUp } from '#contract/payments.ts'
import { referralCode } from '#contract/referrals.ts'
import { addSkus } from '#contract/skus.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { PASSWORD } from '#tests/support/server-process.ts'
import type { ServerClient, SignedInUser } from '#tests/support/server-process.ts'
import { done } from './done.ts'
import { orderRows } from './order-rows.ts'
import { furnishPrograms } from './seller-programs.ts'

const ADDRESSES = [
  ['Warehouse', 'Mason Trading', 'Dock 4', '100 Congress Ave', 'Austin', 'TX', '78701'],
  ['Store', 'Mason Trading', '', '2210 E Olive Ave', 'Fresno', 'CA', '93701'],
  ['Returns', 'Mason Returns Center of the Southwest', '', '5 Old Post Rd', 'Bend', 'OR', '97701'],
  ['Studio', 'Clara Mason', 'Kiln room', '31 Mill St', 'Austin', 'TX', '78701'],
  ['Print shop', 'Fernhill Press', 'Attn. Hugo', '480 Cedar Ln', 'Houston', 'TX', '77002'],
  ['Candle works', 'Wick & Comb', '', '1207 Riverside Dr', 'Tulsa', 'OK', '74103'],
  ['Holiday market', 'Mason Trading', 'Booth 14', '6 Park Pl', 'Austin', 'TX', '78701'],
] as const

const SKUS = [
  ['MUG-12', 4, 1.2, [6, 5, 5], 'Stoneware mug, 12 oz'],
  ['TEE-L-BLACK', 6, 0.5, [12, 9, 1], 'T-shirt, black, size L'],
  ['POSTER-A2', 2, 1.5, [18, 4, 4], 'Two posters in one tube, rolled'],
  ['CANDLE-3', 3, 2.4, [8, 8, 4], 'Beeswax candles, set of three'],
  ['BOOK-0441', 5, 1.8, [10, 7, 2], 'Field guide to ferns, hardcover'],
  ['LAMP-OAK', 1, 5.5, [16, 10, 10], 'Table lamp, oak foot'],
] as const

const BUYING_PAUSE_MS = 200

/** Throws when the server refuses a step. */
export async function furnishSeller(
  server: ServerClient,
  seller: SignedInUser,
  admin: SignedInUser,
): Promise<void> {
  const params = { userId: seller.user._id }
  // Must be first: the session of a changed role sees it from its next call on.
  await done(
    server.call(setUserRole, { params, body: { user_role: 'friend' } }, admin.token),
    'role',
  )
  await server.pay(seller, 500)
  await done(server.call(topUp, { params, query: { amount: 100 } }, seller.token), 'invoice')
  await nameAddresses(server, seller)
  const parsedData = SKUS.map(([sku, maxQty, weight, [length, width, height], description]) => ({
    sku,
    maxQty,
    weight,
    length,
    width,
    height,
    description,
  }))
  await done(server.call(addSkus, { params, body: { parsedData } }, seller.token), 'SKUs')
  await inviteUsers(server, seller)
  await buyLabels(server, seller)
  await furnishPrograms(server, seller, admin)
}

/** Gives the first of the seeded addresses names of their own; one of them is the default sender. */
async function nameAddresses(server: ServerClient, { user, token }: SignedInUser): Promise<void> {
  const params = { userId: user._id }
  const { savedAddress } = await done(server.call(listAddresses, { params }, token), 'addresses')
  for (const [n, [address_id, name, company, street, city, state, zip]] of ADDRESSES.entries()) {
    const addressRecordId = savedAddress[n]!._id
    const formData = { address_id, name, company, street, city, state, zip }
    await done(
      server.call(
        updateAddress,
        { params: { ...params, addressRecordId }, body: { formData } },
        token,
      ),
      'address',
    )
  }
  const id = savedAddress[0]!._id
  await done(server.call(setDefaultAddress, { params, body: { id } }, token), 'default sender')
}

async function inviteUsers(server: ServerClient, { user, token }: SignedInUser): Promise<void> {
  const { referralCode: code } = await done(
    server.call(referralCode, { params: { userId: user._id } }, token),
    'referral code',
  )
  for (const name of ['June Rivera', 'Otto Lindgren', 'Hadley Stone']) {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
    const body = { name, email, password: PASSWORD, confirmPassword: PASSWORD, referralCode: code }
    const invited = await done(server.call(register, { body }), 'invited user')
    await server.pay(invited, 120)
  }
}

/** Labels of each bulk order, how many of them the carrier refuses, and its file. */
const BULK_ORDERS = [
  [8, 0, 'thanksgiving-week.csv'],
  [10, 2, null],
  [14, 5, 'amazon-orders-november-26.txt'],
] as const
const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A single label and three bulk orders: one that was bought whole, and two with labels that the carrier refused. */
async function buyLabels(server: ServerClient, { user, token }: SignedInUser): Promise<void> {
  const userId = user._id
  await done(server.call(placeOrder, { body: singleOrderBody(userId) }, token), 'label')
  for (const [n, [labels, failures, name]] of BULK_ORDERS.entries()) {
    const { orderId } = await done(
      server.call(initBatch, { body: { userId } }, token),
      'bulk order',
    )
    const file = name && { name, source: 'template' as const, sha256: sha256Of(name) }
    const orderData = orderRows(labels, 100 * n, row =>
      row <= failures ? { ToStreet2: 'SANDBOX REFUSE' } : {},
    )
    await done(
      server.call(
        processBatch,
        { params: { userId }, body: { orderId, orderData, file, allowRepeats: true } },
        token,
      ),
      'bulk order',
    )
    const isDone = async () =>
      isTerminal(
        (await done(server.call(batchStatus, { params: { orderId } }, token), 'status')).status,
      )
    while (!(await isDone())) await wait(BUYING_PAUSE_MS)
  }
}
