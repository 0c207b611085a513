/** What an administrator does with an adjustment: credit it back, decline a dispute, name its label. */
import { useState } from 'react'
import { MAX_DISPUTE } from '#contract/adjustments.ts'
import type { AdminAdjustment } from '#contract/adjustments.ts'
import { isId } from '#contract/endpoint.ts'
import { usdFromDollars } from '#contract/money.ts'
import { orMessage } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextAreaField, TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { texts } from './texts.ts'
import { useAdjustmentActions } from './use-adjustments.ts'
import styles from './Adjustments.module.css'

const FORM_ID = 'adjustment-decision'

export type Decision = { kind: 'credit' | 'decline' | 'match'; adjustment: AdminAdjustment }

type DecisionButtonsProps = {
  adjustment: AdminAdjustment
  onDecide: (decision: Decision) => void
}

export function DecisionButtons({ adjustment, onDecide }: DecisionButtonsProps) {
  const { state, orderId, dispute, trackingNumber } = adjustment
  return (
    <div className={styles.buttons}>
      {canCredit(adjustment) && (
        <Button
          size="small"
          aria-label={texts.creditOf(orderId!)}
          onClick={() => onDecide({ kind: 'credit', adjustment })}
        >
          {texts.credit}
        </Button>
      )}
      {dispute?.state === 'open' && (
        <Button
          size="small"
          aria-label={texts.declineOf(orderId!)}
          onClick={() => onDecide({ kind: 'decline', adjustment })}
        >
          {texts.decline}
        </Button>
      )}
      {state === 'unmatched' && (
        <Button
          size="small"
          aria-label={texts.matchOf(trackingNumber)}
          onClick={() => onDecide({ kind: 'match', adjustment })}
        >
          {texts.match}
        </Button>
      )}
    </div>
  )
}

const canCredit = ({ state }: AdminAdjustment) => state === 'charged' || state === 'waiting'

/** Stands beside the list: its row may leave the page, or become a card, while something is typed. */
export function DecisionDialog({ decision, onClose }: { decision: Decision; onClose: () => void }) {
  const actions = useAdjustmentActions()
  const { _id: id, user, amount, dispute, trackingNumber } = decision.adjustment
  const credit = async () => {
    await orMessage(actions.credit(id), texts.creditFailed)
    toastSuccess(texts.credited)
    onClose()
  }
  if (decision.kind === 'credit')
    return (
      <ConfirmDialog
        opened
        kind="ink"
        question={texts.creditQuestion}
        confirmLabel={texts.credit}
        description={texts.creditText(usdFromDollars(amount), user!.name)}
        onConfirm={credit}
        onCancel={onClose}
      />
    )
  if (decision.kind === 'decline')
    return (
      <TextDialog
        title={texts.declineTitle}
        text={dispute!.note}
        label={texts.declineLabel}
        missing={texts.declineMissing}
        submit={texts.declineSubmit}
        isLong
        isValid={value => value !== ''}
        done={texts.declined}
        failed={texts.declineFailed}
        onSave={answer => actions.decline(id, answer)}
        onClose={onClose}
      />
    )
  return (
    <TextDialog
      title={texts.matchTitle}
      text={texts.matchText(trackingNumber)}
      label={texts.matchLabel}
      missing={texts.matchMissing}
      submit={texts.matchSubmit}
      isValid={isId}
      done={texts.matched}
      failed={texts.matchFailed}
      onSave={label => actions.match(id, label)}
      onClose={onClose}
    />
  )
}

type TextDialogProps = {
  title: string
  text: string
  label: string
  missing: string
  submit: string
  isLong?: boolean
  isValid: (value: string) => boolean
  done: string
  failed: string
  onSave: (value: string) => Promise<unknown>
  onClose: () => void
}

function TextDialog(props: TextDialogProps) {
  const { title, text, label, missing, isLong, isValid, onClose } = props
  const [value, setValue] = useState('')
  const [attempted, setAttempted] = useState(false)
  const { busy, refused, clearRefusal, run } = useAction(props.failed)
  const wait = useSavingReason(busy, uiTexts.wait)
  const given = value.trim()
  const save = async () => {
    await props.onSave(given)
    toastSuccess(props.done)
    onClose()
  }
  const guard = useUnsavedChangesGuard(given !== '' && !busy)
  const close = () => guard.leaveOrAsk(onClose)
  const submit = () => {
    setAttempted(true)
    return isValid(given) ? run(save) : clearRefusal()
  }
  const field = {
    label,
    required: true,
    'data-autofocus': true,
    value,
    error: attempted && !isValid(given) ? missing : null,
    onChange: (event: { currentTarget: { value: string } }) => setValue(event.currentTarget.value),
  }
  return (
    <Dialog
      isForm
      opened
      title={title}
      onClose={close}
      closeDisabledReason={wait}
      actions={
        <>
          <Button onClick={close} disabledReason={wait}>
            {texts.cancel}
          </Button>
          <Button kind="ink" type="submit" form={FORM_ID} busy={busy}>
            {props.submit}
          </Button>
        </>
      }
    >
      <Form id={FORM_ID} className={styles.form} onSubmit={submit}>
        <p className={styles.text}>{text}</p>
        {isLong ? (
          <TextAreaField {...field} rows={3} maxLength={MAX_DISPUTE} />
        ) : (
          <TextField {...field} />
        )}
        <ErrorLine>{refused}</ErrorLine>
      </Form>
      <ConfirmDiscard guard={guard} subject={uiTexts.notSaved} />
    </Dialog>
  )
}
