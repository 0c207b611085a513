/** The places of the user area in the order of the sidebar (specification, 2), as one list for sidebar and header. */
import {
  IconAddressBook,
  IconBarcode,
  IconFlask,
  IconLayoutDashboard,
  IconList,
  IconPackages,
  IconShieldCog,
  IconStack2,
  IconTag,
  IconUserPlus,
  IconWallet,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { Role } from '#contract/accounts.ts'
import { texts } from './texts.ts'

export type NavItem = {
  path: string
  title: string
  icon: Icon
  /** A thin rule stands before the first place of a group. */
  group: 'home' | 'orders' | 'stock' | 'people' | 'admin'
  /** Who has the entry (specification, 6); everybody where nothing is said. */
  roles?: readonly Role[]
}

const t = texts.navItems

export const NAV_ITEMS: readonly NavItem[] = [
  { path: '/main/dashboard', title: t.dashboard, icon: IconLayoutDashboard, group: 'home' },
  { path: '/main/order-label', title: t.orderLabel, icon: IconTag, group: 'orders' },
  { path: '/main/bulk-order', title: t.bulkOrder, icon: IconStack2, group: 'orders' },
  { path: '/main/orders', title: t.orders, icon: IconList, group: 'orders' },
  { path: '/main/batch-orders', title: t.batchOrders, icon: IconPackages, group: 'orders' },
  { path: '/main/deposit', title: t.deposit, icon: IconWallet, group: 'stock' },
  { path: '/main/address', title: t.address, icon: IconAddressBook, group: 'stock' },
  { path: '/main/sku', title: t.skus, icon: IconBarcode, group: 'stock' },
  {
    path: '/main/invite',
    title: t.invites,
    icon: IconUserPlus,
    group: 'people',
    roles: ['friend', 'admin'],
  },
  { path: '/main/demo', title: t.demo, icon: IconFlask, group: 'people' },
  {
    path: '/admin/dashboard',
    title: t.admin,
    icon: IconShieldCog,
    group: 'admin',
    roles: ['admin'],
  },
]

/** Pages that are reached from elsewhere than the sidebar. */
const UNLISTED_TITLES: Record<string, string> = {
  '/main/account': texts.account,
  '/main/wallet': texts.statement,
}

/** Whether a place is for users of that role. */
export const isVisibleTo =
  (role: Role) =>
  ({ roles }: Pick<NavItem, 'roles'>): boolean =>
    !roles || roles.includes(role)

/** The header's title for a path; a trailing slash is the same place. Unknown paths: `otherwise` (specification, 2: 'Welcome'). */
export function pageTitleFor(pathname: string, otherwise: string): string {
  const path = pathname.replace(/\/+$/, '')
  return NAV_ITEMS.find(place => place.path === path)?.title ?? UNLISTED_TITLES[path] ?? otherwise
}
