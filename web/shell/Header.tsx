import { Menu } from '@mantine/core'
import { IconHelpCircle, IconLogout, IconMenu2, IconReceipt, IconUser } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { usePublicSettings } from '#web/client/public-settings.ts'
import { logOut, useSession, useUser } from '#web/client/session.ts'
import { MENU_CLASS_NAMES } from '#web/ui/ActionMenu.tsx'
import { IconButton } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx'
import { leaveOrAsk } from '#web/ui/use-unsaved-changes-guard.ts'
import { Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './Frame.module.css'

type HeaderProps = {
  title: string
  part?: string
  /** Undefined: a page without ways to other pages. */
  sidebar?: { open: boolean; toggle: () => void }
  withBalance: boolean
}

export function Header({ title, part, sidebar, withBalance }: HeaderProps) {
  const balance = useSession(session => session.user?.balance)
  return (
    <header className={styles.header}>
      {sidebar ? (
        <IconButton
          large
          name={texts.toggle}
          tooltip={false}
          aria-expanded={sidebar.open}
          onClick={sidebar.toggle}
        >
          <IconMenu2 aria-hidden="true" />
        </IconButton>
      ) : (
        <Logo name={PRODUCT} compact />
      )}
      <div className={styles.heading}>
        <PageTitle title={title} part={part} product={PRODUCT} className={styles.title} />
        {withBalance && (
          <Link to="/main/wallet" className={styles.pill}>
            <span className={styles.pillName}>{texts.balance}</span>
            {balance === undefined ? (
              <Skeleton width="var(--space-12)" />
            ) : (
              <Money dollars={balance} />
            )}
          </Link>
        )}
      </div>
      <ThemeSwitch />
      {balance === undefined ? (
        <span className={styles.avatar} aria-hidden="true" />
      ) : (
        <AccountMenu withLinks={sidebar !== undefined} />
      )}
    </header>
  )
}

/** 'DC' of 'Dana Cole'; the first two letters of a single name. */
const initials = (name: string): string => {
  const words = name.trim().split(/\s+/)
  const letters =
    words.length > 1
      ? [words[0], words.at(-1)].map(word => [...(word ?? '')][0] ?? '')
      : [...(words[0] ?? '')].slice(0, 2)
  return letters.join('').toUpperCase()
}

function AccountMenu({ withLinks }: { withLinks: boolean }) {
  const { name, email, balance } = useUser()
  const navigate = useNavigate()
  const signOut = () =>
    leaveOrAsk(() => {
      logOut()
      void navigate('/login', { replace: true })
    })
  return (
    <Menu
      position="bottom-end"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ duration: 120 }}
      classNames={MENU_CLASS_NAMES}
    >
      <Menu.Target>
        <button type="button" className={styles.avatar} aria-label={texts.menu}>
          <span className={styles.letters} data-letters={initials(name)} />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label={texts.menu}>
        <Menu.Label className={styles.who}>
          <span>{name}</span>
          <span className={styles.email}>{email}</span>
          <span>
            {texts.balance} <Money dollars={balance} />
          </span>
        </Menu.Label>
        {withLinks && (
          <>
            <Menu.Item
              component={Link}
              to="/main/account"
              leftSection={<IconUser aria-hidden="true" />}
            >
              {texts.account}
            </Menu.Item>
            <Menu.Item
              component={Link}
              to="/main/wallet"
              leftSection={<IconReceipt aria-hidden="true" />}
            >
              {texts.statement}
            </Menu.Item>
          </>
        )}
        <HelpItem />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout aria-hidden="true" />} onClick={signOut}>
          {texts.logout}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The operator's help, or the page to write to support when there is none. */
function HelpItem() {
  const pages = usePublicSettings().data?.support.pages
  const hasHelp = pages?.some(({ slug }) => slug === 'help') ?? true
  return (
    <Menu.Item
      component={Link}
      to={hasHelp ? '/help' : '/contact'}
      leftSection={<IconHelpCircle aria-hidden="true" />}
    >
      {texts.help}
    </Menu.Item>
  )
}
