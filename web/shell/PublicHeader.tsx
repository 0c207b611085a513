import { PRODUCT } from '#contract/product.ts'
import { useSession } from '#web/client/session.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { SkipLink } from '#web/ui/page-title.tsx'
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx'
import { Money } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './PublicHeader.module.css'

type PublicHeaderProps = {
  /** The ways to sign in; the signed-in user instead, if there is one; or neither. */
  side?: 'sign-in' | 'user' | 'none'
}

/** The header of the public pages. The landing page has its own (LandingHeader). */
export function PublicHeader({ side = 'sign-in' }: PublicHeaderProps) {
  const user = useSession(session => session.user)
  return (
    <>
      <SkipLink />
      <header className={styles.header}>
        <a href="/" className={styles.home}>
          <Logo name={PRODUCT} />
        </a>
        <span className={styles.links}>
          <ThemeSwitch />
          {side === 'user' && user ? (
            <SignedInUser name={user.name} balance={user.balance} />
          ) : (
            side !== 'none' && <WaysIn />
          )}
        </span>
      </header>
    </>
  )
}

const WaysIn = () => (
  <>
    <ButtonLink to="/login" kind="quiet">
      {texts.login}
    </ButtonLink>
    <ButtonLink to="/register" kind="outline">
      {texts.register}
    </ButtonLink>
  </>
)

const SignedInUser = ({ name, balance }: { name: string; balance: number }) => (
  <span className={styles.user}>
    <span className={styles.name}>{name}</span>
    <span className={styles.balance}>
      {texts.balance} <Money dollars={balance} />
    </span>
  </span>
)
