import { expect } from '@playwright/test'
import { createInspector } from './accessibility-checks.ts'
import { test as customer, visitorTest as test } from './customer-fixture.ts'
import { intercept } from './intercept.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('Get Started wobbles and leads to the registration, and so does Start Shipping Today', async ({
  page,
}) => {
  await page.goto('/')
  const start = page.getByRole('link', { name: 'Get Started' })
  const watch = await start.evaluateHandle(link => ({
    name: new Promise<string>(done => {
      link.addEventListener(
        'animationstart',
        event => done((event as AnimationEvent).animationName),
        { once: true },
      )
    }),
  }))
  const wobbled = watch.evaluate(({ name }) => name)
  await start.click()
  expect(await wobbled).toContain('wobble')
  await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible()
  // A section that arrives moves its links, and a slow machine may move one between press and release.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goBack()
  await expect(start).toHaveAttribute('data-wobbles', '')
  await page.getByRole('link', { name: 'Start Shipping Today' }).click()
  await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible()
})

test('at most one answer is open, and a click on the open one closes it', async ({ page }) => {
  // The animation of a section would move its questions between mouse down and mouse up.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const questions = page.getByRole('region', { name: 'Frequently Asked Questions' })
  const openOnes = questions.locator('details[open]')
  await expect(openOnes).toHaveCount(0)
  const asked = questions.locator('summary')
  await expect(asked).toHaveCount(3)
  await asked.nth(0).click()
  await asked.nth(2).click()
  await expect(openOnes).toHaveCount(1)
  await expect(questions.getByText('30 days to ask for your money back')).toBeVisible()
  await asked.nth(2).click()
  await expect(openOnes).toHaveCount(0)
})

test('the text is there while the picture behind it loads, and a spinner turns', async ({
  page,
}) => {
  const released = Promise.withResolvers<void>()
  await intercept(page, '**/backdrop-*.svg', async route => {
    await released.promise
    await route.continue()
  })
  await page.goto('/', { waitUntil: 'commit' })
  const backdrop = page.locator('[data-backdrop]')
  const ring = backdrop.locator('+ span')
  await expect(ring).toBeVisible()
  await expect(backdrop).toHaveCSS('opacity', '0')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    /A feather. An anvil. Same price./,
  )
  released.resolve()
  await expect(ring).toBeHidden()
  await expect(backdrop).toHaveCSS('opacity', '1')
  await expect(backdrop).toHaveCSS('transition-duration', '1s')
  await expect(backdrop).toHaveCSS('transition-delay', '0.1s')
})

test('the links of the header go to the sections, which animate as they come into view', async ({
  page,
}) => {
  await page.goto('/')
  const voices = page.getByRole('region', { name: 'What Our Customers Say' })
  await expect(voices).not.toHaveAttribute('data-arrives', 'now')
  const sections = {
    'How It Works': 'How It Works',
    FAQ: 'Frequently Asked Questions',
    Pricing: 'Clear Pricing No Hidden Fees',
  }
  for (const [link, name] of Object.entries(sections)) {
    await page.getByRole('banner').getByRole('link', { name: link, exact: true }).click()
    await expect(page.getByRole('heading', { name, exact: true })).toBeInViewport()
  }
  // As a person scrolls: a jump past the lower half of the window animates nothing.
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 100)
        // Two frames: on a slow machine several scrolls would be drawn as one.
        await page.evaluate(
          () => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))),
        )
        return voices.getAttribute('data-arrives')
      },
      { intervals: [100] },
    )
    .toBe('now')
})

