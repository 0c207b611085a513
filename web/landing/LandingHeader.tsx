import { PRODUCT } from '#contract/product.ts'
import { cx } from '#web/ui/cx.ts'
import { Logo } from '#web/ui/Logo.tsx'
import { content } from './content.ts'
import { LinkButton } from './Parts.tsx'
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
            <ThemeButton />
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

/** Hidden without scripts. The script also updates its name. */
function ThemeButton() {
  return (
    <button
      type="button"
      className={cx(button.iconButton, button.iconLarge, styles.theme)}
      data-theme-button=""
      aria-label={t.theme}
      data-to-light={t.toLight}
      data-to-dark={t.toDark}
    >
      <svg className={styles.moon} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <path d="M12 3h.4a7.5 7.5 0 0 0 7.9 12.4A9 9 0 1 1 12 3z" />
      </svg>
      <svg className={styles.sun} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        <circle cx="12" cy="12" r="4" />
        <path d="M12 3v1m0 16v1m9-9h-1M4 12H3m15.4-6.4l-.7.7M6.3 17.7l-.7.7m12.8 0l-.7-.7M6.3 6.3l-.7-.7" />
      </svg>
    </button>
  )
}
