/** The places of the user area in the order of the sidebar (specification, 2), as one list for sidebar and header. */
import {
  IconAddressBook, IconBarcode, IconFlask, IconLayoutDashboard, IconList, IconPackages, IconShieldCog, IconStack2, IconTag, IconUserPlus,
  IconWallet,
} from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { Role } from '#contract/accounts.ts'

export type Place = {
  path: string
  title: string
  icon: Icon
  /** A thin rule stands before the first place of a group. */
  group: 'home' | 'orders' | 'stock' | 'people' | 'admin'
  /** Who has the entry (specification, 6); everybody where nothing is said. */
  roles?: readonly Role[]
}

export const PLACES: readonly Place[] = [
  { path: '/main/dashboard', title: 'Dashboard', icon: IconLayoutDashboard, group: 'home' },
  { path: '/main/order-label', title: 'Order Label', icon: IconTag, group: 'orders' },
  { path: '/main/bulk-order', title: 'Bulk Order', icon: IconStack2, group: 'orders' },
  { path: '/main/orders', title: 'Orders', icon: IconList, group: 'orders' },
  { path: '/main/batch-orders', title: 'Batch Orders', icon: IconPackages, group: 'orders' },
  { path: '/main/deposit', title: 'Deposit', icon: IconWallet, group: 'stock' },
  { path: '/main/address', title: 'Address', icon: IconAddressBook, group: 'stock' },
  { path: '/main/sku', title: 'SKU Management', icon: IconBarcode, group: 'stock' },
  { path: '/main/invite', title: 'Invites', icon: IconUserPlus, group: 'people', roles: ['friend', 'admin'] },
  { path: '/main/demo', title: 'Modal Demo', icon: IconFlask, group: 'people' },
  { path: '/admin/dashboard', title: 'Admin Panel', icon: IconShieldCog, group: 'admin', roles: ['admin'] },
]

/** Pages that are reached from elsewhere than the sidebar. */
const ELSEWHERE: Record<string, string> = {
  '/main/account': 'Account',
  '/main/wallet': 'Wallet statement',
}

/** Whether a place is for users of that role. */
export const isFor = (role: Role) => ({ roles }: Pick<Place, 'roles'>): boolean => !roles || roles.includes(role)

/** The header's title for a path; a trailing slash is the same place. Unknown paths: `otherwise` (specification, 2: 'Welcome'). */
export function titleOf(pathname: string, otherwise: string): string {
  const path = pathname.replace(/\/+$/, '')
  return PLACES.find(place => place.path === path)?.title ?? ELSEWHERE[path] ?? otherwise
}
