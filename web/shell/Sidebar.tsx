import { Drawer, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link, NavLink, useLocation } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { IconButton } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { leadsToPage } from './nav-items.ts'
import type { NavItem } from './nav-items.ts'
import { texts } from './texts.ts'
import styles from './Sidebar.module.css'

type SidebarProps = {
  /** The path of the logo's link. */
  home: string
  navItems: readonly NavItem[]
}

/** 200 px with titles, 50 px with icons and tooltips. */
export function Sidebar({ open, home, navItems }: SidebarProps & { open: boolean }) {
  return (
    <nav className={styles.sidebar} data-open={open || undefined} aria-label={texts.navigation}>
      <HomeLink to={home} compact={!open} />
      <NavList items={navItems} compact={!open} />
    </nav>
  )
}

type SidebarDrawerProps = SidebarProps & {
  opened: boolean
  onClose: () => void
}

/** The open sidebar over a dimmed page, in narrow windows. A click on a link closes it. */
export function SidebarDrawer({ opened, onClose, home, navItems }: SidebarDrawerProps) {
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      lockScroll={false}
      classNames={{ content: styles.drawer }}
      size="var(--sidebar-open)"
      transitionProps={{ duration: 200 }}
    >
      <Drawer.Overlay className={styles.veil} />
      <Drawer.Content aria-label={texts.navigation}>
        <div className={styles.drawerHead}>
          <HomeLink to={home} compact={false} onNavigate={onClose} />
          <IconButton large name={texts.closeNavigation} tooltip={false} onClick={onClose}>
            <IconX aria-hidden="true" />
          </IconButton>
        </div>
        <nav aria-label={texts.navigation}>
          <NavList items={navItems} compact={false} onNavigate={onClose} />
        </nav>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function HomeLink({
  to,
  compact,
  onNavigate,
}: {
  to: string
  compact: boolean
  onNavigate?: () => void
}) {
  return (
    <Link to={to} className={styles.home} onClick={onNavigate}>
      <Logo name={PRODUCT} compact={compact} />
    </Link>
  )
}

function NavList({
  items,
  compact,
  onNavigate,
}: {
  items: readonly NavItem[]
  compact: boolean
  onNavigate?: () => void
}) {
  const { pathname } = useLocation()
  return (
    <ul className={styles.list}>
      {items.map((item, at) => {
        const { path, title, icon: Icon, group } = item
        const entry = { to: path, className: styles.entry, onClick: onNavigate }
        const content = (
          <>
            <Icon aria-hidden="true" stroke={1.75} />
            <span className={compact ? 'visually-hidden' : undefined}>{title}</span>
          </>
        )
        return (
          <li
            key={path}
            className={at > 0 && items[at - 1]?.group !== group ? styles.ruled : undefined}
          >
            <Tooltip label={title} position="right" disabled={!compact}>
              {leadsToPage(item, pathname) ? (
                <Link {...entry} aria-current="true">
                  {content}
                </Link>
              ) : (
                <NavLink {...entry}>{content}</NavLink>
              )}
            </Tooltip>
          </li>
        )
      })}
    </ul>
  )
}
