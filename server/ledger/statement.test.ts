import { readXlsx } from 'hucre/xlsx'
import { sql } from 'kysely'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { isTerminal } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { statement, statementCsv, walletTrend } from '#contract/ledger.ts'
import { cents as inCents } from '#contract/money.ts'
import { orderTrend, placeOrder } from '#contract/orders.ts'
import { salesReport } from '#contract/reports.ts'
import { XLSX_TYPE } from '#contract/table-files.ts'
import { injectOptionsFor, testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { backdateOrders, backdateTransfers, noonOffset, noonZone } from '#tests/support/backdate.ts'
import { rows, singleOrderBody } from '#tests/support/rows.ts'
import { countAhead, findViolations, postTransfers, statementOf } from './service.ts'

const app = await testApp()

type Query = {
  page?: number
  limit?: number
  filter?: 'all' | 'deposit' | 'hold' | 'release' | 'refund' | 'adjustment'
  month?: string
}
const read = async ({ user, token }: TestUser, query: Query = {}) =>
  (await app.call(statement, { params: { userId: user._id }, query }, token)).body
const cents = (value: number | string): number => Math.round(Number(value) * 100)
const total = (amounts: (number | string)[]): number =>
  amounts.reduce<number>((n, amount) => n + cents(amount), 0)
const balanceOf = async ({ token }: TestUser): Promise<number> =>
  cents((await app.call(verifySession, {}, token)).body.user.balance)

async function file({ user, token }: TestUser, query: { month?: string } = {}) {
  const answer = await app.send({
    ...injectOptionsFor(statementCsv, { params: { userId: user._id }, query }),
    headers: { token },
  })
  return {
    headers: answer.headers,
    lines: Papa.parse<Record<string, string>>(answer.body.replace('\ufeff', ''), {
      header: true,
      delimiter: ',',
      newline: '\r\n',
      skipEmptyLines: true,
    }).data,
    text: answer.body,
  }
}

/** Adjustments, one for each amount in cents. */
async function adjust({ user }: TestUser, amounts: number[], reason: string): Promise<void> {
  const ownerId = Number(user._id)
  await app.database.tx(tx =>
    postTransfers(
      tx,
      amounts.map((amount, n) => ({
        ownerId,
        kind: amount > 0 ? ('adjust_up' as const) : ('adjust_down' as const),
        cents: inCents(Math.abs(amount)),
        key: `test:${n}`,
        actorId: ownerId,
        reason,
      })),
    ),
  )
}

/** Submits a bulk order. */
async function submit(
  { user, token }: TestUser,
  orderData: ReturnType<typeof rows>,
): Promise<string> {
  const {
    body: { orderId },
  } = await app.call(initBatch, { body: { userId: user._id } }, token)
  const { status } = await app.call(
    processBatch,
    { params: { userId: user._id }, body: { orderId, orderData } },
    token,
  )
  expect(status).toBe(202)
  return orderId
}

const ended = async (orderId: string, { token }: TestUser): Promise<boolean> =>
  isTerminal((await app.call(batchStatus, { params: { orderId } }, token)).body.status)

test('a statement tells why each cent moved: deposit, hold, release, adjustment', async () => {
  const ana = await app.register('Ana')
  await app.creditDollars(ana.user._id, 100)
  await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  const refused = await app.call(
    placeOrder,
    { body: singleOrderBody(ana.user._id, { receiver: { receiver_address2: 'SANDBOX REFUSE' } }) },
    ana.token,
  )
  expect(refused.status).toBe(422)
  await adjust(ana, [-1050], 'Charged back')

  const { entries, totalCount } = await read(ana)
  expect(totalCount).toBe(5)
  expect(entries.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['adjust_down', -10.5, 80],
    ['release', 9.5, 90.5],
    ['hold', -9.5, 81],
    ['hold', -9.5, 90.5],
    ['deposit', 100, 100],
  ])
  expect(entries[1]).toMatchObject({
    orderId: entries[2]!.orderId,
    note: 'Address not deliverable',
  })
  expect(entries[4]!.invoiceId).toMatch(/^\d+$/)
  expect(entries[0]!.note).toBe('Charged back')
})

