import { Drawer, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link, NavLink } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { IconButton } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import type { NavItem } from './nav-items.ts'
import { texts } from './texts.ts'
import styles from './Sidebar.module.css'

type SidebarProps = {
  /** Where the logo leads. */
  home: string
  navItems: readonly NavItem[]
}

/** 200 px with words, 50 px with icons whose names are tooltips (specification, 9). */
export function Sidebar({ open, home, navItems }: SidebarProps & { open: boolean }) {
  return (
    <nav className={styles.sidebar} data-open={open || undefined} aria-label={texts.navigation}>
      <HomeLink to={home} compact={!open} />
      <NavList places={navItems} compact={!open} />
    </nav>
  )
}

type SidebarDrawerProps = SidebarProps & {
  opened: boolean
  onClose: () => void
  /** As wide as the sidebar. */
  narrow: boolean
}

/** The same over a dimmed page, in narrow windows. Going somewhere closes it. */
export function SidebarDrawer({ opened, onClose, home, navItems, narrow }: SidebarDrawerProps) {
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      lockScroll={false}
      classNames={{ content: styles.drawer }}
      size={narrow ? 'var(--sidebar-open)' : 'var(--drawer)'}
      transitionProps={{ duration: 200 }}
    >
      <Drawer.Overlay className={styles.veil} />
      <Drawer.Content aria-label={texts.navigation}>
        <div className={styles.drawerHead}>
          <HomeLink to={home} compact={false} onGo={onClose} />
          <IconButton large name={texts.closeNavigation} tooltip={false} onClick={onClose}>
            <IconX aria-hidden="true" />
          </IconButton>
        </div>
        <nav aria-label={texts.navigation}>
          <NavList places={navItems} compact={false} onGo={onClose} />
        </nav>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function HomeLink({ to, compact, onGo }: { to: string; compact: boolean; onGo?: () => void }) {
  return (
    <Link to={to} className={styles.home} onClick={onGo}>
      <Logo name={PRODUCT} compact={compact} />
    </Link>
  )
}

function NavList({
  places,
  compact,
  onGo,
}: {
  places: readonly NavItem[]
  compact: boolean
  onGo?: () => void
}) {
  return (
    <ul className={styles.list}>
      {places.map(({ path, title, icon: Icon, group }, at) => (
        <li
          key={path}
          className={at > 0 && places[at - 1]?.group !== group ? styles.ruled : undefined}
        >
          <Tooltip label={title} position="right" disabled={!compact}>
            <NavLink to={path} className={styles.entry} onClick={onGo}>
              <Icon aria-hidden="true" stroke={1.75} />
              <span className={compact ? 'visually-hidden' : undefined}>{title}</span>
            </NavLink>
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}
