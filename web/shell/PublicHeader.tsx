import { useLocation } from 'react-router'
import { PRODUCT } from '#contract/product.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { SkipLink } from '#web/ui/page-title.tsx'
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx'
import { Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './PublicHeader.module.css'

type PublicHeaderProps = {
  /** The ways to sign in; for a signed-in visitor their name or the dashboard; or nothing. */
  side?: 'sign-in' | 'user' | 'dashboard' | 'none'
  className?: string
}

/** The header of the public pages. The landing page has its own (LandingHeader). */
export function PublicHeader({ side = 'sign-in', className }: PublicHeaderProps) {
  return (
    <>
      <SkipLink />
      <header className={cx(styles.header, className)}>
        <a href="/" className={styles.home}>
          <Logo name={PRODUCT} />
        </a>
        <span className={styles.links}>
          <ThemeSwitch />
          {side !== 'none' && <Side kind={side} />}
        </span>
      </header>
    </>
  )
}

/** The page of an unknown visitor has the ways to sign in from the start; the others wait for a remembered session. */
function Side({ kind }: { kind: 'sign-in' | 'user' | 'dashboard' }) {
  const { user, state } = useSession()
  if (kind === 'user' && user) return <SignedInUser name={user.name} balance={user.balance} />
  if (kind === 'dashboard' && user)
    return <ButtonLink to="/main/dashboard">{texts.navItems.dashboard}</ButtonLink>
  if (kind === 'dashboard' && state === 'checking') return null
  return <WaysIn />
}

function WaysIn() {
  const { pathname } = useLocation()
  const current = (to: string) => (pathname === to ? 'page' : undefined)
  return (
    <>
      <ButtonLink to="/login" kind="quiet" aria-current={current('/login')}>
        {texts.login}
      </ButtonLink>
      <ButtonLink to="/register" kind="outline" aria-current={current('/register')}>
        {texts.register}
      </ButtonLink>
    </>
  )
}

const SignedInUser = ({ name, balance }: { name: string; balance: number }) => (
  <span className={styles.user}>
    <span className={styles.name}>{name}</span>
    <span className={styles.balance}>
      {texts.balance} <Money dollars={balance} />
    </span>
  </span>
)
