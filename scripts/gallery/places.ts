/** What the gallery shows: one line a page or state. */
import type { Page } from '@playwright/test'
import type { Viewer } from './site.ts'

export type Place = {
  name: string
  path: string
  /** Default: the seller. */
  as?: Viewer
  /** What is done on the page before the picture. */
  act?: (page: Page) => Promise<void>
  /** Calls to this path fail ('/api/orders/'). */
  failing?: string
  /** Calls to this path never answer. */
  pending?: string
}

const press =
  (name: string | RegExp, exact = false) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact }).first().click()

/** A file of the bulk page with a row that is right and one that is not. */
const uploadRows = async (page: Page): Promise<void> => {
  const header =
    'FROM NAME,FROM COMPANY,FROM PHONE,FROM ADDRESS 1,FROM ADDRESS 2,FROM CITY,FROM STATE,FROM ZIP,'
    + 'TO NAME,TO COMPANY,TO PHONE,TO ADDRESS 1,TO ADDRESS 2,TO CITY,TO STATE,TO ZIP,LENGTH,WIDTH,HEIGHT,WEIGHT'
  const from = 'Mason Trading,,,100 Congress Ave,,Austin,TX,78701'
  const lines = Array.from({ length: 12 }, (_, n) =>
    [
      from,
      `Receiver ${n + 1},,,${n + 1} Olive Ave,,Fresno,CA,${n === 3 ? '' : '93701'},9,6,3,1.5`,
    ].join(','),
  )
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'orders.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([header, ...lines].join('\n')),
    })
  await page
    .getByText(/Receiver 2\b/)
    .first()
    .waitFor()
}

async function openLabel(page: Page): Promise<void> {
  await page.locator('a[href^="/main/orders/"]').first().click()
  await page.getByRole('heading', { name: /^Label for/ }).waitFor()
}

/** The list of users with the seeded seller alone. */
const USERS_SEARCH = '/admin/user-management?search=seller1@example.com'

const viewAccount =
  (part?: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^More actions/ }).click()
    await page.getByRole('menuitem', { name: 'View account' }).click()
    const parts = page.getByRole('navigation', { name: 'Parts of the account' })
    await parts.waitFor()
    if (part) await parts.getByRole('link', { name: part, exact: true }).click()
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.waitForLoadState('networkidle')
  }

export const PLACES: readonly Place[] = [
  { name: 'Landing', path: '/', as: 'visitor' },
  { name: 'Login', path: '/login', as: 'visitor' },
  { name: 'Login, fields empty', path: '/login', as: 'visitor', act: press('Login', true) },
  { name: 'Register', path: '/register', as: 'visitor' },
  { name: 'Forgot password', path: '/forgot-password', as: 'visitor' },
  { name: 'Not found', path: '/nowhere', as: 'visitor' },
  { name: 'Onboarding', path: '/onboarding', as: 'newcomer' },
  { name: 'Dashboard', path: '/main/dashboard' },
  { name: 'Dashboard, new account', path: '/main/dashboard', as: 'newcomer' },
  { name: 'Dashboard, loading', path: '/main/dashboard', pending: '/api/orders/' },
  { name: 'Order Label', path: '/main/order-label' },
  {
    name: 'Order Label, fields empty',
    path: '/main/order-label',
    as: 'newcomer',
    act: press('Order Label', true),
  },
  { name: 'Bulk Order', path: '/main/bulk-order' },
  { name: 'Bulk Order, rows', path: '/main/bulk-order', act: uploadRows },
  { name: 'Orders', path: '/main/orders' },
  { name: 'Orders, menu', path: '/main/orders', act: press(/^More actions/) },
  { name: 'Orders, one label', path: '/main/orders', act: openLabel },
  { name: 'Orders, no such label', path: '/main/orders/999999' },
  { name: 'Orders, new account', path: '/main/orders', as: 'newcomer' },
  { name: 'Orders, loading', path: '/main/orders', pending: '/api/orders/' },
  { name: 'Orders, failed to load', path: '/main/orders', failing: '/api/orders/' },
  { name: 'Batch Orders', path: '/main/batch-orders' },
  { name: 'Batch Orders, menu', path: '/main/batch-orders', act: press(/^More actions/) },
  { name: 'Batch Orders, new account', path: '/main/batch-orders', as: 'newcomer' },
  { name: 'Deposit', path: '/main/deposit' },
  { name: 'Deposit, new account', path: '/main/deposit', as: 'newcomer' },
  { name: 'Wallet statement', path: '/main/wallet' },
  { name: 'Address', path: '/main/address' },
  { name: 'Address, new account', path: '/main/address', as: 'newcomer' },
  { name: 'Address, add', path: '/main/address', act: press('Add Address') },
  { name: 'Address, edit', path: '/main/address', act: press('Edit') },
  { name: 'Address, failed to load', path: '/main/address', failing: '/api/auth/get-address/' },
  { name: 'SKU', path: '/main/sku' },
  { name: 'SKU, edit', path: '/main/sku', act: press('Edit') },
  { name: 'SKU, delete', path: '/main/sku', act: press('Delete') },
  { name: 'SKU, new account', path: '/main/sku', as: 'newcomer' },
  { name: 'Invites', path: '/main/invite' },
  { name: 'Invites, no invites', path: '/main/invite', as: 'newcomer' },
  { name: 'Modal Demo', path: '/main/demo' },
  { name: 'Account', path: '/main/account' },
  { name: 'Welcome', path: '/main/nowhere' },
  { name: 'Account menu', path: '/main/dashboard', act: press('Account menu') },
  { name: 'Admin dashboard', path: '/admin/dashboard', as: 'admin' },
  { name: 'Users', path: '/admin/user-management', as: 'admin' },
  { name: 'Users, edit', path: '/admin/user-management', as: 'admin', act: press('Edit') },
  { name: 'User account', path: USERS_SEARCH, as: 'admin', act: viewAccount() },
  {
    name: 'User account, orders',
    path: USERS_SEARCH,
    as: 'admin',
    act: viewAccount('Orders'),
  },
  {
    name: 'User account, services',
    path: USERS_SEARCH,
    as: 'admin',
    act: viewAccount('Services and prices'),
  },
  { name: 'Labels of all users', path: '/admin/order-label-management', as: 'admin' },
  { name: 'Referral management', path: '/admin/referral-management', as: 'admin' },
  { name: 'Default services', path: '/admin/default-services', as: 'admin' },
  { name: 'Audit', path: '/admin/audit', as: 'admin' },
  { name: 'Audit, calendar', path: '/admin/audit', as: 'admin', act: press('Open calendar') },
  { name: 'Admin, not found', path: '/admin/nowhere', as: 'admin' },
]
