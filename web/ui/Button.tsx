/** Buttons. A disabled one says why; a busy one keeps its width. */
import { Tooltip } from '@mantine/core'
import type { AriaAttributes, ComponentProps, MouseEvent, ReactNode, Ref } from 'react'
import { Link } from 'react-router'
import { cx } from './cx.ts'
import styles from './Button.module.css'

/** `money` is the only orange button of a view: it spends money or leads to the registration. `ink` is any other main action. */
export type ButtonKind = 'ink' | 'money' | 'outline' | 'quiet' | 'danger'
/** 28, 36 and 44 px. */
export type ButtonSize = 'small' | 'normal' | 'large'

type ButtonAppearance = {
  children: ReactNode
  kind?: ButtonKind
  size?: ButtonSize
  /** Drawn before the text; 18 px and aria-hidden. */
  icon?: ReactNode
  /** As wide as its parent. */
  wide?: boolean
  className?: string
}

type ButtonProps = ButtonAppearance
  & Omit<ComponentProps<'button'>, 'children' | 'disabled'> & {
    /** Shows a spinner in place of the icon and ignores clicks; focus stays. */
    busy?: boolean
    /** Why it is impossible now: makes the button aria-disabled, focusable, with the reason as its tooltip. */
    disabledReason?: string | null
    ref?: Ref<HTMLButtonElement>
  }

const buttonClassName = ({
  kind = 'outline',
  size = 'normal',
  wide,
  className,
}: Omit<ButtonAppearance, 'children'>) =>
  cx(styles.button, styles[kind], styles[size], wide && styles.wide, className)

/** The tooltip is there only with the focus or the pointer. */
const descriptionOf = (
  disabledReason: string | null | undefined,
  { 'aria-description': own }: AriaAttributes,
) => ({ 'aria-description': disabledReason ?? own })

export function Button(props: ButtonProps) {
  const {
    children,
    kind,
    size,
    icon,
    wide,
    className,
    busy = false,
    disabledReason,
    onClick,
    type = 'button',
    ...rest
  } = props
  const closed = Boolean(disabledReason)
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy || closed) return event.preventDefault()
    onClick?.(event)
  }
  return (
    <Tooltip label={disabledReason} disabled={!closed} withinPortal={false}>
      <button
        {...rest}
        {...descriptionOf(disabledReason, rest)}
        type={type}
        className={buttonClassName({ kind, size, wide, className })}
        onClick={click}
        aria-disabled={closed || busy || undefined}
        aria-busy={busy || undefined}
        data-busy={busy || undefined}
        data-closed={closed || undefined}
      >
        {busy && !icon && (
          <span className={styles.spinnerBeside} aria-hidden="true">
            <Spinner />
          </span>
        )}
        {icon && (
          <span className={styles.icon} aria-hidden="true">
            {busy ? <Spinner /> : icon}
          </span>
        )}
        <span>{children}</span>
      </button>
    </Tooltip>
  )
}

type ButtonLinkProps = ButtonAppearance
  & ({ to: string; state?: unknown } | { href: string; target?: '_blank' })
  & Omit<ComponentProps<'a'>, 'href' | 'children'>

/** A link that looks like a button: `to` stays in the app, `href` leaves it. */
export function ButtonLink(props: ButtonLinkProps) {
  const { children, kind, size, icon, wide, className, ...rest } = props
  const look = buttonClassName({ kind, size, wide, className })
  const inside = (
    <>
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <span>{children}</span>
    </>
  )
  if ('to' in rest)
    return (
      <Link {...rest} className={look}>
        {inside}
      </Link>
    )
  return (
    <a rel={rest.target === '_blank' ? 'noopener' : undefined} {...rest} className={look}>
      {inside}
    </a>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children' | 'disabled' | 'aria-label'> & {
  /** The accessible name, shown as a tooltip too. */
  name: string
  children: ReactNode
  disabledReason?: string | null
  /** 36 px instead of 28. */
  large?: boolean
  /** With a border, beside buttons that have one. */
  outline?: boolean
  /** Shows a spinner in place of the icon and ignores clicks; focus stays. */
  busy?: boolean
  tooltip?: boolean
  ref?: Ref<HTMLButtonElement>
}

/** At least 28 px, 44 px on touch screens. */
export function IconButton(props: IconButtonProps) {
  const {
    name,
    children,
    disabledReason,
    large,
    outline,
    busy = false,
    tooltip = true,
    className,
    onClick,
    type = 'button',
    ...rest
  } = props
  const closed = Boolean(disabledReason)
  return (
    <Tooltip label={disabledReason ?? name} disabled={!tooltip && !closed} withinPortal={false}>
      <button
        {...rest}
        {...descriptionOf(disabledReason, rest)}
        type={type}
        aria-label={name}
        aria-disabled={closed || busy || undefined}
        aria-busy={busy || undefined}
        data-closed={closed || undefined}
        className={cx(
          styles.iconButton,
          large && styles.iconLarge,
          outline && styles.iconOutline,
          className,
        )}
        onClick={event => (closed || busy ? event.preventDefault() : onClick?.(event))}
      >
        {busy ? <Spinner /> : children}
      </button>
    </Tooltip>
  )
}

/** Decoration: say in words what is loading. */
export function Spinner() {
  return <span className={styles.spinner} aria-hidden="true" />
}