test('movements outside of a filter still count in the balance', async () => {
  const ben = await app.register('Ben')
  for (const dollars of [50, 20]) await app.creditDollars(ben.user._id, dollars)
  await app.call(placeOrder, { body: singleOrderBody(ben.user._id) }, ben.token)
  await app.creditDollars(ben.user._id, 5)
  const all = (await read(ben)).entries
  for (const filter of ['deposit', 'hold', 'release', 'adjustment'] as const) {
    const { entries, totalCount } = await read(ben, { filter })
    expect(entries).toEqual(all.filter(({ kind }) => kind === filter))
    expect(totalCount).toBe(entries.length)
  }
  expect(await read(ben, { filter: 'deposit', page: 2, limit: 2 })).toEqual({
    entries: [all.at(-1)],
    totalCount: 3,
  })
  expect(await read(ben, { page: 9, limit: 25 })).toEqual({ entries: [], totalCount: 4 })
})

test('two thousand refused labels are released one by one, and each page adds up meanwhile', async () => {
  const cleo = await app.register('Cleo')
  await app.creditDollars(cleo.user._id, 13_000)
  const orderId = await submit(
    cleo,
    rows(2_000, () => ({ ToStreet2: 'SANDBOX REFUSE' })),
  )
  let looks = 0
  do {
    const { entries } = await read(cleo, { limit: 25 })
    entries.forEach((entry, i) => {
      if (entries[i + 1])
        expect(cents(entry.balance) - cents(entry.amount)).toBe(cents(entries[i + 1]!.balance))
    })
    const { entries: whole } = await read(cleo)
    expect(cents(whole[0]!.balance)).toBe(total(whole.map(({ amount }) => amount)))
    looks++
  } while (!(await ended(orderId, cleo)))
  expect(looks).toBeGreaterThan(0)

  const { entries, totalCount } = await read(cleo, { filter: 'release', page: 80, limit: 25 })
  expect(totalCount).toBe(2_000)
  expect(entries).toHaveLength(25)
  expect(
    entries.every(({ batchId, note }) => batchId === orderId && note === 'Address not deliverable'),
  ).toBe(true)
  expect(cents(entries.at(-1)!.balance)).toBe(650)
  expect((await read(cleo, { filter: 'hold' })).entries).toMatchObject([{ labels: 2_000 }])
  const { lines } = await file(cleo)
  expect(lines).toHaveLength(2_002)
  expect(lines.at(-2)!.Reason).toBe('Bulk order placed, 2,000 labels')
  expect(total(lines.map(line => line.Amount!))).toBe(1_300_000)
})

