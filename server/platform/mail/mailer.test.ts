import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { secretKeyFrom } from '#server/platform/process/secret-key.ts'
import { testDatabase } from '#tests/support/database.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { openMailServer } from '#tests/support/mail-server.ts'
import { openMailer } from './mailer.ts'
import type { Mailer, NewMail } from './mailer.ts'
import type { MailPace } from './sender.ts'

const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'evenpost-mail-'))
const opened: Mailer[] = []
afterAll(async () => {
  await Promise.all(opened.map(mailer => mailer.stop()))
  await rm(folder, { recursive: true, force: true })
})

const QUICK: Partial<MailPace> = { roundMs: 20, retryDelayMs: () => 40 }
const SECRET = 'the secret of this installation, long enough'

/** A mailer on a data folder of its own, and what it logged. */
function open(
  env: Record<string, string> = {},
  { pace = QUICK, secret = SECRET }: { pace?: Partial<MailPace>; secret?: string } = {},
) {
  const dataDir = env.DATA_DIR ?? join(folder, crypto.randomUUID())
  const logged: string[] = []
  const note = (...line: unknown[]) => void logged.push(JSON.stringify(line))
  const mailer = openMailer(
    {
      config: readConfig({ DATA_DIR: dataDir, MAIL_FROM: 'post@example.com', ...env }),
      database,
      log: { debug: note, info: note, warn: note, error: note },
      secretKey: secretKeyFrom(secret),
    },
    pace,
  )
  opened.push(mailer)
  return {
    mailer,
    dataDir,
    logged,
    enqueue: (changes: Partial<NewMail> = {}) =>
      database.tx(tx => mailer.enqueue(tx, mail(changes))),
  }
}

const LINK = `https://post.example.com/reset-password?token=${'t'.repeat(80)}`
const mail = (changes: Partial<NewMail> = {}): NewMail => ({
  kind: 'password-changed',
  userId: 7,
  to: 'ana@example.com',
  subject: 'Reset your password',
  text: `Choose a new one here:\n\n${LINK}\n\nFor Zoë.`,
  html: `<p><a href="${LINK}">Choose</a></p>`,
  ...changes,
})

type Row = {
  outcome: string | null
  problem: string | null
  attempts: number
  sealed: Buffer | null
}
const rows = async () =>
  (
    await database.pool.query<Row>(
      'select outcome, problem, attempts, sealed from mail order by id',
    )
  ).rows
const outcomes = async () => (await rows()).map(({ outcome }) => outcome)
const forget = () => database.pool.query('delete from mail')
/** As if so much time had passed. */
const passHours = (hours: number) =>
  database.pool.query(
    `update mail set created_at = created_at - $1 * interval '1 hour', expires_at = expires_at - $1 * interval '1 hour',
       lease_until = lease_until - $1 * interval '1 hour', ended_at = ended_at - $1 * interval '1 hour'`,
    [hours],
  )

test('without a mail server an email is a complete file in the outbox, with its link unbroken in text and HTML', async () => {
  const { mailer, enqueue, dataDir, logged } = open()
  mailer.start()
  await enqueue()
  await expect.poll(outcomes).toEqual(['sent'])
  const [sent, ...others] = await mailsTo(dataDir, 'ana@example.com')
  expect(others).toEqual([])
  expect(sent).toMatchObject({
    from: 'Evenpost <post@example.com>',
    to: 'ana@example.com',
    subject: 'Reset your password',
  })
  expect(sent!.text.split(/\r?\n/)).toContain(LINK)
  expect(sent!.text).toContain('Zoë')
  expect(sent!.html).toContain(`href="${LINK}"`)
  expect(sent!.raw).toContain('Auto-Submitted: auto-generated')
  const [name, ...rest] = await readdir(join(dataDir, 'outbox'))
  expect(rest).toEqual([])
  expect((await stat(join(dataDir, 'outbox', name!))).mode & 0o077).toBe(0)
  expect(logged).toEqual([])
  await mailer.stop()
  await forget()
})

