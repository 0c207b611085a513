import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { checkMails, checkMailSender, checkUnexpectedEnds } from './mail-checks.ts'

const { pool } = await testDatabase()
const insert = (
  minutes: number,
  problem: string | null,
  outcome: string | null,
  kind = 'password-changed',
) =>
  pool.query(
    `insert into mail (message_id, kind, sealed, written, created_at, expires_at, problem, outcome, ended_at)
       values (gen_random_uuid(), $4, 'x', true, now() - $1 * interval '1 minute', now() + interval '1 hour',
         $2, $3, case when $3::text is not null then now() end)`,
    [minutes, problem, outcome, kind],
  )

test('an address that a seller has mistyped for a receiver is no alarm for the operator', async () => {
  await insert(1, 'refused', 'refused', 'parcel-update')
  expect(await checkMails(pool)).toEqual([{ isOk: true, text: 'Emails: none waits' }])
})

test('the doctor says how many emails wait, since when and why', async () => {
  expect(await checkMails(pool)).toEqual([{ isOk: true, text: 'Emails: none waits' }])
  await insert(2, 'unreachable', null)
  expect(await checkMails(pool)).toEqual([{ isOk: true, text: 'Emails: none waits' }])
  await insert(20, 'unreachable', null)
  await insert(10, 'unreachable', null)
  await insert(9, 'refused', 'refused')
  const [waiting, failed, ...others] = await checkMails(pool)
  expect(others).toEqual([])
  expect([waiting!.isOk, failed!.isOk]).toEqual([false, false])
  expect(waiting!.text).toMatch(/^Emails: 2 wait since \S+Z\. The mail server does not respond/)
  expect(failed!.text).toMatch(/^Emails: 1 could not be sent\. The mail server refuses/)
})

test('a mail server without a sender of its own is named', () => {
  const mailFrom = 'no-reply@evenpost.local'
  const smtpUrl = 'smtps://mail.example.com'
  expect(checkMailSender({ smtpUrl, mailFrom })).toMatchObject([
    { isOk: false, text: expect.stringContaining('Set MAIL_FROM') },
  ])
  expect(checkMailSender({ smtpUrl, mailFrom: 'post@example.com' })).toEqual([])
  expect(checkMailSender({ smtpUrl: undefined, mailFrom })).toEqual([])
})

test('the doctor says when and how the server ended unexpectedly', () => {
  const now = new Date('2026-05-10T12:00:00Z')
  const end = (at: string, signal: string | null) => ({ at, code: signal ? null : 1, signal })
  expect(checkUnexpectedEnds([], now)).toMatchObject({ isOk: true })
  expect(checkUnexpectedEnds([end('2026-05-01T08:00:00Z', null)], now)).toEqual({
    isOk: true,
    text: 'Process: 1 unexpected end in the last 30 days, the last one at 2026-05-01T08:00:00Z (exit code 1)',
  })
  const ends = [end('2026-03-01T08:00:00Z', null), end('2026-05-10T08:00:00Z', 'SIGKILL')]
  const finding = checkUnexpectedEnds(ends, now)
  expect(finding.isOk).toBe(false)
  expect(finding.text).toContain('1 unexpected end in the last 30 days, the last one at 2026-05-10')
  expect(finding.text).toContain('no memory left')
})
