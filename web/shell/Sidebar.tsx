import { Drawer, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link, NavLink } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { IconButton } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import type { Place } from './places.ts'
import { texts } from './texts.ts'
import styles from './Sidebar.module.css'

type What = {
  /** Where the logo leads. */
  home: string
  places: readonly Place[]
}

/** 200 px with words, 50 px with icons whose names are tooltips (specification, 9). */
export function Sidebar({ open, home, places }: What & { open: boolean }) {
  return (
    <nav className={styles.sidebar} data-open={open || undefined} aria-label={texts.navigation}>
      <Home to={home} compact={!open} />
      <Places places={places} compact={!open} />
    </nav>
  )
}

type DrawerProps = What & {
  opened: boolean
  onClose: () => void
  /** As wide as the sidebar. */
  narrow: boolean
}

/** The same over a dimmed page, in narrow windows. Going somewhere closes it. */
export function SidebarDrawer({ opened, onClose, home, places, narrow }: DrawerProps) {
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
          <Home to={home} compact={false} onGo={onClose} />
          <IconButton large name={texts.closeNavigation} tooltip={false} onClick={onClose}>
            <IconX aria-hidden="true" />
          </IconButton>
        </div>
        <nav aria-label={texts.navigation}>
          <Places places={places} compact={false} onGo={onClose} />
        </nav>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Home({ to, compact, onGo }: { to: string; compact: boolean; onGo?: () => void }) {
  return (
    <Link to={to} className={styles.home} onClick={onGo}>
      <Logo name={PRODUCT} compact={compact} />
    </Link>
  )
}

function Places({
  places,
  compact,
  onGo,
}: {
  places: readonly Place[]
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
