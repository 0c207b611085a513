/** Parts of the landing page. They are rendered at build time, so they must not need the browser or Mantine. */
import type { ReactNode } from 'react'
import type { FlatPriceFacts, OtherPricesFacts, PageFacts } from '#contract/page-template.ts'
import { cx } from '#web/ui/cx.ts'
import button from '#web/ui/Button.module.css'
import styles from './Parts.module.css'

type FactName = keyof PageFacts | keyof FlatPriceFacts | keyof OtherPricesFacts

/**
 * The server removes the children when it does not know the fact, and repeats them for each entry of
 * a list (contract/page-template.ts). Parts of the same fact must not be inside each other.
 */
export function IfFactKnown({ fact, children }: { fact: FactName; children: ReactNode }) {
  return (
    <>
      {`{{#${fact}}}`}
      {children}
      {`{{/${fact}}}`}
    </>
  )
}

export function IfFactUnknown({ fact, children }: { fact: FactName; children: ReactNode }) {
  return (
    <>
      {`{{^${fact}}}`}
      {children}
      {`{{/${fact}}}`}
    </>
  )
}

type LinkButtonProps = {
  href: string
  kind: 'money' | 'ink' | 'outline' | 'quiet'
  large?: boolean
  children: ReactNode
  className?: string
}

/** A link with the look of Button. `data-` attributes are for the page's script. */
export function LinkButton({
  href,
  kind,
  large,
  children,
  className,
  ...rest
}: LinkButtonProps & Record<`data-${string}`, string>) {
  const look = cx(button.button, button[kind], large ? button.large : button.normal, className)
  return (
    <a {...rest} href={href} className={look}>
      <span>{children}</span>
    </a>
  )
}

type SectionProps = {
  id: string
  title: string
  text?: ReactNode
  children: ReactNode
  className?: string
  dark?: boolean
}

/** The page's script reveals a section when it is scrolled into view. */
export function Section({ id, title, text, children, className, dark }: SectionProps) {
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className={cx(styles.section, className)}
      data-arrives=""
      data-surface={dark ? 'hero' : undefined}
    >
      <div className={styles.head}>
        <h2 id={`${id}-title`} className={styles.title}>
          {title}
        </h2>
        {text && <p className={styles.lead}>{text}</p>}
      </div>
      {children}
    </section>
  )
}

const STAR = 'M10 1.6l2.6 5.3 5.8.8-4.2 4.1 1 5.8L10 14.9l-5.2 2.7 1-5.8L1.6 7.7l5.8-.8z'
const STARS = [0, 1, 2, 3, 4]

/** Five stars, filled in halves. Screen readers get `text`. */
export function Stars({ rating, text }: { rating: number; text: string }) {
  return (
    <span role="img" aria-label={text} className={styles.stars}>
      {STARS.map(at => (
        <svg key={at} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
          <path className={styles.starEmpty} d={STAR} />
          {rating > at && (
            <path className={cx(styles.star, rating < at + 1 && styles.starHalf)} d={STAR} />
          )}
        </svg>
      ))}
    </span>
  )
}