test.each([
  ['an address with a line end', { to: 'ana@example.com\r\nBcc: everyone@example.com' }],
  ['a list of addresses', { to: 'ana@example.com,everyone@example.com' }],
  ['a subject with a line end', { subject: 'Hello\nBcc: everyone@example.com' }],
])('an email with %s is refused when it is stored', async (_, changes) => {
  const { enqueue } = open()
  await expect(enqueue(changes)).rejects.toThrow('not valid')
  expect(await rows()).toEqual([])
})

test('an email of a transaction that does not commit is not sent', async () => {
  const { mailer, dataDir } = open()
  mailer.start()
  const failed = database.tx(async tx => {
    await mailer.enqueue(tx, mail())
    throw new Error('the password was not changed')
  })
  await expect(failed).rejects.toThrow('was not changed')
  await database.tx(tx => mailer.enqueue(tx, mail({ to: 'bo@example.com' })))
  await expect.poll(outcomes).toEqual(['sent'])
  expect(await mailsTo(dataDir, 'ana@example.com')).toEqual([])
  await mailer.stop()
  await forget()
})

test('a waiting email is unreadable in the database, and a sent one leaves no address and no text', async () => {
  const { mailer, enqueue } = open()
  await enqueue()
  const waiting = JSON.stringify(
    (await database.pool.query(`select *, encode(sealed, 'escape') as content from mail`)).rows,
  )
  expect(waiting).not.toMatch(/ana@|tttt/)
  expect(waiting).toContain('a•••@example.com')
  mailer.start()
  await expect.poll(outcomes).toEqual(['sent'])
  const [row] = (await database.pool.query('select * from mail')).rows
  expect(row).toMatchObject({ sealed: null, recipient_hash: null, recipient_hint: null })
  expect(row).toMatchObject({ kind: 'password-changed', user_id: 7, attempts: 1 })
  await mailer.stop()
  await forget()
})

test('while the outbox cannot be written nothing is lost, and the log names no address', async () => {
  const { mailer, enqueue, dataDir, logged } = open()
  await writeFile(dataDir, 'a file where the folder should be')
  mailer.start()
  await enqueue()
  await expect.poll(() => logged.length).toBeGreaterThan(1)
  expect(logged.join()).not.toContain('ana@example.com')
  await rm(dataDir)
  await expect.poll(outcomes).toEqual(['sent'])
  expect(await mailsTo(dataDir, 'ana@example.com')).toHaveLength(1)
  await mailer.stop()
  await forget()
})

test('with a mail server the email goes there', async () => {
  const server = await openMailServer()
  const { mailer, enqueue, dataDir, logged } = open({ SMTP_URL: server.url })
  mailer.start()
  await enqueue()
  await expect.poll(outcomes).toEqual(['sent'])
  expect(logged).toEqual([])
  expect(server.heard).toContain('RCPT TO:<ana@example.com>')
  expect(server.heard).toContain(LINK)
  expect(await readdir(dataDir).catch(() => [])).toEqual([])
  await mailer.stop()
  await forget()
})

test('a refused address is not retried, and the text of the mail server is not logged', async () => {
  const server = await openMailServer(line =>
    line.startsWith('RCPT') ? '550 no such person: ana@example.com' : null,
  )
  const { mailer, enqueue, logged } = open({ SMTP_URL: server.url })
  mailer.start()
  await enqueue()
  await enqueue({ to: 'bo@example.com' })
  await expect.poll(outcomes).toEqual(['refused', 'refused'])
  expect(server.heard.filter(line => line.startsWith('RCPT'))).toHaveLength(2)
  expect(logged).toHaveLength(2)
  expect(logged[0]).toContain('550')
  expect(logged[0]).not.toContain('ana@example.com')
  await mailer.stop()
  await forget()
})

test('a mail server that says "later" (greylisting) gets the email again until it takes it', async () => {
  let refusals = 3
  const server = await openMailServer(line =>
    line.startsWith('RCPT') && refusals-- > 0 ? '451 try again in a minute' : null,
  )
  const { mailer, enqueue } = open({ SMTP_URL: server.url })
  mailer.start()
  await enqueue()
  await expect.poll(outcomes).toEqual(['sent'])
  expect((await rows())[0]!.attempts).toBe(4)
  await mailer.stop()
  await forget()
})

