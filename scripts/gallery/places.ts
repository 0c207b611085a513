/** What the gallery shows: one line a page or state. */
import type { Page } from '@playwright/test'
import {
  actAsUser,
  actOnRow,
  addAnApp,
  fillForm,
  openAdminLabel,
  openCalendar,
  openLabel,
  openTrackingPage,
  payInvoice,
  press,
  showFailedLabels,
  submitEmpty,
  submitLateRows,
  submitRows,
  typeFirstAddress,
  uploadOwnColumns,
  uploadRows,
  viewAccount,
} from './acts.ts'
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
  /** What is done leaves a part of the page busy. */
  busy?: true
}

/** The list of users with the seeded seller alone. */
const USERS_SEARCH = '/admin/user-management?search=seller1@example.com'

export const PLACES: readonly Place[] = [
  { name: 'Landing', path: '/', as: 'visitor' },
  { name: 'Login', path: '/login', as: 'visitor' },
  { name: 'Login, fields empty', path: '/login', as: 'visitor', act: submitEmpty('Login') },
  { name: 'Register', path: '/register', as: 'visitor' },
  { name: 'Forgot password', path: '/forgot-password', as: 'visitor' },
  { name: 'Reset password', path: '/reset-password#token=sent-by-mail', as: 'visitor' },
  { name: 'Reset password, incomplete link', path: '/reset-password', as: 'visitor' },
  { name: 'API reference', path: '/docs/api', as: 'visitor' },
  { name: 'Help', path: '/help', as: 'visitor' },
  { name: 'Help, answer found', path: '/help?search=test+page', as: 'visitor' },
  { name: 'Help, nothing found', path: '/help?search=drone', as: 'visitor' },
  { name: 'Terms', path: '/terms', as: 'visitor' },
  { name: 'Contact', path: '/contact', as: 'visitor' },
  {
    name: 'Contact, fields empty',
    path: '/contact',
    as: 'visitor',
    act: submitEmpty('Send message'),
  },
  { name: 'Tracking page', path: '/main/orders', act: openTrackingPage },
  { name: 'Tracking page, no such parcel', path: '/track/no-such-parcel', as: 'visitor' },
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
    act: submitEmpty('Order Label'),
  },
  { name: 'Order Label, services compared', path: '/main/order-label', act: fillForm },
  { name: 'Bulk Order', path: '/main/bulk-order' },
  {
    name: 'Bulk Order, match columns',
    path: '/main/bulk-order',
    act: uploadOwnColumns,
    busy: true,
  },
  { name: 'Bulk Order, rows', path: '/main/bulk-order', act: uploadRows },
  {
    name: 'Progress, running',
    path: '/main/bulk-order',
    as: 'buyer',
    act: submitLateRows,
    busy: true,
  },
  { name: 'Progress, done', path: '/main/bulk-order', as: 'buyer', act: submitRows(0) },
  { name: 'Progress, with errors', path: '/main/bulk-order', as: 'buyer', act: submitRows(2) },
  { name: 'Orders', path: '/main/orders' },
  { name: 'Orders, menu', path: '/main/orders', act: press(/^More actions/) },
  { name: 'Orders, one label', path: '/main/orders', act: openLabel },
  { name: 'Orders, no such label', path: '/main/orders/999999' },
  { name: 'Orders, new account', path: '/main/orders', as: 'newcomer' },
  { name: 'Orders, loading', path: '/main/orders', pending: '/api/orders/' },
  { name: 'Orders, failed to load', path: '/main/orders', failing: '/api/orders/' },
  { name: 'Batch Orders', path: '/main/batch-orders' },
  { name: 'Batch Orders, menu', path: '/main/batch-orders', act: press(/^More actions/) },
  { name: 'Batch Orders, failed labels', path: '/main/batch-orders', act: showFailedLabels },
  { name: 'End of day', path: '/main/end-of-day' },
  { name: 'End of day, new account', path: '/main/end-of-day', as: 'newcomer' },
  { name: 'Refunds', path: '/main/refunds' },
  { name: 'Refunds, new account', path: '/main/refunds', as: 'newcomer' },
  { name: 'Batch Orders, new account', path: '/main/batch-orders', as: 'newcomer' },
  { name: 'Deposit', path: '/main/deposit' },
  { name: 'Deposit, new account', path: '/main/deposit', as: 'newcomer' },
  { name: 'Deposit, payment dialog', path: '/main/deposit', as: 'newcomer', act: payInvoice },
  { name: 'Wallet statement', path: '/main/wallet' },
  { name: 'Wallet statement, new account', path: '/main/wallet', as: 'newcomer' },
  { name: 'Address', path: '/main/address' },
  { name: 'Address, new account', path: '/main/address', as: 'newcomer' },
  {
    name: 'Address, new account, half typed',
    path: '/main/address',
    as: 'newcomer',
    act: typeFirstAddress,
  },
  { name: 'Address, add', path: '/main/address', act: press('Add Address') },
  { name: 'Address, edit', path: '/main/address', act: actOnRow('Edit') },
  { name: 'Address, failed to load', path: '/main/address', failing: '/api/auth/get-address/' },
  { name: 'SKU', path: '/main/sku' },
  { name: 'SKU, edit', path: '/main/sku', act: actOnRow('Edit') },
  { name: 'SKU, delete', path: '/main/sku', act: actOnRow('Delete') },
  { name: 'SKU, new account', path: '/main/sku', as: 'newcomer' },
  { name: 'Invites', path: '/main/invite' },
  { name: 'Invites, no invites', path: '/main/invite', as: 'newcomer' },
  { name: 'Modal Demo', path: '/main/demo' },
  { name: 'Account', path: '/main/account' },
  { name: 'Account, change password', path: '/main/account', act: press('Change password') },
  { name: 'Account, tracking pages', path: '/main/account#tracking-pages' },
  { name: 'Account, API keys', path: '/main/account#api-keys' },
  { name: 'Account, create key', path: '/main/account#api-keys', act: press('Create key') },
  { name: 'Account, webhooks', path: '/main/account#webhooks' },
  { name: 'Account, add webhook', path: '/main/account#webhooks', act: press('Add webhook') },
  { name: 'Account, add an app', path: '/main/account#security', as: 'newcomer', act: addAnApp },
  { name: 'Welcome', path: '/main/nowhere' },
  { name: 'Account menu', path: '/main/dashboard', act: press('Account menu') },
  { name: 'Admin dashboard', path: '/admin/dashboard', as: 'admin' },
  { name: 'Users', path: '/admin/user-management', as: 'admin' },
  { name: 'Users, edit', path: '/admin/user-management', as: 'admin', act: actOnRow('Edit') },
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
  {
    name: 'Labels of all users, filtered',
    path: '/admin/order-label-management?batchId=1',
    as: 'admin',
  },
  { name: 'Referral management', path: '/admin/referral-management', as: 'admin' },
  { name: 'Default services', path: '/admin/default-services', as: 'admin' },
  {
    name: 'Default services, price dialog',
    path: '/admin/default-services',
    as: 'admin',
    act: press('Edit prices'),
  },
  { name: 'Adjustments', path: '/admin/adjustments', as: 'admin' },
  {
    name: 'One label of all users',
    path: '/admin/order-label-management',
    as: 'admin',
    act: openAdminLabel,
  },
  { name: 'Acting as a user', path: USERS_SEARCH, as: 'admin', act: actAsUser },
  { name: 'Audit', path: '/admin/audit', as: 'admin' },
  { name: 'Audit, calendar', path: '/admin/audit', as: 'admin', act: openCalendar },
  { name: 'Admin, not found', path: '/admin/nowhere', as: 'admin' },
]
