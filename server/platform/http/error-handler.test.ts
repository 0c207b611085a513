import { expect, test, vi } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { createErrorHandler } from './error-handler.ts'
import { Refusal } from './refusal.ts'

const { pool } = await testDatabase()

/** What a client gets for `error`, and what is logged. */
function handle(error: Error, onError = createErrorHandler(''), ofRequest = {}) {
  const log = { error: vi.fn<() => void>(), warn: vi.fn<() => void>() }
  const sent = { status: 0, headers: {} as Record<string, string>, body: { message: '' } }
  const reply = {
    code: (status: number) => ((sent.status = status), reply),
    header: (name: string, value: string) => ((sent.headers[name] = value), reply),
    removeHeader: () => reply,
    type: () => reply,
    send: (body: { message: string }) => ((sent.body = body), reply),
  }
  const request = { log, id: 'one', url: '/api/orders/1', ...ofRequest }
  onError(error, request as never, reply as never)
  return { ...sent, log }
}

/** The error of the second statement, while the first one holds its lock. */
async function errorOf(settings: string, statement: string): Promise<Error> {
  const [holder, waiter] = await Promise.all([pool.connect(), pool.connect()])
  try {
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock(11)')
    await waiter.query(`begin; ${settings}`)
    return await waiter.query(statement).then(
      () => new Error('no error'),
      (error: Error) => error,
    )
  } finally {
    for (const client of [holder, waiter]) {
      await client.query('rollback')
      client.release()
    }
  }
}

test.each([
  ['a lock', "set local lock_timeout = '20ms'"],
  ['a statement', "set local statement_timeout = '20ms'"],
])(
  'a time limit of %s is 503 with a time to retry, and no error in the log',
  async (_, setting) => {
    const error = await errorOf(setting, 'select pg_advisory_xact_lock(11)')
    const { status, headers, body, log } = handle(error)
    expect([status, headers['retry-after']]).toEqual([503, '10'])
    expect(body.message).toContain('too busy')
    expect(log.error).not.toHaveBeenCalled()
  },
)

test('a database that is read-only for a while is 503, and the client is told that nothing was saved', async () => {
  const error = await errorOf('set transaction read only', 'update app_user set name = name')
  const { status, headers, body } = handle(error)
  expect([status, headers['retry-after']]).toEqual([503, '60'])
  expect(body.message).toContain('This cannot be saved right now')
})

test('a flood of refusals for lack of capacity is one line in the log', () => {
  const onError = createErrorHandler('')
  const warnings = Array.from({ length: 100 }, () => {
    const { status, log } = handle(new Refusal('busy', 'All places are taken'), onError)
    expect([status, log.error.mock.calls.length]).toEqual([503, 0])
    return log.warn.mock.calls.length
  })
  expect(warnings.reduce((sum, count) => sum + count)).toBe(1)
})

test('an unexpected error is logged each time', () => {
  const { status, log } = handle(new TypeError('x is not a function'))
  expect([status, log.error.mock.calls.length]).toEqual([500, 1])
})

test('a refusal of a download that a browser opens is a page, which shows no markup of others', () => {
  const refusal = new Refusal('busy', 'Wait for <b>orders</b>')
  const opened = {
    routeOptions: { config: { opensInTab: true } },
    headers: { accept: 'text/html' },
  }
  const { status, body } = handle(refusal, undefined, opened)
  expect(status).toBe(503)
  expect(body).toContain('<p>Wait for &lt;b&gt;orders&lt;/b&gt;</p>')
})

test('a zero character that the database refuses is named by its field', async () => {
  const error = await pool.query('select $1::text', ['a\0']).catch((thrown: Error) => thrown)
  const ofRequest = {
    params: { userId: '1' },
    query: {},
    body: { rows: [{ note: 'a' }, { note: 'a\0' }] },
  }
  const { status, body } = handle(error as Error, undefined, ofRequest)
  expect([status, body]).toMatchObject([400, { codes: { 'rows.1.note': 'character_not_allowed' } }])
})
