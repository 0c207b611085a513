import { randomUUID } from 'node:crypto'
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setUserActivation } from '#contract/accounts.ts'
import type { PageSlug } from '#contract/support.ts'
import { readPage, sendMessage, sendVisitorMessage } from '#contract/support.ts'
import { publicSettings } from '#contract/system.ts'
import { testApp } from '#tests/support/app.ts'
import type { TestUser } from '#tests/support/app.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'

const SUPPORT = 'help@shop.example'
const app = await testApp({
  env: { SUPPORT_EMAIL: SUPPORT, SUPPORT_REPLY_TIME: 'one business day' },
})
const quiet = await testApp()
const { dataDir } = app.ctx.config
const folder = join(dataDir, 'pages')
await mkdir(folder)

let saved = 0
/** Files of one test are saved within one tick of some file systems. */
const save = async (name: string, text: string | Buffer) => {
  await writeFile(join(folder, name), text)
  await utimes(join(folder, name), 1_700_000_000, 1_700_000_000 + ++saved)
}
const page = async (slug: PageSlug) => app.call(readPage, { params: { slug } })
const settings = async () => (await app.call(publicSettings, {})).body.support
const visitor = (changes: object = {}) => ({
  id: randomUUID(),
  name: 'June Rivera',
  email: 'june@example.com',
  subject: 'A question',
  message: 'Where is my parcel?',
  ...changes,
})
/** The one email whose text has these words. */
async function arrived(words: string) {
  const found = async () =>
    (await mailsTo(dataDir, SUPPORT)).filter(({ text }) => text.includes(words))
  await expect.poll(async () => (await found()).length).toBe(1)
  return (await found())[0]!
}

test('without files of the operator the pages are examples, and say so', async () => {
  expect((await settings()).pages).toEqual([
    { slug: 'help', title: 'Help', isExample: true },
    { slug: 'terms', title: 'Terms of Service', isExample: true },
    { slug: 'privacy', title: 'Privacy Policy', isExample: true },
    { slug: 'refunds', title: 'Refund Policy', isExample: true },
  ])
  const { body } = await page('refunds')
  expect(body).toMatchObject({ slug: 'refunds', title: 'Refund Policy', isExample: true })
  expect(body.html).toContain('>Unused labels</h2>')
})

