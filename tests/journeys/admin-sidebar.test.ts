import { expect } from '@playwright/test'
import { test } from './admin-fixture.ts'
import { USERS } from './admin-users-page.ts'
import { intercept } from './intercept.ts'
import { goTo } from './page-helpers.ts'

test('the frame: ink line, narrow and wide sidebar, the way back, an unknown address', async ({
  page,
}) => {
  await page.goto('/admin/nowhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'This page doesn’t exist.' })).toBeVisible()
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  const width = async () => (await sidebar.boundingBox())?.width
  await expect.poll(width).toBe(200)
  await page.getByRole('button', { name: 'Toggle sidebar' }).click()
  await expect.poll(width).toBe(50)
  await goTo(page, 'Audit', 'Admin Panel')
  await expect(page).toHaveTitle(/^Audit · Admin Panel · /)
  await goTo(page, 'Back to Dashboard', 'Dashboard')
})

test('the address of the panel in the user area leads to it, also where a chat widget is configured', async ({
  page,
}) => {
  await intercept(page, '**/main/admin', async route => {
    const response = await route.fetch()
    const text = await response.text()
    const withWidget = text.replace('</head>', '<script data-widget></script></head>')
    await route.fulfill({ response, body: withWidget })
  })
  await page.goto('/main/admin')
  await expect(page).toHaveURL('/admin/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible()
})

test.describe('in a window below 1024 px', () => {
  test.use({ viewport: { width: 900, height: 800 } })
  test('the sidebar lies over the dimmed page when it is opened', async ({ page }) => {
    await page.goto(USERS)
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await page.getByRole('button', { name: 'Toggle sidebar' }).click()
    const drawer = page.getByRole('dialog', { name: 'Main' })
    await expect(drawer).toBeVisible()
    await expect.poll(async () => (await drawer.boundingBox())?.width).toBe(200)
    await drawer.getByRole('link', { name: 'Referral Management' }).click()
    await expect(drawer).toBeHidden()
    await expect(page).toHaveURL(/referral-management/)
  })
})
