/** The pages of User Management. */
import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'
import { listRegion } from './page-helpers.ts'

export const USERS = '/admin/user-management'
export const users = (page: Page) => listRegion(page, 'User Management')

/** The list narrowed to one user by typing the address. */
export async function find(page: Page, email: string): Promise<Locator> {
  await page.goto(USERS)
  await page.getByRole('searchbox', { name: 'Search users' }).fill(email)
  await expect(users(page).getByText('1 user', { exact: true }).first()).toBeVisible()
  return page.getByRole('row', { name: email })
}

export async function openMenu(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

export const saving = (page: Page) => page.getByRole('dialog', { name: 'Save these changes?' })
export const discarding = (page: Page) =>
  page.getByRole('dialog', { name: 'Discard your changes?' })
export const discard = (page: Page) =>
  discarding(page).getByRole('button', { name: 'Discard' }).click()
