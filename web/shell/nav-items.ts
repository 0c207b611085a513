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

/** `table`: as wide as the window up to 1720 px, for lists and charts. `form`: at most 1240 px, centered. */
export type PageLayout = 'table' | 'form'

export type NavItem = {
  path: string
  title: string
  /** `form` when undefined. */
  layout?: PageLayout
  icon: Icon
  /** Pages that only this one leads to: it is marked while they are open. */
  leadsTo?: readonly string[]
  /** A thin rule separates groups. */
  group: 'home' | 'orders' | 'stock' | 'people' | 'admin'
  /** Undefined: for all roles. */
  roles?: readonly Role[]
}

const t = texts.navItems

const DEMO_PATH = '/main/demo'

export const NAV_ITEMS: readonly NavItem[] = [
  {
    path: '/main/dashboard',
    title: t.dashboard,
    layout: 'table',
    icon: IconLayoutDashboard,
    group: 'home',
  },
  { path: '/main/order-label', title: t.orderLabel, icon: IconTag, group: 'orders' },
  {
    path: '/main/bulk-order',
    title: t.bulkOrder,
    layout: 'table',
    icon: IconStack2,
    group: 'orders',
  },
  {
    path: '/main/orders',
    title: t.orders,
    layout: 'table',
    icon: IconList,
    leadsTo: ['/main/refunds', '/main/end-of-day'],
    group: 'orders',
  },
  {
    path: '/main/batch-orders',
    title: t.batchOrders,
    layout: 'table',
    icon: IconPackages,
    leadsTo: ['/main/batch-orders/end-of-day'],
    group: 'orders',
  },
  {
    path: '/main/deposit',
    title: t.deposit,
    icon: IconWallet,
    leadsTo: ['/main/wallet'],
    group: 'stock',
  },
  {
    path: '/main/address',
    title: t.address,
    layout: 'table',
    icon: IconAddressBook,
    group: 'stock',
  },
  { path: '/main/sku', title: t.skus, layout: 'table', icon: IconBarcode, group: 'stock' },
  {
    path: '/main/invite',
    title: t.invites,
    icon: IconUserPlus,
    group: 'people',
    roles: ['friend', 'admin'],
  },
  { path: DEMO_PATH, title: t.demo, icon: IconFlask, group: 'people' },
  {
    path: '/admin/dashboard',
    title: t.admin,
    icon: IconShieldCog,
    group: 'admin',
    roles: ['admin'],
  },
]

/** Pages that are not in the sidebar. */
const UNLISTED_PAGES: readonly Pick<NavItem, 'path' | 'title' | 'layout'>[] = [
  { path: '/main/account', title: texts.account },
  { path: '/main/wallet', title: texts.statement, layout: 'table' },
  { path: '/main/end-of-day', title: t.endOfDay, layout: 'table' },
  { path: '/main/batch-orders/end-of-day', title: t.endOfDay, layout: 'table' },
  { path: '/main/refunds', title: t.refunds, layout: 'table' },
]

/** A page of one order has the title of the list. */
const PAGE_OF_ONE = /^(\/main\/orders)\/[^/]+\/*$/

/** The sidebar of a role. Its entry for the demo is left out when the operator has switched it off. */
export const navItemsFor = (role: Role, withDemo: boolean): NavItem[] =>
  NAV_ITEMS.filter(isVisibleTo(role)).filter(({ path }) => withDemo || path !== DEMO_PATH)

export const isVisibleTo =
  (role: Role) =>
  ({ roles }: Pick<NavItem, 'roles'>): boolean =>
    !roles || roles.includes(role)

/** The page at a path, with or without a trailing slash; undefined for an unknown path. */
const pageAt = (pathname: string) => {
  const path = pathname.replace(/\/+$/, '')
  return [...NAV_ITEMS, ...UNLISTED_PAGES].find(page => page.path === path)
}

/** Whether a page that is not in the sidebar belongs to this entry. */
export const leadsToPage = (
  { leadsTo = [] }: Pick<NavItem, 'leadsTo'>,
  pathname: string,
): boolean => leadsTo.includes(pathname.replace(/\/+$/, ''))

/** The header's title for a path; `fallback` for an unknown path. */
export const pageTitleFor = (pathname: string, fallback: string): string =>
  pageAt(pathname.replace(PAGE_OF_ONE, '$1'))?.title ?? fallback

export const pageLayoutFor = (pathname: string): PageLayout =>
  pageAt(pathname.replace(PAGE_OF_ONE, '$1'))?.layout ?? 'form'
