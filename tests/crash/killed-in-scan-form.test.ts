/**
 * The process is killed while the carrier makes a SCAN form: the form is made there, and the answer
 * never comes. After a new start it is found, or its labels are said to be on a form perhaps; it is
 * never made twice.
 */
import { afterAll, expect, test } from 'vitest'
import { placeOrder } from '#contract/orders.ts'
import { createScanForms, listScanForms, scanFormCandidates } from '#contract/scan-forms.ts'
import { testDatabase } from '#tests/support/database.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { LONG_MINUTES } from '#tests/support/seeded-runs.ts'
import { createDataFolder, startServer } from '#tests/support/server-process.ts'
import type { ServerProcess } from '#tests/support/server-process.ts'

const LABELS = 3
const data = await createDataFolder()
afterAll(() => data.forget())

async function open() {
  const database = await testDatabase()
  const env = { DATABASE_URL: database.url, DATA_DIR: data.path, ALLOW_UNSAFE_DATABASE: 'yes' }
  const withFaults = (faults: object) => ({
    ...env,
    SANDBOX_CARRIER_FAULTS: JSON.stringify(faults),
  })
  const madeThere = async (): Promise<number> =>
    (await database.pool.query<{ n: number }>('select count(*) as n from sandbox_scan_form'))
      .rows[0]!.n
  /** Keeps the form that the killed process had requested from being looked up, however long the next start takes. */
  const postponeLookUp = async () => {
    const { rowCount } = await database.pool.query(
      "update scan_form set run_after = now() + interval '1 hour' where state = 'asked'",
    )
    expect(rowCount).toBe(1)
  }
  /** Lets the form be looked up now. */
  const lookUpNow = () => database.pool.query('update scan_form set run_after = now()')
  return { database, withFaults, madeThere, postponeLookUp, lookUpNow }
}

/** A customer whose form is being made when the process is killed. */
async function killedInForm(app: ServerProcess, madeThere: () => Promise<number>) {
  const ana = await app.register('Ana')
  await app.pay(ana, 100)
  for (let label = 0; label < LABELS; label++)
    await app.call(placeOrder, { body: singleOrderBody(ana.user._id) }, ana.token)
  const params = { userId: ana.user._id }
  const candidates = async () =>
    (await app.call(scanFormCandidates, { params, query: {} }, ana.token)).body.groups
  // On a slow machine a label is bought after the answer to its order.
  await expect.poll(async () => (await candidates()).map(({ ids }) => ids.length)).toEqual([LABELS])
  const [{ ids }] = (await candidates()) as [Awaited<ReturnType<typeof candidates>>[0]]
  const asked = app
    .call(createScanForms, { params, body: { orderIds: ids } }, ana.token)
    .catch(() => null)
  await expect.poll(madeThere, { interval: 5 }).toBe(1)
  await app.stop('SIGKILL')
  await asked
  const formOf = async (at: ServerProcess) =>
    (await at.call(listScanForms, { params, query: {} }, ana.token)).body.scanForms
  return { ana, ids, params, formOf }
}

test('killed between the carrier’s form and our record: it is found, and made once', async () => {
  const { database, withFaults, madeThere, postponeLookUp, lookUpNow } = await open()
  let app = await startServer(data.path, withFaults({ silentAfterScanForms: 0 }))
  const { formOf } = await killedInForm(app, madeThere)
  await postponeLookUp()
  app = await startServer(data.path, withFaults({}))
  expect(await formOf(app)).toMatchObject([{ state: 'asked', labels: LABELS, files: [] }])
  await lookUpNow()
  await expect.poll(async () => (await formOf(app))[0]!.state, { interval: 100 }).toBe('made')
  expect(await madeThere()).toBe(1)
  expect(await findDiscrepancies(database)).toEqual([])
  await app.stop('SIGTERM')
})

test.runIf(LONG_MINUTES > 0)(
  'killed where the carrier never tells: the labels may be on a form, and none is made again',
  async () => {
    const { withFaults, madeThere, lookUpNow } = await open()
    const silent = { silentAfterScanForms: 0, tellsScanForms: false }
    let app = await startServer(data.path, withFaults(silent))
    const { ana, ids, params, formOf } = await killedInForm(app, madeThere)
    app = await startServer(data.path, withFaults(silent))
    await lookUpNow()
    await expect.poll(async () => (await formOf(app))[0]!.state, { interval: 100 }).toBe('unknown')
    const again = await app.call(createScanForms, { params, body: { orderIds: ids } }, ana.token)
    expect(again.status).toBe(409)
    expect(await madeThere()).toBe(1)
    await app.stop('SIGTERM')
  },
)
