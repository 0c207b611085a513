/**
 * The first day of an operator in live mode (docs/operations.md#the-first-day), beside a carrier that keeps
 * books: what is earned is computed from these and from what the seller was told, and every figure of the
 * product must equal it.
 */
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  adjustmentRules,
  applyAdjustments,
  listAdjustments,
  previewAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { retryCarrier } from '#contract/carriers.ts'
import { defaultServices, setDefaultServicePrices } from '#contract/catalogue.ts'
import { setLossLimit } from '#contract/loss-limits.ts'
import { cents, usd } from '#contract/money.ts'
import { orderDetails, recheckOrder } from '#contract/orders-admin.ts'
import { listOrders } from '#contract/orders.ts'
import { listDeposits, topUp } from '#contract/payments.ts'
import { changePrices, previewPrices } from '#contract/price-tables.ts'
import type { PriceSource } from '#contract/price-tables.ts'
import { listRefunds, refundsDue } from '#contract/refunds.ts'
import { createScanForms, scanFormCandidates } from '#contract/scan-forms.ts'
import { voidOrder } from '#contract/voids.ts'
import { importText } from '#tests/support/import-text.ts'
import { row } from '#tests/support/rows.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { csvOf } from '#tests/support/template-csv.ts'
import { setUpApp } from '#tests/support/two-step.ts'
import { toSubmittedRow } from '#web/batches/bulk/drafts/draft.ts'
import type { WalkCarrier } from './carriers.ts'
import { expectBooksToAgree } from './figures.ts'
import { correctionFile, costFile, PRICE_FILE } from './files.ts'
import { cellsOf, inCents, openInstallation } from './installation.ts'

/** 0.003106 of a coin at 64,392.23 dollars: 200.00 dollars, rounded down. */
const PAID_SATS = 310_600n
const DEPOSIT = 20_000
const EXPRESS_PRICE = 2_400