test('a wrong password of the mail server ends no email: all wait until the operator corrects it', async () => {
  let password = 'wrong'
  const server = await openMailServer(line =>
    line.startsWith('AUTH') && password === 'wrong' ? '535 authentication failed' : null,
  )
  const url = server.url.replace('://', '://evenpost:secret@')
  const { mailer, enqueue } = open({ SMTP_URL: url })
  mailer.start()
  await enqueue()
  await enqueue({ to: 'bo@example.com' })
  await expect.poll(async () => (await rows()).map(({ problem }) => problem)).toContain('signin')
  expect(await outcomes()).toEqual([null, null])
  password = 'right'
  await expect.poll(outcomes).toEqual(['sent', 'sent'])
  await mailer.stop()
  await forget()
})

test('a mail server that is away gets every email when it is back, each once, and is asked rarely meanwhile', async () => {
  const server = await openMailServer()
  await server.close()
  const pauseMs = 200
  const { mailer, enqueue } = open(
    { SMTP_URL: server.url },
    { pace: { ...QUICK, retryDelayMs: () => pauseMs } },
  )
  const begun = performance.now()
  mailer.start()
  for (let n = 0; n < 20; n++) await enqueue({ to: `person${n}@example.com` })
  await expect
    .poll(async () => (await rows()).filter(({ problem }) => problem === 'unreachable').length)
    .toBeGreaterThan(0)
  const attempts = (await rows()).reduce((sum, row) => sum + row.attempts, 0)
  // Two at once, then a pause: on a slow machine several pauses have passed.
  expect(attempts).toBeLessThanOrEqual(2 * (1 + (performance.now() - begun) / pauseMs))
  await server.reopen()
  await expect.poll(async () => new Set(await outcomes())).toEqual(new Set(['sent']))
  const recipients = server.heard.filter(line => line.startsWith('RCPT'))
  expect(recipients).toHaveLength(20)
  expect(new Set(recipients).size).toBe(20)
  await mailer.stop()
  await forget()
})

test('several processes send each email once', async () => {
  const server = await openMailServer()
  const processes = [1, 2, 3].map(() => open({ SMTP_URL: server.url }))
  for (let n = 0; n < 30; n++) await processes[0]!.enqueue({ to: `person${n}@example.com` })
  for (const { mailer } of processes) mailer.start()
  await expect.poll(async () => new Set(await outcomes())).toEqual(new Set(['sent']))
  expect(server.heard.filter(line => line.startsWith('RCPT'))).toHaveLength(30)
  await Promise.all(processes.map(({ mailer }) => mailer.stop()))
  await forget()
})

test('the email of a process that died while sending is sent again, under the same message id', async () => {
  const server = await openMailServer()
  const { mailer, enqueue } = open({ SMTP_URL: server.url })
  await enqueue()
  // A process claimed it, the mail server took it, and the process died before it wrote that down.
  await database.pool.query(`update mail set attempts = 1, lease_until = now() + interval '1 hour'`)
  mailer.start()
  const { enqueue: enqueueOther } = open()
  await enqueueOther({ to: 'bo@example.com' })
  await expect.poll(outcomes).toEqual([null, 'sent'])
  await passHours(2)
  await expect.poll(outcomes).toEqual(['sent', 'sent'])
  const { message_id } = (await database.pool.query('select message_id from mail order by id'))
    .rows[0]
  expect(server.heard).toContain(`Message-ID: <${message_id}@example.com>`)
  await mailer.stop()
  await forget()
})

test('an email is not sent after what it carries has ended', async () => {
  const { mailer, enqueue, dataDir } = open()
  await enqueue({ validHours: 1 })
  await passHours(1.01)
  mailer.start()
  await expect.poll(outcomes).toEqual(['expired'])
  expect((await rows())[0]!.sealed).toBeNull()
  expect(await mailsTo(dataDir, 'ana@example.com')).toEqual([])
  await mailer.stop()
  await forget()
})