test('the slider changes the weight and never the price', async ({ page }) => {
  await page.goto('/')
  const slider = page.getByRole('slider', { name: 'Weight in pounds' })
  const chart = page.getByRole('region', { name: 'Clear Pricing No Hidden Fees' }).locator('figure')
  await expect(chart.getByText('20 lb · $6.50')).toBeVisible()
  await slider.focus()
  await page.keyboard.press('Home')
  await expect(chart.getByText('1 lb · $6.50')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(chart.getByText('2 lb · $6.50')).toBeVisible()
  await expect(slider).toHaveAttribute('aria-valuetext', '2 lb: $6.50')
})

test('what is typed and sent before the application has loaded is neither lost nor in the URL', async ({
  page,
}) => {
  const released = Promise.withResolvers<void>()
  await intercept(page, '**/assets/main-*.js', async route => {
    await released.promise
    await route.continue()
  })
  await page.goto('/login')
  await page.getByLabel('Email').fill('unknown@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  const button = page.getByRole('button', { name: 'Login', exact: true })
  await button.click()
  const form = page.locator('form[data-early]')
  await expect(form).toHaveAttribute('data-early', 'submitted')
  await expect(button, 'it shows that it waits').toHaveCSS('cursor', 'progress')
  released.resolve()
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password')
  await expect(page.getByLabel('Email')).toHaveValue('unknown@example.com')
  await expect(form).toHaveCount(0)
  expect(page.url()).toMatch(/\/login$/)
})

test('what is typed and sent early is not lost where a password manager has changed the form', async ({
  browser,
  baseURL,
}) => {
  // A page of its own: React reports that it renders the page again.
  const page = await browser.newPage({ baseURL })
  const released = Promise.withResolvers<void>()
  await intercept(page, '**/assets/main-*.js', async route => {
    await released.promise
    await route.continue()
  })
  await page.goto('/login')
  await page.evaluate(() => {
    for (const field of document.querySelectorAll('input'))
      field.after(document.createElement('div'))
  })
  await page.getByLabel('Email').fill('unknown@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  released.resolve()
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password')
  await expect(page.getByLabel('Email')).toHaveValue('unknown@example.com')
  await page.close()
})

test('what is sent before any script has arrived needs no further touch', async ({ page }) => {
  // The page never counts as loaded, so the latest start is never reached.
  await page.addInitScript(() =>
    addEventListener('load', event => event.stopImmediatePropagation()),
  )
  const released = Promise.withResolvers<void>()
  await intercept(page, '**/assets/*.js', async route => {
    await released.promise
    await route.continue()
  })
  await page.goto('/login', { waitUntil: 'commit' })
  const form = page.locator('form[data-early]')
  await expect(form).toHaveAttribute('data-early', '')
  await page.getByLabel('Email').fill('unknown@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(form).toHaveAttribute('data-early', 'submitted')
  released.resolve()
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password')
})

test('on a slow device, no key is lost while the form comes to life', async ({ page }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  await page.goto('/register', { waitUntil: 'commit' })
  const typed = { Name: 'Dana Cole and daughters, Austin', Email: 'dana.cole@example.com' }
  for (const [name, value] of Object.entries(typed)) {
    await page.getByRole('textbox', { name, exact: true }).focus()
    await page.keyboard.type(value, { delay: 20 })
  }
  await expect(page.locator('form[data-early]')).toHaveCount(0)
  for (const [name, value] of Object.entries(typed))
    await expect(page.getByRole('textbox', { name, exact: true })).toHaveValue(value)
})

test('when the application cannot be loaded, the form says so and offers to reload', async ({
  page,
}) => {
  let isBroken = true
  await intercept(page, '**/assets/main-*.js', route =>
    isBroken ? route.abort() : route.continue(),
  )
  await page.goto('/login')
  await page.getByLabel('Email').fill('unknown@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  const button = page.getByRole('button', { name: 'Login', exact: true })
  await button.click()
  await expect(page.getByRole('alert')).toContainText('We couldn’t load everything this page needs')
  await expect(page.getByLabel('Email')).toHaveValue('unknown@example.com')
  isBroken = false
  await page.getByRole('link', { name: 'Reload the page' }).click()
  await page.getByLabel('Email').fill('unknown@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-the-password')
  await button.click()
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password')
})

test('only the landing page has links to sections; the sign-in page leads back to it', async ({
  page,
}) => {
  await page.goto('/login')
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: 'Register' })).toBeVisible()
  await expect(banner.getByRole('link', { name: 'Pricing' })).toHaveCount(0)
  await banner.getByRole('link', { name: 'Evenpost' }).click()
  await expect(banner.getByRole('link', { name: 'Pricing' })).toBeVisible()
  await expect(page).toHaveTitle(/^Evenpost: /)
})

test('the theme chosen here applies to the next page', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Switch to dark theme' }).click()
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: 'Login' }).click()
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the whole page can be read, and every link works', async ({ page }) => {
    const date = await (await page.goto('/'))!.headerValue('date')
    for (const name of [
      'How It Works',
      'Why Choose Us',
      'Clear Pricing No Hidden Fees',
      'Frequently Asked Questions',
      'What Our Customers Say',
      'Ready to Ship Your Goods',
    ]) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
    }
    await expect(page.getByText(`© ${new Date(date!).getFullYear()} Evenpost`)).toBeVisible()
    await expect(page.locator('[data-backdrop]')).toHaveCSS('opacity', '1')
    await page.getByRole('link', { name: 'Get Started' }).click()
    await expect(page).toHaveURL(/\/register$/)
  })

  test('a form leads back to its page, which says why', async ({ page }) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page.getByRole('heading', { name: 'Welcome Back!' })).toBeVisible()
    await expect(page.locator('noscript')).toBeInViewport()
  })
})

test.describe('a visitor who prefers reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('is taken to the registration at once', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started' }).click()
    await expect(page.getByRole('heading', { name: 'Create an Account' })).toBeVisible()
  })
})

test('nothing is cut off sideways, and the page is accessible in light and dark on every screen', async ({
  page,
}) => {
  await page.goto('/')
  await expect(page.locator('[data-backdrop]')).toHaveCSS('opacity', '1')
  const { look, found } = createInspector(page)
  await look('landing page')
  expect(found).toEqual([])
})

customer('a signed-in user finds the way back to the dashboard', async ({ page }) => {
  await page.goto('/')
  const banner = page.getByRole('banner')
  await expect(banner.getByRole('link', { name: 'Register' })).toBeHidden()
  await banner.getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})
