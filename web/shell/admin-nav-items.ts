/** The admin pages in the order of the sidebar. */
import {
  IconAdjustmentsDollar,
  IconArrowBackUp,
  IconClipboardList,
  IconGift,
  IconGauge,
  IconTags,
  IconUsers,
} from '@tabler/icons-react'
import type { NavItem } from './nav-items.ts'
import { texts } from './texts.ts'

const t = texts.adminNavItems

export const ADMIN_NAV_ITEMS: readonly NavItem[] = [
  { path: '/admin/dashboard', title: t.dashboard, icon: IconGauge, group: 'home' },
  { path: '/admin/user-management', title: t.users, icon: IconUsers, group: 'people' },
  {
    path: '/admin/order-label-management',
    title: t.labels,
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
  { path: '/admin/audit', title: t.audit, icon: IconClipboardList, group: 'admin' },
  { path: '/main/dashboard', title: t.back, icon: IconArrowBackUp, group: 'orders' },
]

/** The title of the page at `pathname` or above it; null for an unknown path. */
export const adminPageTitleFor = (pathname: string): string | null =>
  ADMIN_NAV_ITEMS.find(({ path }) => `${pathname}/`.startsWith(`${path}/`))?.title ?? null
