import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { openMailer } from './mailer.ts'
import type { Mail } from './mailer.ts'

const folder = await mkdtemp(join(tmpdir(), 'evenpost-mail-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A post office on a folder of its own, and what it logged. */
function open(env: Record<string, string> = {}) {
  const dataDir = join(folder, crypto.randomUUID())
  const logged: string[] = []
  const note = (...line: unknown[]) => void logged.push(JSON.stringify(line))
  const log = { debug: note, info: note, warn: note, error: note }
  return {
    post: openMailer({
      config: readConfig({ DATA_DIR: dataDir, MAIL_FROM: 'post@example.com', ...env }),
      log,
    }),
    dataDir,
    logged,
  }
}

const LINK = `https://post.example.com/reset-password?token=${'t'.repeat(80)}`
const mail = (changes: Partial<Mail> = {}): Mail => ({
  to: 'ana@example.com',
  subject: 'Reset your password',
  text: `Choose a new one here:\n\n${LINK}\n\nFor Zoë.`,
  html: `<p><a href="${LINK}">Choose</a></p>`,
  ...changes,
})

test('without a mail server an email is a complete file in the outbox, with its link unbroken in text and HTML', async () => {
  const { post, dataDir, logged } = open()
  post.send(async () => mail())
  await post.stop()
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
})

test.each([
  ['an address with a line end', { to: 'ana@example.com\r\nBcc: everyone@example.com' }],
  ['a list of addresses', { to: 'ana@example.com,everyone@example.com' }],
  ['a subject with a line end', { subject: 'Hello\nBcc: everyone@example.com' }],
])('an email with %s is not sent', async (_, changes) => {
  const { post, dataDir, logged } = open()
  post.send(async () => mail(changes))
  await post.stop()
  expect(await readdir(dataDir).catch(() => [])).toEqual([])
  expect(logged).toHaveLength(1)
})

test('a failure is logged without the address and stops no other email', async () => {
  const { post, dataDir, logged } = open()
  await writeFile(dataDir, 'a file where the folder should be')
  post.send(async () => mail())
  post.send(async () => {
    throw new Error('ana@example.com could not be looked up')
  })
  await post.stop()
  expect(logged).toHaveLength(2)
  expect(logged.join()).not.toContain('ana@example.com')
})

/** A mail server that answers as it is told and keeps what it hears. */
async function mailServer(answer: (line: string) => string | null) {
  const heard: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.write('220 mail.example.com ESMTP\r\n')
    socket.on('data', chunk => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        heard.push(line)
        const said = answer(line)
        if (said !== null) socket.write(`${said}\r\n`)
      }
    })
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

test('with a mail server the email goes there', async () => {
  let inData = false
  const { url, heard } = await mailServer(line => {
    if (line === 'DATA') inData = true
    else if (line === '.') inData = false
    else if (inData) return null
    return line === 'DATA' ? '354 go on' : line === 'QUIT' ? '221 bye' : '250 ok'
  })
  const { post, dataDir, logged } = open({ SMTP_URL: url })
  post.send(async () => mail())
  await post.stop()
  expect(logged).toEqual([])
  expect(heard).toContain('RCPT TO:<ana@example.com>')
  expect(heard).toContain(LINK)
  expect(await readdir(dataDir).catch(() => [])).toEqual([])
})

test('a refused address is not retried, and the text of the mail server is not logged', async () => {
  const { url, heard } = await mailServer(line =>
    line.startsWith('RCPT') ? '550 no such person: ana@example.com' : '250 ok',
  )
  const { post, logged } = open({ SMTP_URL: url })
  post.send(async () => mail())
  await post.stop()
  expect(heard.filter(line => line.startsWith('RCPT'))).toHaveLength(1)
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('550')
  expect(logged[0]).not.toContain('ana@example.com')
})
