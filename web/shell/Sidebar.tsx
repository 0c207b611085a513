import { Drawer, Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link, NavLink } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { IconButton } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { PLACES } from './places.ts'
import styles from './Sidebar.module.css'
import { texts } from './texts.ts'

/** 200 px with words, 50 px with icons whose names are tooltips (specification, 9). */
export function Sidebar({ open }: { open: boolean }) {
  return (
    <div className={styles.sidebar} data-open={open || undefined}>
      <Home compact={!open} />
      <Places compact={!open} />
    </div>
  )
}

/** The same over a dimmed page, under 768 px. Going somewhere closes it. */
export function SidebarDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} size="var(--drawer)" transitionProps={{ duration: 200 }}>
      <Drawer.Overlay className={styles.veil} />
      <Drawer.Content className={styles.drawer} aria-label={texts.navigation}>
        <div className={styles.drawerHead}>
          <Home compact={false} />
          <IconButton large name={texts.closeNavigation} tooltip={false} onClick={onClose}><IconX aria-hidden="true" /></IconButton>
        </div>
        <Places compact={false} onGo={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Home({ compact }: { compact: boolean }) {
  return <Link to="/main/dashboard" className={styles.home}><Logo name={PRODUCT} compact={compact} /></Link>
}

function Places({ compact, onGo }: { compact: boolean; onGo?: () => void }) {
  return (
    <nav aria-label={texts.navigation}>
      <ul className={styles.list}>
        {PLACES.map(({ path, title, icon: Icon, group }, at) => (
          <li key={path} className={at > 0 && PLACES[at - 1]?.group !== group ? styles.ruled : undefined}>
            <Tooltip label={title} position="right" disabled={!compact}>
              <NavLink to={path} className={styles.entry} onClick={onGo}>
                <Icon aria-hidden="true" stroke={1.75} />
                <span className={compact ? 'visually-hidden' : undefined}>{title}</span>
              </NavLink>
            </Tooltip>
          </li>
        ))}
      </ul>
    </nav>
  )
}
