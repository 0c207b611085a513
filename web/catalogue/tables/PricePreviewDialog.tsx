import { useRef, useState } from 'react'
import { MAX_REASON } from '#contract/price-tables.ts'
import type { PricePreview, PriceSource } from '#contract/price-tables.ts'
import { randomUuid } from '#web/client/attempt.ts'
import { messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDiscard } from '#web/ui/ConfirmDiscard.tsx'
import { DateField } from '#web/ui/DateField.tsx'
import { Dialog, LoadedReport } from '#web/ui/Dialog.tsx'
import { CheckNotices, ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { PreviewFaults, PreviewReport } from './PreviewReport.tsx'
import { startOfDay } from './start-of-day.ts'
import { texts } from './texts.ts'
import { usePricePreview, usePriceTableActions } from './use-price-tables.ts'
import styles from './PriceTables.module.css'

const t = texts.preview
const FORM_ID = 'new-prices'

const TITLES: Record<PriceSource['kind'], string> = {
  file: t.title,
  costs: t.titleCosts,
  rule: t.titleRule,
  before: t.titleBack,
  version: t.titleBack,
}

type PricePreviewDialogProps = {
  userId: string | undefined
  source: PriceSource
  /** About the file that the prices are from. */
  notices?: readonly string[]
  onClose: () => void
  /** After the prices were set, in place of `onClose`: where closing alone goes back to an editor. */
  onDone?: () => void
}

const hasChanges = ({ services, costs }: PricePreview): boolean =>
  costs.length > 0 || services.some(({ changes }) => changes)

/** What new prices would change, then their confirmation, at once or from a day on. */
export function PricePreviewDialog(props: PricePreviewDialogProps) {
  const { userId, source, notices = [], onClose, onDone = onClose } = props
  const [attempt, setAttempt] = useState(randomUuid)
  const [busy, setBusy] = useState(false)
  const closeButton = useRef<HTMLButtonElement>(null)
  // Kept while prices are compared again, which removes the form for a moment.
  const [terms, setTerms] = useState<Terms>({ reason: '', isScheduled: false, day: '' })
  const { data: preview, isError, error, refetch } = usePricePreview(userId, source, attempt)
  const isRead = preview !== undefined && preview.faults.length === 0
  const isCosts = preview?.kind === 'costs'
  // A rule counts beyond the prices that it gives today.
  const canConfirm = isRead && (source.kind === 'rule' || hasChanges(preview))
  const guard = useUnsavedChangesGuard(terms.reason.trim() !== '' && !busy)
  const close = () => guard.leaveOrAsk(onClose)
  return (
    <Dialog
      isForm
      opened
      size="full"
      title={TITLES[source.kind]}
      closeButton={canConfirm ? undefined : false}
      closeDisabledReason={busy ? t.wait : null}
      onClose={close}
      actions={
        // One button, so that it keeps the focus when the comparison fails.
        <>
          <Button
            ref={closeButton}
            data-autofocus
            disabledReason={busy ? t.wait : null}
            onClick={close}
          >
            {canConfirm ? t.cancel : t.close}
          </Button>
          {canConfirm && (
            <Button kind="ink" type="submit" form={FORM_ID} busy={busy}>
              {terms.isScheduled ? t.schedule : isCosts ? t.confirmCosts : t.confirm}
            </Button>
          )}
        </>
      }
    >
      {isError && !preview && (
        <LoadErrorNotice onRetry={() => void refetch()}>
          {messageOf(error, t.failed)}
        </LoadErrorNotice>
      )}
      {!preview && !isError && <p role="status">{t.loading}</p>}
      {preview && (
        <LoadedReport name={TITLES[source.kind]} className={styles.preview}>
          <CheckNotices notices={notices} />
          {isRead ? <PreviewReport preview={preview} /> : <PreviewFaults faults={preview.faults} />}
          {canConfirm && (
            <ConfirmForm
              key={attempt}
              {...{ userId, source, preview, busy, setBusy, terms, setTerms, onDone }}
              requestId={attempt}
              onAgain={() => {
                // The button goes with its form.
                closeButton.current?.focus()
                setAttempt(randomUuid())
              }}
            />
          )}
        </LoadedReport>
      )}
      <ConfirmDiscard guard={guard} subject={uiTexts.notSaved} />
    </Dialog>
  )
}

/** How new prices are to be set. `day` is empty until one is chosen. */
type Terms = { reason: string; isScheduled: boolean; day: string }

type ConfirmFormProps = Pick<PricePreviewDialogProps, 'userId' | 'source'> & {
  preview: PricePreview
  requestId: string
  busy: boolean
  setBusy: (busy: boolean) => void
  terms: Terms
  setTerms: (terms: Terms) => void
  onAgain: () => void
  onDone: () => void
}

function ConfirmForm(props: ConfirmFormProps) {
  const { userId, source, preview, requestId, terms, setTerms } = props
  const { setBusy, onAgain, onDone } = props
  const { confirm } = usePriceTableActions(userId)
  const { reason, isScheduled, day } = terms
  const [attempted, setAttempted] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const startsAt = isScheduled ? startOfDay(day) : null
  const isDayMissing = isScheduled && startsAt === null

  const save = async () => {
    setAttempted(true)
    setError(null)
    if (reason.trim() === '' || isDayMissing) return
    setBusy(true)
    try {
      const { seen } = preview
      await confirm({ source, seen, requestId, reason, ...(startsAt && { startsAt }) })
      toastSuccess(isScheduled ? t.scheduled : preview.kind === 'costs' ? t.savedCosts : t.saved)
      onDone()
    } catch (failure) {
      setError(messageOf(failure, t.saveFailed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Form id={FORM_ID} className={styles.form} onSubmit={save}>
      <TextField
        label={t.reason}
        description={t.reasonHint}
        required
        maxLength={MAX_REASON}
        value={reason}
        error={attempted && reason.trim() === '' ? t.reasonMissing : null}
        onChange={event => setTerms({ ...terms, reason: event.currentTarget.value })}
      />
      {preview.kind === 'prices' && (
        <RadioGroup
          label={t.when}
          inRow
          value={isScheduled ? 'day' : 'now'}
          options={[
            { value: 'now', text: t.atOnce },
            { value: 'day', text: t.onDay, hint: t.onDayHint },
          ]}
          onChange={value => setTerms({ ...terms, isScheduled: value === 'day' })}
        />
      )}
      {isScheduled && (
        <DateField
          label={t.day}
          value={day}
          error={attempted && isDayMissing ? t.dayMissing : null}
          onDay={chosen => setTerms({ ...terms, day: chosen })}
          className={styles.day}
        />
      )}
      <ErrorLine>{error}</ErrorLine>
      {error && (
        <div>
          <Button size="small" onClick={onAgain}>
            {t.again}
          </Button>
        </div>
      )}
    </Form>
  )
}
