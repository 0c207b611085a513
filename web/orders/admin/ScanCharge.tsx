/** Gives the charge of a label that was scanned after its void back to the customer. */
import { useState } from 'react'
import { REASON_MAX } from '#contract/accounts.ts'
import { usdFromDollars } from '#contract/money.ts'
import { returnVoidedScanCharge } from '#contract/refunds.ts'
import { send } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { SmallFormDialog } from '#web/ui/SmallFormDialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'

const t = texts.scanCharge

type ScanChargeProps = {
  orderId: string
  dollars: number
  onGivenBack: () => Promise<unknown>
}

export function ScanCharge({ orderId, dollars, onGivenBack }: ScanChargeProps) {
  const [opened, setOpened] = useState(false)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const { busy, refused, clearRefusal, run } = useAction(t.failed)
  const amount = usdFromDollars(dollars)
  const open = () => {
    clearRefusal()
    setReason('')
    setMissing(false)
    setOpened(true)
  }
  const given = reason.trim()
  const giveBack = async () => {
    const request = { params: { orderId }, body: { reason: given } }
    toastSuccess((await send(returnVoidedScanCharge, request)).message)
    // The notice that opened the dialog is gone before it closes: the focus then goes elsewhere.
    await onGivenBack()
    setOpened(false)
  }
  const submit = () => {
    setMissing(given === '')
    return given === '' ? clearRefusal() : run(giveBack)
  }
  return (
    <>
      <Notice
        tone="neutral"
        action={
          <Button size="small" onClick={open}>
            {t.giveBack(amount)}
          </Button>
        }
      >
        {t.charged(amount)}
      </Notice>
      {opened && (
        <SmallFormDialog
          title={t.question(amount)}
          refused={refused}
          submitText={t.giveBack(amount)}
          busy={busy}
          wait={busy ? t.wait : null}
          onSubmit={submit}
          onClose={() => setOpened(false)}
        >
          <p>{t.text}</p>
          <TextField
            label={texts.manualResolution.reason}
            description={texts.manualResolution.reasonHint}
            error={missing ? texts.manualResolution.reasonMissing : null}
            required
            autoComplete="off"
            maxLength={REASON_MAX}
            value={reason}
            onChange={event => setReason(event.currentTarget.value)}
          />
        </SmallFormDialog>
      )}
    </>
  )
}
