/** The places of the user area in the order of the sidebar (specification, 2), as one list for sidebar and header. */
import { IconAddressBook, IconLayoutDashboard, IconList, IconPackages, IconStack2, IconTag, IconWallet } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'

export type Place = {
  path: string
  title: string
  icon: Icon
  /** A thin rule stands before the first place of a group. */
  group: 'home' | 'orders' | 'money'
}

export const PLACES: Place[] = [
  { path: '/main/dashboard', title: 'Dashboard', icon: IconLayoutDashboard, group: 'home' },
  { path: '/main/order-label', title: 'Order Label', icon: IconTag, group: 'orders' },
  { path: '/main/bulk-order', title: 'Bulk Order', icon: IconStack2, group: 'orders' },
  { path: '/main/orders', title: 'Orders', icon: IconList, group: 'orders' },
  { path: '/main/batch-orders', title: 'Batch Orders', icon: IconPackages, group: 'orders' },
  { path: '/main/deposit', title: 'Deposit', icon: IconWallet, group: 'money' },
  { path: '/main/address', title: 'Address', icon: IconAddressBook, group: 'money' },
]

/** The header's title for a path; a trailing slash is the same place. Unknown paths: 'Welcome'. */
export const titleOf = (pathname: string, otherwise: string): string =>
  PLACES.find(({ path }) => path === pathname.replace(/\/+$/, ''))?.title ?? otherwise