test('of one kind five emails wait for one recipient: the oldest ends, and no other kind or recipient does', async () => {
  const { enqueue } = open()
  await enqueue({ to: 'bo@example.com' })
  await enqueue({ kind: 'password-reset' })
  for (let n = 0; n < 7; n++) await enqueue({ to: n % 2 ? 'ANA@example.com' : 'ana@example.com' })
  expect(await outcomes()).toEqual([null, null, 'replaced', 'replaced', ...Array(5).fill(null)])
  await forget()
})

test('a flood of requests for addresses without an account leaves nothing in the table', async () => {
  const { mailer } = open()
  mailer.setWriter('password-reset', async () => null)
  for (let n = 0; n < 50; n++) {
    const request = {
      kind: 'password-reset' as const,
      to: `n${n}@example.com`,
      input: {},
      validHours: 1,
    }
    await database.tx(tx => mailer.enqueueRequest(tx, request))
  }
  expect(await rows()).toHaveLength(50)
  mailer.start()
  await expect.poll(rows).toEqual([])
  await mailer.stop()
})

test('more requests than the table may hold end the oldest of their kind', async () => {
  const { mailer, enqueue } = open()
  await enqueue()
  await database.pool.query(`
    insert into mail (message_id, kind, sealed, written, expires_at, next_attempt_at)
      select gen_random_uuid(), 'password-reset', 'x', false, now() + interval '1 hour', now() + interval '1 hour'
        from generate_series(1, 5020)`)
  mailer.start()
  await expect
    .poll(async () => (await rows()).filter(({ outcome }) => outcome === null).length)
    .toBe(5_000)
  expect(await rows()).toHaveLength(5_001)
  await mailer.stop()
  await forget()
})

test('a request that cannot be written stops no other and is tried again', async () => {
  const { mailer, dataDir, logged } = open()
  let failures = 2
  mailer.setWriter('password-reset', async (_, { to }) => {
    if (to === 'ana@example.com' && failures-- > 0) throw new Error(`no reply about ${to}`)
    return { userId: 7, mail: mail({ to }) }
  })
  mailer.start()
  for (const to of ['ana@example.com', 'bo@example.com']) {
    const request = { kind: 'password-reset', to, input: {}, validHours: 1 } as const
    await database.tx(tx => mailer.enqueueRequest(tx, request))
  }
  await expect.poll(outcomes).toEqual(['sent', 'sent'])
  expect(await mailsTo(dataDir, 'ana@example.com')).toHaveLength(1)
  expect(await mailsTo(dataDir, 'bo@example.com')).toHaveLength(1)
  expect(logged).toHaveLength(2)
  await mailer.stop()
  await forget()
})

test('an email that was encrypted with another key ends, and says so', async () => {
  await open({}, { secret: 'the key of the installation before a move' }).enqueue()
  const { mailer } = open()
  mailer.start()
  await expect.poll(outcomes).toEqual(['unreadable'])
  await mailer.stop()
  await forget()
})

test('a record is kept for thirty days', async () => {
  const first = open()
  first.mailer.start()
  await first.enqueue()
  await expect.poll(outcomes).toEqual(['sent'])
  await first.mailer.stop()
  await passHours(24 * 31)
  const { mailer } = open()
  mailer.start()
  await expect.poll(rows).toEqual([])
  await mailer.stop()
})

test('a worker process stores emails and leaves sending to the processes that serve pages', async () => {
  const worker = open({ ROLE: 'worker' })
  worker.mailer.start()
  await worker.enqueue()
  const web = open({ ROLE: 'web' })
  web.mailer.start()
  await expect.poll(outcomes).toEqual(['sent'])
  expect(await mailsTo(worker.dataDir, 'ana@example.com')).toEqual([])
  expect(await mailsTo(web.dataDir, 'ana@example.com')).toHaveLength(1)
  await Promise.all([worker.mailer.stop(), web.mailer.stop()])
  await forget()
})
