import type { ComponentProps } from 'react'
import { cx } from './cx.ts'
import styles from './LinkButton.module.css'

type LinkButtonProps = ComponentProps<'button'> & {
  /** Underlined only under the pointer: alone at the end of a title's line. */
  bare?: boolean
}

/** A button that looks like a link, in a line of text. */
export const LinkButton = ({ bare, className, ...rest }: LinkButtonProps) => (
  <button
    type="button"
    {...rest}
    className={cx(styles.button, className)}
    data-bare={bare || undefined}
  />
)
