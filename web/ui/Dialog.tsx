/**
 * Dialogs, composed from Mantine's parts because its own header element would be a second banner landmark. Focus is trapped,
 * Escape closes the topmost dialog, focus returns to the opener.
 */
import { Drawer, Modal } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { memo, useState } from 'react'
import { Button, IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { ErrorLine } from './ErrorLine.tsx'
import { texts } from './texts.ts'
import { useReturnFocus } from './use-return-focus.ts'
import { useTopmostLayer } from './use-topmost-layer.ts'
import { useIsDesktop } from './use-viewport.ts'
import styles from './Dialog.module.css'

/** In a dialog Mantine moves the focus at Tab, and no text is selected: what is typed next would be added to the old value. */
if (typeof window !== 'undefined')
  window.addEventListener('keydown', ({ key, defaultPrevented }) => {
    const field = document.activeElement
    if (key !== 'Tab' || !defaultPrevented || !(field instanceof HTMLInputElement)) return
    if (field.closest('[role="dialog"]')) field.select()
  })

function CloseButton({
  name,
  disabledReason,
  onClick,
}: {
  name: string
  disabledReason?: string | null
  onClick: () => void
}) {
  return (
    <IconButton name={name} tooltip={false} disabledReason={disabledReason} onClick={onClick}>
      <IconX aria-hidden="true" />
    </IconButton>
  )
}

/** Keeps the last content while `frozen`: the subject of a dialog is often gone before the dialog has faded. */
const FreezeWhileClosing = memo(
  function Freezable({ children }: { frozen: boolean; children: ReactNode }) {
    return children
  },
  (_, { frozen }) => frozen,
)

type DialogProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  /** 600 px (default), 440, or the whole window. */
  size?: 'normal' | 'small' | 'full'
  /** Buttons, the main one last. */
  actions?: ReactNode
  /** Name of the × button. False where the actions have a Close button: two of one name confuse. */
  closeButton?: string | false
  /** Why it cannot be closed now. The × stays, disabled, and says so; Escape and the backdrop do nothing. */
  closeDisabledReason?: string | null
  /** Before the ×. */
  headerActions?: ReactNode
  /** What Escape does instead of closing, also while closing is disabled. The backdrop then does nothing. */
  onEscape?: () => void
  /** What was typed is not lost by a click beside the dialog. */
  isForm?: boolean
  /** False where something else gets the focus on close. */
  returnFocus?: boolean
}

export function Dialog(props: DialogProps) {
  const {
    opened,
    onClose,
    title,
    children,
    size = 'normal',
    actions,
    closeButton = texts.close,
    closeDisabledReason,
    headerActions,
  } = props
  const { onEscape, isForm = false, returnFocus = true } = props
  const closable = !closeDisabledReason
  const leave = useTopmostLayer(opened, onEscape ?? onClose)
  useReturnFocus(opened, returnFocus)
  return (
    <Modal.Root
      opened={opened}
      onClose={leave}
      fullScreen={size === 'full'}
      yOffset="var(--dialog-offset)"
      returnFocus={returnFocus}
      lockScroll={false}
      centered
      classNames={{ content: styles.content }}
      size={size === 'small' ? 'var(--dialog-small)' : 'var(--dialog)'}
      closeOnEscape={closable || Boolean(onEscape)}
      closeOnClickOutside={closable && !onEscape && !isForm}
      transitionProps={{ transition: 'fade', duration: 200 }}
    >
      <Modal.Overlay className={styles.veil} />
      <Modal.Content data-dialog={size} inert={!opened}>
        <FreezeWhileClosing frozen={!opened}>
          <div className={styles.head}>
            <Modal.Title className={styles.title}>{title}</Modal.Title>
            {headerActions}
            {closeButton && (
              <CloseButton
                name={closeButton}
                disabledReason={closeDisabledReason}
                onClick={onClose}
              />
            )}
          </div>
          <div className={styles.body}>{children}</div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </FreezeWhileClosing>
      </Modal.Content>
    </Modal.Root>
  )
}

const takeFocus = (report: HTMLDivElement | null): void => report?.focus({ preventScroll: true })

/** What a dialog has loaded. Its buttons, which have the focus meanwhile, may be far below it then. */
export const LoadedReport = ({ name, className, children }: LoadedReportProps) => (
  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no fieldset: it may hold a form
  <div
    ref={takeFocus}
    role="group"
    aria-label={name}
    tabIndex={-1}
    className={cx(styles.report, className)}
  >
    {children}
  </div>
)
type LoadedReportProps = { name: string; className: string | undefined; children: ReactNode }

type ConfirmDialogProps = {
  opened: boolean
  question: string
  /** Names the subject: 'Delete row 111-4820448?'. */
  description: ReactNode
  confirmLabel?: string
  cancelLabel?: string
  /** `ink` for harmless confirmations. */
  kind?: 'danger' | 'ink'
  /** The dialog is busy until the promise settles, and shows the message of an error it throws. */
  onConfirm: () => void | Promise<void>
  onCancel: () => void
}

/** The safe button has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    opened,
    question,
    description,
    confirmLabel = texts.remove,
    cancelLabel = texts.cancel,
    kind = 'danger',
    onConfirm,
    onCancel,
  } = props
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const wait = busy ? texts.wait : null
  const close = () => {
    setError(null)
    onCancel()
  }
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
    } catch (reason) {
      // Without an answer of the server the message is empty.
      setError((reason instanceof Error && reason.message) || texts.didNotWork)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={question}
      size="small"
      closeButton={false}
      closeDisabledReason={wait}
      actions={
        <>
          <Button data-autofocus onClick={close} disabledReason={wait}>
            {cancelLabel}
          </Button>
          <Button kind={kind} busy={busy} onClick={confirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className={styles.description}>{description}</div>
      <ErrorLine>{error}</ErrorLine>
    </Dialog>
  )
}

type SidePanelProps = Pick<
  DialogProps,
  'opened' | 'onClose' | 'children' | 'closeDisabledReason'
> & {
  title: string
}

/** A form beside its list: on the right from 1024 px, else from below. */
export function SidePanel({
  opened,
  onClose,
  title,
  children,
  closeDisabledReason,
}: SidePanelProps) {
  const closable = !closeDisabledReason
  const desktop = useIsDesktop()
  const leave = useTopmostLayer(opened, onClose)
  useReturnFocus(opened, true)
  return (
    <Drawer.Root
      opened={opened}
      onClose={leave}
      lockScroll={false}
      classNames={{ content: styles.content }}
      position={desktop ? 'right' : 'bottom'}
      size={desktop ? 'var(--dialog-small)' : 'var(--sheet)'}
      closeOnEscape={closable}
      closeOnClickOutside={closable}
      transitionProps={{ duration: 200 }}
    >
      <Drawer.Overlay className={styles.veil} />
      <Drawer.Content
        data-panel={desktop || undefined}
        data-sheet={!desktop || undefined}
        inert={!opened}
      >
        <FreezeWhileClosing frozen={!opened}>
          <div className={styles.head}>
            <Drawer.Title className={styles.title}>{title}</Drawer.Title>
            <CloseButton
              name={texts.close}
              disabledReason={closeDisabledReason}
              onClick={onClose}
            />
          </div>
          <div className={styles.body}>{children}</div>
        </FreezeWhileClosing>
      </Drawer.Content>
    </Drawer.Root>
  )
}
