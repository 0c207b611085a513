/** The places of the administrator in the order of the sidebar (specification, 2: Admin area). */
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

const { adminPlaces } = texts

export const ADMIN_NAV_ITEMS: readonly NavItem[] = [
  { path: '/admin/dashboard', title: adminPlaces.dashboard, icon: IconGauge, group: 'home' },
  { path: '/admin/user-management', title: adminPlaces.users, icon: IconUsers, group: 'people' },
  {
    path: '/admin/order-label-management',
    title: adminPlaces.labels,
    icon: IconTags,
    group: 'people',
  },
  {
    path: '/admin/referral-management',
    title: adminPlaces.referrals,
    icon: IconGift,
    group: 'people',
  },
  {
    path: '/admin/default-services',
    title: adminPlaces.services,
    icon: IconAdjustmentsDollar,
    group: 'admin',
  },
  { path: '/admin/audit', title: adminPlaces.audit, icon: IconClipboardList, group: 'admin' },
  { path: '/main/dashboard', title: adminPlaces.back, icon: IconArrowBackUp, group: 'orders' },
]

/** The name of the place that a path is, or stands below; null for a path that is none. */
export const adminPageTitleFor = (pathname: string): string | null =>
  ADMIN_NAV_ITEMS.find(({ path }) => `${pathname}/`.startsWith(`${path}/`))?.title ?? null
