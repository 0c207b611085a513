/** The parts of an account that an administrator can look at, and their paths. */
import { accountLookPath } from '#web/accounts/admin/users/UserActions.tsx'

export const LOOK_PARTS = [
  'dashboard',
  'orders',
  'batches',
  'wallet',
  'deposits',
  'services',
  'addresses',
  'skus',
] as const
export type LookPart = (typeof LOOK_PARTS)[number]

export const lookPath = (userId: string, part: LookPart): string =>
  accountLookPath(userId, part === 'dashboard' ? undefined : part)

/** `part`: of the path; undefined is the dashboard. Null for an unknown one. */
export const lookPartOf = (part: string | undefined): LookPart | null =>
  LOOK_PARTS.find(each => each === (part ?? 'dashboard')) ?? null

const PART_OF_PAGE: Record<string, LookPart> = {
  '/main/dashboard': 'dashboard',
  '/main/orders': 'orders',
  '/main/batch-orders': 'batches',
  '/main/wallet': 'wallet',
  '/main/deposit': 'deposits',
  '/main/address': 'addresses',
  '/main/sku': 'skus',
}

const ORDER_PAGE = /^\/main\/orders\/(\d+)$/

/** Where an administrator finds a page of the user area; null for pages that only act. */
export function pathWhileLooking(userId: string, path: string): string | null {
  const orderId = ORDER_PAGE.exec(path)?.[1]
  if (orderId) return `/admin/order-label-management/${orderId}`
  const part = PART_OF_PAGE[path]
  return part ? lookPath(userId, part) : null
}