export async function walkFirstDay(walk: WalkCarrier): Promise<void> {
  const at = await openInstallation(walk)
  const { server, ask, carrier, payments, balanceOf, dashboard } = at
  let admin: SignedInUser
  let seller: SignedInUser
  let single: { orderId: string; trackingNumber: string }
  let bulkId: string
  /** What the seller was told of each bought label: cents by tracking number. */
  const told = new Map<string, number>()
  /** As in `Day`. */
  const corrected = { carrier: 0, seller: 0, credited: 0 }

  const order = (service: string, pounds: number, tries?: number) =>
    at.order(seller, service, pounds, tries)
  const setPrices = async (source: PriceSource, reason: string) => {
    const preview = await ask(previewPrices, { body: { source } }, admin)
    expect(preview.faults).toEqual([])
    const body = { source, seen: preview.seen, requestId: randomUUID(), reason }
    await ask(changePrices, { body }, admin)
    return preview
  }
  const serviceOf = async (uid: string) =>
    (await ask(defaultServices, {}, admin)).find(one => one.uid === uid)!
  const timelineOf = async (orderId: string) =>
    (await ask(orderDetails, { params: { orderId } }, admin)).timeline.map(({ text }) => text)
  const orders = async () =>
    (await ask(listOrders, { params: { userId: seller.user._id }, query: {} }, seller)).orders

  describe(`the first day of an operator with ${walk.name}`, () => {
    beforeAll(async () => {
      admin = await server.admin()
    })

    test('the start says that money is real and that the prices are not set yet', () => {
      expect(at.output()).toContain('Live: real money, real postage.')
      expect(at.output()).toContain('Every service still has its first price')
    })

    test('the administrator can do nothing before a second factor is set up', async () => {
      const refused = await server.call(defaultServices, {}, admin.token)
      expect([refused.status, refused.body.code]).toEqual([403, 'second_factor_required'])
      admin = await setUpApp(server, admin)
      expect(await ask(defaultServices, {}, admin)).toHaveLength(3)
    })

    test('the dashboard names what is missing before customers can buy', async () => {
      const { setup } = await dashboard(admin)
      expect(setup.map(({ part }) => part)).toEqual(['prices', 'support', 'support'])
      expect(setup[0]!.text).toContain('Every service still has its first price')
    })

    test('a wrong price is named by its row, and a dry run changes nothing', async () => {
      const before = await ask(defaultServices, {}, admin)
      const wrong = PRICE_FILE.replace('14.40', '14.4O')
      const source = { kind: 'file' as const, fileName: 'prices.csv', rows: cellsOf(wrong) }
      const { faults, seen } = await ask(previewPrices, { body: { source } }, admin)
      expect(faults).toMatchObject([
        { row: 4, column: 'price', text: expect.stringContaining("'14.4O'") },
      ])
      const body = { source, seen, requestId: randomUUID(), reason: 'opening' }
      const refused = await server.call(changePrices, { body }, admin.token)
      expect([refused.status, refused.body.code]).toEqual([422, 'price_ranges_invalid'])
      expect(await ask(defaultServices, {}, admin)).toEqual(before)
    })

    test('prices come from a file', async () => {
      const source = { kind: 'file' as const, fileName: 'prices.csv', rows: cellsOf(PRICE_FILE) }
      const { services } = await setPrices(source, 'opening')
      expect(services.map(({ uid, changes }) => [uid, changes])).toEqual([
        ['usps:GROUND_ADVANTAGE', true],
        ['usps:PRIORITY_MAIL', true],
        ['usps:PRIORITY_MAIL_EXPRESS', true],
      ])
      expect((await dashboard(admin)).setup.map(({ part }) => part)).not.toContain('prices')
      const { table } = await serviceOf('usps:GROUND_ADVANTAGE')
      expect(table!.steps.map(({ toOz, prices: [any] }) => [toOz, any])).toEqual([
        [8, 6.99],
        [80, 8.25],
        [1_120, 14.4],
      ])
    })

    test('costs come from a file, and a price follows them', async () => {
      const source = {
        kind: 'costs' as const,
        fileName: 'costs.csv',
        rows: cellsOf(costFile(walk.costs)),
      }
      const preview = await setPrices(source, 'my contract')
      expect(preview.costs.map(({ name, before }) => [name, before])).toEqual([
        ['USPS Ground Advantage', 'none'],
        ['USPS Priority Mail', 'none'],
        ['USPS Priority Mail Express', 'none'],
      ])
      const rule = { percent: 25, fixed: 0, floor: 0, rounding: 'nine' as const }
      await setPrices({ kind: 'rule', uid: 'usps:PRIORITY_MAIL', rule }, 'cost + 25%')
      expect((await serviceOf('usps:PRIORITY_MAIL')).prices).toEqual([
        { fromWeight: 1, toWeight: 70, price: walk.priorityPrice / 100 },
      ])
    })

    test('corrections of the carrier are passed on from now on', async () => {
      expect((await ask(adjustmentRules, {}, admin)).all.rule).toBe('absorb')
      await ask(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)
      expect((await ask(adjustmentRules, {}, admin)).all.rule).toBe('pass_on')
    })

    test('a seller registers, and adds money after the mailed link was opened', async () => {
      seller = await server.register('Mason Trading')
      const params = { userId: seller.user._id }
      const early = await server.call(topUp, { params }, seller.token)
      expect([early.status, early.body.code]).toEqual([403, 'email_unverified'])
      await at.openMailedLink(seller)
      const invoice = await ask(topUp, { params, query: { amount: '200' as never } }, seller)
      await payments.pay(invoice.id, PAID_SATS)
      expect(await balanceOf(seller)).toBe(0)
      await payments.confirm(invoice.id)
      await expect.poll(() => balanceOf(seller), { interval: 50 }).toBe(DEPOSIT)
      expect(payments.confirmed(invoice.id)).toBe(DEPOSIT)
      const { deposits } = await ask(listDeposits, { params, query: {} }, seller)
      expect(deposits).toMatchObject([{ status: 'Settled', amount: 200, requested: 200 }])
    })

    test('the first label costs what the price file says, and its file is the carrier’s', async () => {
      const { status, body } = await order('USPS Ground Advantage', 0.375)
      expect([status, body.data?.price, body.message]).toEqual([200, 6.99, body.message])
      single = { orderId: body.data.orderId, trackingNumber: body.data.trackingNumber! }
      told.set(single.trackingNumber, 699)
      expect(await balanceOf(seller)).toBe(DEPOSIT - 699)
      expect(carrier.books()).toEqual([
        { trackingNumber: single.trackingNumber, cents: walk.costs.ground, isVoided: false },
      ])
      const file = await server.file(
        `/api/orders/download/v2/${body.data.pdfName}?format=zpl`,
        seller.token,
      )
      expect([file.status, file.bytes.toString()]).toEqual([
        200,
        expect.stringContaining(single.trackingNumber),
      ])
    })

    test('a bulk file is bought row by row at the prices of the file', async () => {
      const wanted: [service: string, pounds: string, price: number][] = [
        ['USPS Ground Advantage', '0.5', 699],
        ['USPS Ground Advantage', '2', 825],
        ['USPS Priority Mail', '3', walk.priorityPrice],
        ['USPS Ground Advantage', '5.5', 1_440],
      ]
      const file = csvOf(
        wanted.map(([, PackageWeight], n) => row(n + 1, { PackageWeight, orderId: `A-${n + 1}` })),
      )
      const { rows } = importText(file, { name: 'monday.csv' })
      const orderData = rows.map((one, n) => toSubmittedRow({ ...one, ServiceName: wanted[n]![0] }))
      const params = { userId: seller.user._id }
      const { orderId } = await ask(initBatch, { body: { userId: seller.user._id } }, seller)
      const cost = wanted.reduce((sum, [, , price]) => sum + price, 0)
      const before = await balanceOf(seller)
      const body = { orderId, orderData, maxCost: cost / 100 }
      expect(await ask(processBatch, { params, body }, seller)).toMatchObject({
        totalCount: 4,
        cost: cost / 100,
      })
      bulkId = orderId
      const state = () => ask(batchStatus, { params: { orderId } }, seller)
      await expect
        .poll(async () => isTerminal((await state()).status), { interval: 100 })
        .toBe(true)
      expect(await state()).toMatchObject({
        status: 'completed',
        failedCount: 0,
        finalCost: cost / 100,
      })
      expect(await balanceOf(seller)).toBe(before - cost)
      const labels = (await orders())
        .filter(one => one.batch_id === orderId)
        .toSorted((a, b) => a.row! - b.row!)
      expect(labels.map(({ price }) => inCents(price))).toEqual(wanted.map(([, , price]) => price))
      for (const { tracking_number: number, price } of labels) told.set(number!, inCents(price))
    })

    test('a sale at a loss is stopped, and the operator reads why', async () => {
      const express = await serviceOf('usps:PRIORITY_MAIL_EXPRESS')
      await ask(setLossLimit, { params: { id: express._id }, body: { maxLoss: 1 } }, admin)
      const before = await balanceOf(seller)
      const sold = carrier.books().length
      const { status, body } = await order('USPS Priority Mail Express', 2)
      if (walk.tellsCostFirst) {
        expect([status, body.code]).toEqual([422, 'label_refused'])
        expect(body.message).toContain(
          'The carrier’s price for this parcel is above what this service covers. Nothing was charged',
        )
        expect([await balanceOf(seller), carrier.books().length]).toEqual([before, sold])
        expect(await dashboard(admin)).toMatchObject({
          work: { losses: { count: 1, refused: 1, lost: 0 } },
          carrierProblem: null,
        })
        const [newest] = await orders()
        expect(await timelineOf(newest!._id)).toContain(
          'Not bought: the carrier’s price is $33.10, $9.10 above the customer’s',
        )
        return
      }
      // The cost comes with the label: one is sold, and no more until the operator decides.
      expect([status, body.data.price]).toEqual([200, 24])
      told.set(body.data.trackingNumber!, EXPRESS_PRICE)
      const lost = walk.costs.express - EXPRESS_PRICE
      expect(await dashboard(admin)).toMatchObject({
        work: { losses: { count: 1, refused: 0, lost: lost / 100 } },
        carrierProblem: {
          cause: 'losses',
          reason:
            `Label ${body.data.orderId} cost ${usd(cents(lost))} more than its price; the limit of its service is $1.00. `
            + 'Correct the prices of the service before you resume',
        },
      })
      expect(await timelineOf(body.data.orderId)).toContain(
        `Bought: the carrier’s price is ${usd(cents(walk.costs.express))}, ${usd(cents(lost))} above the customer’s`,
      )
      const waiting = await order('USPS Ground Advantage', 0.25, 1)
      expect(waiting.status).toBe(202)
      expect(carrier.books()).toHaveLength(sold + 1)

      const { prices } = express
      const params = { id: express._id }
      const raised = prices.map(range => ({ ...range, price: 35 }))
      await ask(setDefaultServicePrices, { params, body: { prices: raised } }, admin)
      await ask(retryCarrier, {}, admin)
      await expect.poll(() => carrier.books().length, { interval: 100 }).toBe(sold + 2)
      const bought = async () =>
        (await orders()).find(({ _id }) => _id === waiting.body.data.orderId)!.tracking_number
      await expect.poll(bought, { interval: 100 }).not.toBeNull()
      told.set((await bought())!, 699)
      expect((await dashboard(admin)).carrierProblem).toBeNull()
      expect(await balanceOf(seller)).toBe(before - EXPRESS_PRICE - 699)
    })

    test('a file of corrections is previewed, and passed on once', async () => {
      const [, , heavier, , lighter] = [...told.keys()]
      const rows = cellsOf(correctionFile(walk.costs.ground, { [heavier!]: 137, [lighter!]: -40 }))
      const file = { fileName: 'corrections.csv', rows }
      const before = await balanceOf(seller)
      const preview = await ask(previewAdjustments, { body: file }, admin)
      expect(preview.faults).toEqual([])
      expect(preview.totals).toMatchObject({
        lines: 2,
        unmatched: 0,
        carrierAmount: 0.97,
        charged: 1.37,
        credited: 0.4,
      })
      expect(await balanceOf(seller)).toBe(before)
      const body = { ...file, rulesSeen: preview.rulesSeen }
      expect(await ask(applyAdjustments, { body }, admin)).toMatchObject({
        charged: 1.37,
        credited: 0.4,
      })
      expect(await ask(applyAdjustments, { body }, admin)).toMatchObject({
        repeated: 2,
        charged: 0,
        credited: 0,
      })
      Object.assign(corrected, { carrier: 97, seller: 97, credited: 40 })
      expect(await balanceOf(seller)).toBe(before - 97)
      const params = { userId: seller.user._id }
      const { adjustments } = await ask(listAdjustments, { params, query: {} }, seller)
      expect(adjustments.map(({ amount, state }) => [amount, state]).toSorted()).toEqual([
        [-0.4, 'credited'],
        [1.37, 'charged'],
      ])
    })

    test('the SCAN form of the day has the bulk order, and its file can be printed', async () => {
      const params = { userId: seller.user._id }
      const { groups } = await ask(scanFormCandidates, { params, query: {} }, seller)
      expect(groups.flatMap(({ ids }) => ids)).toHaveLength(told.size)
      await ask(createScanForms, { params, body: { batchId: bulkId } }, seller)
      const onForm = async () =>
        (await orders()).filter(({ scanForm }) => scanForm?.state === 'made')
      await expect.poll(async () => (await onForm()).length, { interval: 100 }).toBe(4)
      const labels = await onForm()
      const file = await server.file(
        `/api/orders/file/scan-form/${labels[0]!.scanForm!.id}`,
        seller.token,
      )
      expect([file.status, file.bytes.toString('latin1', 0, 5)]).toEqual([200, '%PDF-'])
      for (const { tracking_number: number, batch_id: batch } of labels)
        expect([batch, carrier.formsWith(number!)]).toEqual([bulkId, 1])
      expect(carrier.formsWith(single.trackingNumber)).toBe(0)
    })

    test('a voided label is refunded when the carrier has confirmed, and not before', async () => {
      const params = { orderId: single.orderId }
      const before = await balanceOf(seller)
      const { status } = await server.call(voidOrder, { params }, seller.token)
      if (carrier.grantVoids) {
        expect(status).toBe(202)
        expect(await balanceOf(seller)).toBe(before)
        expect((await ask(refundsDue, {}, admin)).accounts).toMatchObject([
          { count: 1, carrierOwes: walk.costs.ground / 100, customersGet: 6.99 },
        ])
        carrier.grantVoids()
        await ask(recheckOrder, { params }, admin)
      }
      // The request waits for the carrier for five seconds; on a slow machine the worker may settle the void.
      await expect.poll(() => balanceOf(seller), { interval: 100 }).toBe(before + 699)
      const wallet = { userId: seller.user._id }
      expect(await ask(listRefunds, { params: wallet, query: {} }, seller)).toMatchObject({
        refunded: { count: 1, amount: 6.99 },
        pending: { count: 0, amount: 0 },
      })
      const again = await server.call(voidOrder, { params }, seller.token)
      expect([again.status, await balanceOf(seller)]).toEqual([200, before + 699])
    })

    test('the parcel’s first scan reaches the seller', async () => {
      const [, first] = [...told.keys()]
      carrier.scan(first!)
      if (walk.message) {
        const { path, body, headers } = walk.message(first!)
        const { status } = await fetch(server.url + path, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        })
        expect(status).toBe(200)
      }
      // As if the six hours until the first question had passed, again and again: a question under way sets its next one.
      const pass = `update parcel_tracking set next_check_at = now() where next_check_at > now()`
      const parcel = async () => {
        if (!walk.message) await at.database.owner.pool.query(pass)
        return (await orders()).find(one => one.tracking_number === first)!.tracking?.status
      }
      await expect.poll(parcel, { interval: 100 }).toBe('in_transit')
    })

    test('margin, trade report, wallet and the carrier’s books agree to the cent', async () => {
      const refused = walk.tellsCostFirst ? 1 : 0
      await expectBooksToAgree(at, { admin, seller, told, corrected, deposit: DEPOSIT, refused })
      expect(carrier.books()).toHaveLength(walk.tellsCostFirst ? 5 : 7)
    })
  })
}
