/** Messages in the page: tinted by tone, with an icon, announced when they appear. */
import {
  IconAlertCircle,
  IconAlertTriangle,
  IconCircleCheck,
  IconCloudOff,
  IconInfoCircle,
} from '@tabler/icons-react'
import { createContext, useContext, useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { Sentences } from './Sentences.tsx'
import { texts } from './texts.ts'
import type { Tone } from './tone.ts'
import styles from './ErrorLine.module.css'

/** Above the button of a form. Renders nothing without a text. */
export function ErrorLine({ children }: { children: ReactNode }) {
  if (!children) return null
  return (
    <div role="alert" className={styles.line} data-tone="red">
      <IconAlertCircle aria-hidden="true" />
      <span>{children}</span>
    </div>
  )
}

export const TONE_ICON: Record<Tone, typeof IconInfoCircle> = {
  blue: IconInfoCircle,
  green: IconCircleCheck,
  yellow: IconAlertTriangle,
  red: IconAlertCircle,
  neutral: IconInfoCircle,
}

type NoticeProps = {
  tone: Tone
  children: ReactNode
  action?: ReactNode
  /** On phones the action is below the text and as wide as it: where the buttons around it are wide too. */
  wideAction?: boolean
  /** In the place of the form that it answers. */
  takesFocus?: boolean
}

export function Notice({
  tone,
  children,
  action,
  wideAction = false,
  takesFocus = false,
}: NoticeProps) {
  const Icon = TONE_ICON[tone]
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) line.current?.focus()
  }, [takesFocus])
  return (
    <div
      ref={line}
      tabIndex={takesFocus ? -1 : undefined}
      role={tone === 'red' ? 'alert' : 'status'}
      className={styles.line}
      data-tone={tone}
    >
      <Icon aria-hidden="true" />
      <span>{children}</span>
      {action && (
        <span className={styles.action} data-wide={wideAction || undefined}>
          {action}
        </span>
      )}
    </div>
  )
}

/** What to check, each sentence on its own. */
export const CheckNotices = ({ notices }: { notices: readonly string[] }) =>
  notices.map(notice => (
    <Notice key={notice} tone="yellow">
      {notice}
    </Notice>
  ))

/** `block`: in place of a whole list, as high as it. */
export const LoadErrorLook = createContext<'line' | 'block'>('line')

type LoadErrorNoticeProps = {
  children: ReactNode
  /** Below the message where it replaces a whole list. */
  text?: string
  retrying?: boolean
  onRetry: () => void
}

/** For content that could not be loaded. */
export function LoadErrorNotice(props: LoadErrorNoticeProps) {
  const { children, text = texts.checkConnection, retrying, onRetry } = props
  const look = useContext(LoadErrorLook)
  if (look === 'block')
    return (
      <div role="alert" className={styles.block}>
        <IconCloudOff className={styles.blockIcon} aria-hidden="true" />
        <p className={styles.blockTitle}>{children}</p>
        <p>
          <Sentences text={text} />
        </p>
        <Button kind="ink" busy={retrying} onClick={onRetry}>
          {texts.tryAgain}
        </Button>
      </div>
    )
  const retry = (
    <Button size="small" busy={retrying} onClick={onRetry}>
      {texts.tryAgain}
    </Button>
  )
  return (
    <Notice tone="red" action={retry}>
      {children}
    </Notice>
  )
}
