import { PRODUCT } from '#contract/product.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Logo } from '#web/ui/Logo.tsx'
import { SkipLink } from '#web/ui/page-title.tsx'
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx'
import { texts } from './texts.ts'
import styles from './PublicHeader.module.css'

/** The header of the public pages. The landing page has its own (LandingHeader). */
export function PublicHeader() {
  return (
    <>
      <SkipLink />
      <header className={styles.header}>
        <a href="/" className={styles.home}>
          <Logo name={PRODUCT} />
        </a>
        <span className={styles.links}>
          <ThemeSwitch />
          <ButtonLink to="/login" kind="quiet">
            {texts.login}
          </ButtonLink>
          <ButtonLink to="/register" kind="ink">
            {texts.register}
          </ButtonLink>
        </span>
      </header>
    </>
  )
}