test('the example of Help has 10 to 15 questions, and links to pages of the product only', async () => {
  const { sections, html } = (await page('help')).body
  const questions = sections.flatMap(section => section.questions)
  expect(questions.length).toBeGreaterThanOrEqual(10)
  expect(questions.length).toBeLessThanOrEqual(15)
  for (const { id, html: answer } of questions) expect([id, answer]).not.toContain('')
  expect([...html.matchAll(/href="(.)/g)].map(([, first]) => first)).not.toContain('h')
})

test('a file of the operator is shown at once, and again when it changes', async () => {
  await save('terms.md', '# Our terms\n\nFirst')
  expect((await page('terms')).body).toMatchObject({
    title: 'Our terms',
    isExample: false,
    html: '<p>First</p>\n',
    sections: [{ id: '', title: '', html: '<p>First</p>\n', questions: [] }],
    updated: 1_700_000_000 + saved,
    updatedText: null,
  })
  await save('terms.md', '# Our terms\n\nAfter')
  expect((await page('terms')).body.html).toBe('<p>After</p>\n')
  await rm(join(folder, 'terms.md'))
  expect((await page('terms')).body.isExample).toBe(true)
})

test('an empty file hides its page, and a file that is no text of 64 KB is not shown', async () => {
  for (const text of ['', ' \n', 'x'.repeat(64 * 1024 + 1), Buffer.from([0x23, 0x20, 0xff])]) {
    await save('privacy.md', text)
    expect((await page('privacy')).status).toBe(404)
    expect((await settings()).pages.map(({ slug }) => slug)).toEqual(['help', 'terms', 'refunds'])
  }
  await rm(join(folder, 'privacy.md'))
  await mkdir(join(folder, 'privacy.md'))
  expect((await page('privacy')).status).toBe(404)
  await rm(join(folder, 'privacy.md'), { recursive: true })
})

test('only the four pages can be read, and no other file', async () => {
  await save('notes.md', 'private')
  for (const name of ['notes', '../secret.key', '..%2fsecret.key', 'help.md', ''])
    expect((await app.send({ url: `/api/pages/${name}` })).statusCode).toBeGreaterThanOrEqual(400)
})

test('a message of a visitor reaches support and is answered by its reply address', async () => {
  const sent = await app.call(sendVisitorMessage, { body: visitor() })
  expect(sent).toMatchObject({ status: 200, body: { ok: true } })
  const mail = await arrived('Where is my parcel?')
  expect(mail.subject).toBe('[Evenpost support] A question')
  expect(mail.raw).toMatch(/^Reply-To: june@example\.com\r$/m)
  expect(mail.text).toContain('a visitor: name and address are not verified')
})

test('a customer’s message has the name and address of the account, and a repetition is one', async () => {
  const ana = await app.register('Ana')
  const body = {
    id: randomUUID(),
    topic: 'payment' as const,
    subject: 'My <b>invoice</b>',
    message: 'One\n\nTwo',
  }
  const call = () => app.call(sendMessage, { params: { userId: ana.user._id }, body }, ana.token)
  const answers = await Promise.all([call(), call(), call()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const mail = await arrived('One\r\n\r\nTwo')
  expect(mail.text).toContain(`Ana <${ana.user.email}>, account ${ana.user._id}`)
  expect(mail.subject).toBe('[Evenpost support] Payment: My <b>invoice</b>')
  expect(mail.html).toContain('&lt;b&gt;invoice')
  const { rows } = await app.database.pool.query(
    `select 1 from mail where kind = 'support-message' and user_id = $1`,
    [ana.user._id],
  )
  expect(rows).toHaveLength(1)
})

test('a blocked customer reads the pages and writes to support as a visitor', async () => {
  const [bob, admin] = [await app.register('Bob'), await app.admin()]
  await app.call(
    setUserActivation,
    { params: { userId: bob.user._id }, body: { activation: 'block' } },
    admin.token,
  )
  const body = { id: randomUUID(), subject: 'Blocked', message: 'Why was I blocked?' }
  const params = { userId: bob.user._id }
  expect((await app.call(sendMessage, { params, body }, bob.token)).status).toBe(401)
  expect((await page('help')).status).toBe(200)
  const { status } = await app.call(sendVisitorMessage, {
    body: visitor({ name: 'Bob', email: bob.user.email }),
  })
  expect(status).toBe(200)
})

test('each wrong field is named, and a text cannot add lines to the email’s head', async () => {
  const wrong = visitor({ name: ' ', email: 'june', subject: '\u200b', message: '\n' })
  const { status, body } = await app.call(sendVisitorMessage, { body: wrong })
  expect([status, Object.keys(body.errors!)]).toEqual([
    422,
    ['name', 'email', 'subject', 'message'],
  ])
  const long = await app.call(sendVisitorMessage, { body: visitor({ message: 'x'.repeat(4_001) }) })
  expect([long.status, long.body.errors]).toEqual([
    400,
    { message: expect.stringContaining('at most 4,000 characters') },
  ])
  const sly = visitor({ subject: 'Hi\r\nBcc: all@example.com', message: 'y'.repeat(3_000) })
  expect((await app.call(sendVisitorMessage, { body: sly })).status).toBe(200)
  const { raw } = await arrived('yyyy')
  expect(raw).not.toMatch(/^Bcc:/m)
  expect(Math.max(...raw.split('\r\n').map(line => line.length))).toBeLessThan(998)
})

test('a visitor’s network sends five messages an hour, a customer ten', async () => {
  const send = () => app.call(sendVisitorMessage, { body: visitor() }, undefined, '203.0.113.9')
  for (let n = 0; n < 5; n++) expect((await send()).status).toBe(200)
  const refused = await send()
  expect([refused.status, refused.body.message]).toEqual([
    429,
    expect.stringContaining(`write to ${SUPPORT}`),
  ])
  const cy = await app.register('Cy')
  const params = { userId: cy.user._id }
  const write = () =>
    app.call(
      sendMessage,
      { params, body: { id: randomUUID(), subject: 'A', message: 'B' } },
      cy.token,
    )
  for (let n = 0; n < 10; n++) expect((await write()).status).toBe(200)
  expect((await write()).status).toBe(429)
})

test('accounts that anyone can make do not close the form for customers and visitors', async () => {
  const crowded = await testApp({ env: { SUPPORT_EMAIL: SUPPORT } })
  const write = async ({ user, token }: TestUser) => {
    const body = { id: randomUUID(), subject: 'A', message: 'B' }
    return (await crowded.call(sendMessage, { params: { userId: user._id }, body }, token)).status
  }
  const statuses: number[] = []
  for (let accounts = 0; accounts < 30; accounts++) {
    const eve = await crowded.register()
    for (let messages = 0; messages < 10; messages++) statuses.push(await write(eve))
  }
  expect(statuses).toEqual(Array(300).fill(200))
  const newcomer = await crowded.register()
  expect(await write(newcomer)).toBe(429)

  const [verified, paying] = [await crowded.register(), await crowded.register()]
  await crowded.database.pool.query('update app_user set email_verified_at = now() where id = $1', [
    verified.user._id,
  ])
  await crowded.creditDollars(paying.user._id, 10)
  expect([await write(verified), await write(paying)]).toEqual([200, 200])
  expect((await crowded.call(sendVisitorMessage, { body: visitor() })).status).toBe(200)
})

test('pages say how soon support replies, where the operator has said it', async () => {
  expect(await settings()).toMatchObject({ email: SUPPORT, replyTime: 'one business day' })
})

test('without a support address nothing is sent, and the pages do not offer it', async () => {
  const { email, replyTime } = (await quiet.call(publicSettings, {})).body.support
  expect([email, replyTime]).toEqual([null, null])
  const { status, body } = await quiet.call(sendVisitorMessage, { body: visitor() })
  expect([status, body.message]).toEqual([404, expect.stringContaining('no support address')])
})
