import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { login, setUserActivation } from '#contract/accounts.ts'
import type { SignedIn } from '#contract/accounts.ts'
import { mailsTo } from '#tests/support/mail-outbox.ts'
import { clientFor, PASSWORD } from '#tests/support/server-process.ts'
import { createInspector } from './accessibility-checks.ts'
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
  await writeFile(
    join(pages, 'terms.md'),
    '# Our terms\n\nPay first. <b>Then</b> print.\n\n### Fees\n\nNone.\n',
  )
  try {
    await page.goto('/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Refund Policy' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Refund Policy' })).toBeVisible()
    await expect(page.getByText('This is an example text.')).toBeVisible()
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Our terms').click()
    await expect(page.getByText('Pay first. <b>Then</b> print.')).toBeVisible()
    await expect(page.getByText('This is an example text.')).toBeHidden()
    await expect(page.getByText('None.')).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeHidden()
    await page.goto('/register')
    await expect(page.getByText('By registering, you agree to our terms.')).toBeVisible()
  } finally {
    await rm(join(pages, 'terms.md'))
  }
})

test('a visitor finds an answer by words, topic or link, or is led to support; an operator’s questions take their place', async ({
  page,
}) => {
  await page.goto('/help')
  await expect(page.getByText('This example comes with the product.')).toBeHidden()
  await page.getByRole('navigation', { name: 'Topics' }).getByText('Printing').click()
  await expect(page).toHaveURL(/#printing$/)
  await page.goBack()
  const answer = page.getByText('print at 100%', { exact: false }).first()
  await expect(answer).toBeHidden()
  const search = page.getByRole('searchbox', { name: 'Search help' })
  await search.fill('how do I use the test page')
  const found = page.getByRole('status').filter({ hasText: '1 answer for' })
  await expect(found).toHaveText('1 answer for “how do I use the test page”')
  await expect(page.getByRole('navigation', { name: 'Topics' })).toBeHidden()
  await expect(answer).toBeVisible()
  const inspector = createInspector(page)
  await inspector.look('an answer that was found')
  expect(inspector.found).toEqual([])
  await expect(page.locator('mark').first()).toBeVisible()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(search).toBeFocused()
  await expect(page.getByRole('navigation', { name: 'Topics' })).toBeVisible()
  await search.fill('?!')
  await expect(page).toHaveURL(/search=/)
  await expect(page.getByRole('navigation', { name: 'Topics' })).toBeVisible()
  await search.fill('carrier pigeon')
  await page
    .getByRole('link', { name: 'How do I tell my marketplace and buyers what was shipped?' })
    .click()
  await expect(page.getByText('Download Auto Confirm')).toBeVisible()
  await search.fill('carrier pigeon')
  await expect(page.getByRole('heading', { name: 'No answer for “carrier pigeon”' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Show all questions' }).click()
  await expect(search).toBeFocused()
  await expect(search).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'Which files can I upload?' })).toBeVisible()
  await search.fill('carrier pigeon')
  await expect(page).toHaveURL(/search=carrier/)
  await page.getByRole('link', { name: 'Contact support' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Subject' })).toHaveValue('carrier pigeon')
  await page.goto('/help#how-do-i-add-money')
  await expect(page.getByText('enter an amount and pay the invoice')).toBeVisible()
  await readOwnHelp(page)
})

/** In the same test as the search: both read the one Help of the installation. */
async function readOwnHelp(page: Page): Promise<void> {
  const pages = join(process.env.JOURNEY_DATA!, 'pages')
  await mkdir(pages, { recursive: true })
  const file = join(pages, 'help.md')
  try {
    await writeFile(file, '# Aid\n\nCall us.\n\n## Hours\n\n### When are you open?\n\nAlways.\n')
    await page.goto('/help')
    await expect(page.getByText('Call us.')).toBeVisible()
    await page.getByText('When are you open?').click()
    await expect(page.getByText('Always.')).toBeVisible()
    await expect(page.getByText(/Last updated/)).toBeVisible()
    await writeFile(file, '# Aid\n\n## Hours\n\nAlways open.\n\n## Phone\n\nNone.\n')
    await page.goto('/help')
    await expect(page.getByText('Always open.')).toBeVisible()
    await expect(page.getByRole('searchbox')).toBeHidden()
    await expect(page.locator('[data-numbered]')).toHaveCount(0)
  } finally {
    await rm(file)
  }
}

test('a long text has numbered sections, a table of contents and the day of their last change', async ({
  page,
}) => {
  await page.goto('/privacy')
  await expect(page.getByText(/^Last updated \d{2}-\d{2}-\d{4}$/)).toBeVisible()
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link', { name: 'Your rights' }).click()
  await expect(page.getByRole('heading', { name: 'Your rights' })).toBeInViewport()
  const numbers = (titles: Locator) =>
    titles.evaluateAll(all => all.map(title => getComputedStyle(title, '::before').content))
  const numbered = await numbers(page.getByRole('main').locator('[data-numbered] > h2'))
  expect(numbered.length).toBeGreaterThan(4)
  for (const number of [...numbered, ...(await numbers(contents.getByRole('link')))])
    expect(number).toMatch(/^counter\(part\) /)
  await page.goto('/refunds')
  await expect(
    page.getByRole('heading', { name: 'Labels that could not be created' }),
  ).toBeVisible()
  await expect(contents).toBeHidden()
})

test('a message to support stays while its writer signs in in another tab', async ({
  page,
  baseURL,
}) => {
  const { user, token } = await clientFor(baseURL!).register('Dana Cole')
  await page.goto('/contact')
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('My labels do not print')
  const other = await page.context().newPage()
  await other.goto('/help')
  await other.evaluate(value => localStorage.setItem('evenpost.token', value), token)
  await expect(page.getByText(`From Dana Cole, ${user.email}`)).toBeVisible()
  await expect(message).toHaveValue('My labels do not print')
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
  const topic = page.getByRole('combobox', { name: 'Topic' })
  await expect(topic).toHaveValue('account')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Message is required')).toBeVisible()
  await topic.selectOption('Payment')
  await expect(
    page.getByText('Include the invoice number, the amount and the day you paid.'),
  ).toBeVisible()
  await topic.selectOption('Account')
  const message = `Why? ${crypto.randomUUID()}`
  await fill(page, { Name: 'Dana Cole', Email: user.email, Message: message })
  await page.getByRole('button', { name: 'Send message' }).dblclick()
  await expect(page.getByText('Message sent. We will reply by email.')).toBeVisible()
  expect(await supportMail(message)).toMatchObject({
    subject: '[Evenpost support] Account: My account is blocked',
  })
})
