import { PRODUCT } from '#contract/product.ts'
import { cx } from '#web/ui/cx.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { content } from './content.ts'
import { LinkButton } from './Parts.tsx'
import { ThemeButton } from './ThemeButton.tsx'
import frame from '#web/shell/PublicHeader.module.css'
import button from '#web/ui/Button.module.css'
import styles from './LandingHeader.module.css'

const t = content.header

/** On a phone the links to sections open below the header; elsewhere they are always there. */
const SECTIONS = 'sections'

/** The public header with links to the sections of this page. */
export function LandingHeader() {
  return (
    <>
      <a href="#content" className="skip-link">
        {t.skip}
      </a>
      <header className={styles.bar}>
        <div className={cx(frame.header, styles.inside)}>
          <a href="/" className={frame.home}>
            <Logo name={PRODUCT} />
          </a>
          <nav id={SECTIONS} popover="auto" className={styles.sections} aria-label={t.name}>
            <a href="#how-it-works">{t.howItWorks}</a>
            <a href="#pricing">{t.pricing}</a>
            <a href="#faq">{t.faq}</a>
          </nav>
          <span className={cx(frame.links, styles.links)}>
            <ThemeButton
              name={t.theme}
              toLight={t.toLight}
              toDark={t.toDark}
              className={styles.theme}
            />
            <LinkButton href="/login" kind="quiet" data-for="visitor">
              {t.login}
            </LinkButton>
            <LinkButton href="/register" kind="ink" data-for="visitor">
              {t.register}
            </LinkButton>
            <LinkButton href="/main/dashboard" kind="ink" data-for="customer">
              {t.dashboard}
            </LinkButton>
            <button
              type="button"
              className={cx(button.iconButton, button.iconLarge, styles.open)}
              popoverTarget={SECTIONS}
              aria-label={t.open}
            >
              <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
                <path d="M4 7h16M4 12h16M4 17h16" />
              </svg>
            </button>
          </span>
        </div>
      </header>
    </>
  )
}
