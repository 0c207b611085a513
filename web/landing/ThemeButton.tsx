import { cx } from '#web/ui/cx.ts'
import button from '#web/ui/Button.module.css'
import styles from './ThemeButton.module.css'

type ThemeButtonProps = { name: string; toLight: string; toDark: string; className?: string }

/** Of pages without React in the browser: theme-button.ts adds the action and updates its name. Hidden without scripts. */
export const ThemeButton = ({ name, toLight, toDark, className }: ThemeButtonProps) => (
  <button
    type="button"
    className={cx(button.iconButton, button.iconLarge, styles.theme, className)}
    data-theme-button=""
    aria-label={name}
    data-to-light={toLight}
    data-to-dark={toDark}
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
