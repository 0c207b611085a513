import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { login, setUserActivation } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { clientFor, PASSWORD } from '#tests/support/server-process.ts'
import { visitorTest as test } from './customer-fixture.ts'
import { ADMIN, SUPPORT_ADDRESS } from './global-setup.ts'
import { fill } from './page-helpers.ts'

const supportMail = async (words: string) => {
  const found = async () =>
    (await mailsTo(process.env.JOURNEY_DATA!, SUPPORT_ADDRESS)).filter(({ text }) =>
      text.includes(words),
    )
  await expect.poll(async () => (await found()).length).toBe(1)
  return (await found())[0]!
}

test('a visitor reads the pages of the operator, and whose they are', async ({ page }) => {
  const pages = join(process.env.JOURNEY_DATA!, 'pages')
  await mkdir(pages, { recursive: true })
  await writeFile(join(pages, 'terms.md'), '# Our terms\n\nPay first. <b>Then</b> print.\n')
  try {
    await page.goto('/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Refund Policy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Refund Policy' })).toBeVisible()
    await expect(page.getByText('This is an example text.')).toBeVisible()
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Our terms').click()
    await expect(page.getByText('Pay first. <b>Then</b> print.')).toBeVisible()
    await expect(page.getByText('This is an example text.')).toBeHidden()
    await page.goto('/register')
    await expect(page.getByText('By registering you agree to the Our terms.')).toBeVisible()
  } finally {
    await rm(join(pages, 'terms.md'))
  }
})

test('a blocked customer is led to support, and the message arrives once', async ({
  page,
  baseURL,
}) => {
  const api = clientFor(baseURL!)
  const { user } = await api.register('Dana Cole')
  const admin = (await api.call(login, { body: ADMIN })).body as SignedIn
  await api.call(
    setUserActivation,
    { params: { userId: user._id }, body: { activation: 'block' } },
    admin.token,
  )
  await page.goto('/login')
  await fill(page, { Email: user.email, Password: PASSWORD })
  await page.getByRole('button', { name: 'Login' }).click()
  await page.getByRole('link', { name: 'Contact support' }).click()
  await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue('My account is blocked')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Message is required')).toBeVisible()
  const message = `Why? ${crypto.randomUUID()}`
  await fill(page, { Name: 'Dana Cole', Email: user.email, Message: message })
  await page.getByRole('button', { name: 'Send message' }).dblclick()
  await expect(page.getByText('Message sent. We will reply by email.')).toBeVisible()
  expect(await supportMail(message)).toMatchObject({
    subject: '[Evenpost support] My account is blocked',
  })
})
