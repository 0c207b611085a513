/** Gives the charge of a label that was scanned after its void back to the customer. */
import { useState } from 'react'
import { REASON_MAX } from '#contract/accounts.ts'
import { usdFromDollars } from '#contract/money.ts'
import { returnVoidedScanCharge } from '#contract/refunds.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import styles from './LabelDetails.module.css'

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
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const amount = usdFromDollars(dollars)
  const open = () => {
    setFailure(null)
    setMissing(false)
    setOpened(true)
  }
  const submit = async () => {
    setFailure(null)
    setMissing(reason.trim() === '')
    if (reason.trim() === '') return
    setBusy(true)
    try {
      const body = { reason: reason.trim() }
      toastSuccess((await send(returnVoidedScanCharge, { params: { orderId }, body })).message)
      setOpened(false)
      await onGivenBack()
    } catch (refused) {
      setFailure(messageOf(refused, t.failed))
    } finally {
      setBusy(false)
    }
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
      <Dialog
        isForm
        opened={opened}
        onClose={() => setOpened(false)}
        title={t.question(amount)}
        size="small"
        closeButton={false}
        closeDisabledReason={busy ? t.wait : null}
      >
        <Form onSubmit={submit} className={styles.resolution}>
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
          <ErrorLine>{failure}</ErrorLine>
          <div className={styles.resolutionButtons}>
            <Button onClick={() => setOpened(false)} disabledReason={busy ? t.wait : null}>
              {texts.manualResolution.cancel}
            </Button>
            <Button kind="ink" type="submit" busy={busy}>
              {t.giveBack(amount)}
            </Button>
          </div>
        </Form>
      </Dialog>
    </>
  )
}
