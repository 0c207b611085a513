/** The pages of the user area in the order of the sidebar, for sidebar and header. */
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
  /** A thin rule separates groups. */
  group: 'home' | 'orders' | 'stock' | 'people' | 'admin'
  /** Undefined: for all roles. */
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

/** Pages that are not in the sidebar. */
const UNLISTED_TITLES: Record<string, string> = {
  '/main/account': texts.account,
  '/main/wallet': texts.statement,
}

export const isVisibleTo =
  (role: Role) =>
  ({ roles }: Pick<NavItem, 'roles'>): boolean =>
    !roles || roles.includes(role)

/** The header's title for a path, with or without a trailing slash; `fallback` for an unknown path. */
export function pageTitleFor(pathname: string, fallback: string): string {
  const path = pathname.replace(/\/+$/, '')
  return NAV_ITEMS.find(item => item.path === path)?.title ?? UNLISTED_TITLES[path] ?? fallback
}