test('the export has all movements, adds up to the balance and defuses formulas', async () => {
  const dora = await app.register('Dora')
  await app.creditDollars(dora.user._id, 60)
  await app.call(placeOrder, { body: singleOrderBody(dora.user._id) }, dora.token)
  await adjust(dora, [250], '=HYPERLINK("http://x"), "sorry"\r\nfor the wait')
  const { headers, lines, text } = await file(dora)
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toMatch(
    /^attachment; filename="evenpost-statement-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
  expect(lines.map(line => [line.Reason, line.Amount, line.Balance])).toEqual([
    ['Adjustment by support', '2.50', '53.00'],
    ['Label ordered', '-9.50', '50.50'],
    ['Deposit', '60.00', '60.00'],
  ])
  expect(lines[0]!.Note).toBe('\'=HYPERLINK("http://x"), "sorry"\r\nfor the wait')
  expect(total(lines.map(line => line.Amount!))).toBe(await balanceOf(dora))

  const workbook = await app.send({
    ...injectOptionsFor(statementCsv, {
      params: { userId: dora.user._id },
      query: { format: 'xlsx' },
    }),
    headers: { token: dora.token },
  })
  expect(workbook.headers['content-type']).toBe(XLSX_TYPE)
  expect(workbook.headers['content-disposition']).toMatch(/statement-\d{4}-\d\d-\d\d\.xlsx"$/)
  const [head, ...cells] = (await readXlsx(workbook.rawPayload)).sheets[0]!.rows
  expect(head).toEqual(Object.keys(lines[0]!))
  expect(
    cells.map(([at, reason, , , , , amount, balance]) => [at, reason, amount, balance]),
  ).toEqual(
    lines.map(line => [line['Date (UTC)'], line.Reason, Number(line.Amount), Number(line.Balance)]),
  )
  expect(cells[0]![2]).toBe('=HYPERLINK("http://x"), "sorry"\r\nfor the wait')
})

test('the export of a month has its movements alone, with the balance after each', async () => {
  const ida = await app.register('Ida')
  await app.creditDollars(ida.user._id, 60)
  await adjust(ida, [250, -100, 75], 'test')
  // As times are: in the order of ids.
  await backdateTransfers(
    app.database,
    sql`'2024-08-31'::timestamptz`,
    sql`owner_id <> ${ida.user._id}`,
  )
  await backdateTransfers(
    app.database,
    sql`(case cents when 6000 then '2024-09-30 23:59:59+00' when 250 then '2024-10-01 00:00+00' when 100 then '2024-10-31 23:59:59+00'
      else '2024-11-01 00:00+00' end)::timestamptz`,
    sql`owner_id = ${ida.user._id}`,
  )
  const october = await file(ida, { month: '2024-10' })
  expect(october.headers['content-disposition']).toMatch(/evenpost-statement-2024-10\.csv"$/)
  expect(october.lines.map(line => [line.Amount, line.Balance])).toEqual([
    ['-1.00', '61.50'],
    ['2.50', '62.50'],
  ])
  const list = await read(ida, { month: '2024-10' })
  expect([
    list.totalCount,
    ...list.entries.map(({ amount, balance }) => [amount, balance]),
  ]).toEqual([2, [-1, 61.5], [2.5, 62.5]])
  expect(await read(ida, { month: '2024-10', page: 2, limit: 1 })).toMatchObject({
    totalCount: 2,
    entries: [{ amount: 2.5 }],
  })
  expect(await read(ida, { month: '2024-10', filter: 'deposit' })).toMatchObject({
    totalCount: 0,
    entries: [],
  })
  expect((await file(ida, { month: '2024-09' })).lines).toMatchObject([{ Balance: '60.00' }])
  expect((await file(ida, { month: '2024-08' })).lines).toEqual([])
  const refused = await file(ida, { month: '2024-13' })
  expect(refused.text).toContain('must be a month such as 2026-11')
})

test('an export of several chunks is complete, with continuous balances', async () => {
  const emil = await app.register('Emil')
  await app.creditDollars(emil.user._id, 1)
  await adjust(
    emil,
    Array.from({ length: 10_050 }, (_, n) => (n % 3 ? 1 + (n % 3) : -1)),
    'test',
  )
  const { lines } = await file(emil)
  expect(lines).toHaveLength(10_051)
  lines.forEach((line, i) =>
    expect(cents(line.Balance!) - cents(line.Amount!)).toBe(cents(lines[i + 1]?.Balance ?? 0)),
  )
  expect(cents(lines[0]!.Balance!)).toBe(await balanceOf(emil))
})

test('the trend has fourteen days in the time zone of the reader, with deposits and net spending', async () => {
  const fay = await app.register('Fay')
  await app.creditDollars(fay.user._id, 40)
  await app.call(placeOrder, { body: singleOrderBody(fay.user._id) }, fay.token)
  const noon = noonOffset()
  const towardsUtc = noon > 0 ? -1 : 1
  for (const offset of [noon, noon + towardsUtc * 150, noon + towardsUtc * 300]) {
    const params = { userId: fay.user._id }
    const { days } = (await app.call(walletTrend, { params, query: { offset } }, fay.token)).body
    const today = new Date(Date.now() + offset * 60_000).toISOString().slice(0, 10)
    expect(days).toHaveLength(14)
    expect(days.at(-1)).toEqual({ day: today, deposited: 40, spent: 9.5 })
    expect(days.slice(0, 13).every(({ deposited, spent }) => deposited === 0 && spent === 0)).toBe(
      true,
    )
    const orders = (await app.call(orderTrend, { params, query: { offset } }, fay.token)).body.days
    expect(orders.map(({ day }) => day)).toEqual(days.map(({ day }) => day))
    expect(orders.map(one => one.orders)).toEqual([...Array.from({ length: 13 }, () => 0), 1])
  }
})

test('the trend takes the name of a time zone, as the reports do', async () => {
  const gil = await app.register('Gil')
  const params = { userId: gil.user._id }
  const query = { timezone: noonZone() }
  const today = new Date().toLocaleDateString('en-CA', { timeZone: query.timezone })
  const wallet = (await app.call(walletTrend, { params, query }, gil.token)).body.days
  const orders = (await app.call(orderTrend, { params, query }, gil.token)).body.days
  expect([wallet.at(-1)!.day, orders.at(-1)!.day]).toEqual([today, today])
})

test('a time zone with a name that is not known here has its days by the offset', async () => {
  const ida = await app.register('Ida')
  const offset = noonOffset()
  const call = { params: { userId: ida.user._id }, query: { timezone: 'Etc/Unknown', offset } }
  const today = new Date(Date.now() + offset * 60_000).toISOString().slice(0, 10)
  expect((await app.call(walletTrend, call, ida.token)).body.days.at(-1)!.day).toBe(today)
  expect((await app.call(salesReport, call, ida.token)).body.days.at(-1)!.day).toBe(today)
})

test('the trend counts orders on the day they were placed and leaves out old ones', async () => {
  const gus = await app.register('Gus')
  await app.creditDollars(gus.user._id, 60)
  for (let n = 0; n < 6; n++)
    await app.call(placeOrder, { body: singleOrderBody(gus.user._id) }, gus.token)
  const trend = async () => {
    const { body } = await app.call(
      orderTrend,
      { params: { userId: gus.user._id }, query: { offset: noonOffset() } },
      gus.token,
    )
    return body.days.map(one => one.orders)
  }
  expect(await trend()).toEqual([...Array.from({ length: 13 }, () => 0), 6])
  await backdateOrders(
    app.database,
    gus.user._id,
    sql`now() - (array[20, 13, 3, 3, 3, 0])[position] * interval '1 day'`,
  )
  expect(await trend()).toEqual([1, ...Array.from({ length: 9 }, () => 0), 3, 0, 0, 1])
  await backdateOrders(app.database, gus.user._id, sql`now() - interval '40 days'`)
  expect(await trend()).toEqual(Array.from({ length: 14 }, () => 0))
})

test('the export opens in a new tab with the cookie of its owner only', async () => {
  const [hal, ida] = [await app.register('Hal'), await app.register('Ida')]
  const cookieOf = async ({ token }: TestUser) => {
    const { cookies } = await app.send({ url: '/api/auth/verify', headers: { token } })
    const { name, value } = cookies.find(({ path }) => path === '/api/wallet')!
    return { [name]: value }
  }
  const request = injectOptionsFor(statementCsv, { params: { userId: hal.user._id } })
  expect((await app.send({ ...request, cookies: await cookieOf(hal) })).statusCode).toBe(200)
  expect((await app.send({ ...request, cookies: await cookieOf(ida) })).statusCode).toBe(403)
  expect((await app.send(request)).statusCode).toBe(401)
  const page = injectOptionsFor(statement, { params: { userId: hal.user._id } })
  expect((await app.send({ ...page, cookies: await cookieOf(hal) })).statusCode).toBe(401)
})

test('the count of a statement stays right when it is counted ahead, also beside later movements', async () => {
  const { user } = await app.register('Counted')
  const { database } = app
  const ownerId = Number(user._id)
  const page = (filter: 'all' | 'deposit') => statementOf(database.db, ownerId, 1, 10, filter)
  for (let n = 1; n <= 3; n++) {
    await app.creditDollars(user._id, 10)
    expect(await page('all')).toMatchObject({ total: n, newer: 1 })
    await countAhead(database, ownerId, 1, 1)
    expect(await page('all')).toMatchObject({ total: n, newer: 0 })
    expect(await page('deposit')).toMatchObject({ total: n, newer: 0 })
  }
  expect(await findViolations(database.db)).toEqual([])
})
