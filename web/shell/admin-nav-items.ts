/** The admin pages in the order of the sidebar. */
import {
  IconAdjustmentsDollar,
  IconArrowBackUp,
  IconClipboardList,
  IconGift,
  IconGauge,
  IconScale,
  IconTags,
  IconUsers,
} from '@tabler/icons-react'
import type { NavItem, PageLayout } from './nav-items.ts'
import { texts } from './texts.ts'

const t = texts.adminNavItems

export const ADMIN_NAV_ITEMS: readonly NavItem[] = [
  {
    path: '/admin/dashboard',
    title: t.dashboard,
    layout: 'table',
    icon: IconGauge,
    group: 'home',
  },
  {
    path: '/admin/user-management',
    title: t.users,
    layout: 'table',
    icon: IconUsers,
    group: 'people',
  },
  {
    path: '/admin/order-label-management',
    title: t.labels,
    layout: 'table',
    icon: IconTags,
    group: 'people',
  },
  {
    path: '/admin/referral-management',
    title: t.referrals,
    icon: IconGift,
    group: 'people',
  },
  {
    path: '/admin/default-services',
    title: t.services,
    icon: IconAdjustmentsDollar,
    group: 'admin',
  },
  {
    path: '/admin/adjustments',
    title: t.adjustments,
    layout: 'table',
    icon: IconScale,
    group: 'admin',
  },
  {
    path: '/admin/audit',
    title: t.audit,
    layout: 'table',
    icon: IconClipboardList,
    group: 'admin',
  },
  { path: '/main/dashboard', title: t.back, icon: IconArrowBackUp, group: 'orders' },
]

const adminPageAt = (pathname: string): NavItem | undefined =>
  ADMIN_NAV_ITEMS.find(({ path }) => `${pathname}/`.startsWith(`${path}/`))

/** The title of the page at `pathname` or above it; null for an unknown path. */
export const adminPageTitleFor = (pathname: string): string | null =>
  adminPageAt(pathname)?.title ?? null

/** The page behind one label is read, not scanned: a column of facts beside a column of events. */
const LABEL_DETAILS = /^\/admin\/order-label-management\/[^/]+/

export const adminPageLayoutFor = (pathname: string): PageLayout =>
  LABEL_DETAILS.test(pathname) ? 'form' : (adminPageAt(pathname)?.layout ?? 'form')
