import { useState } from 'react'
import { MAX_REASON } from '#contract/price-tables.ts'
import { parseZoneFile } from '#contract/zone-matrix.ts'
import type { ZoneFile } from '#contract/zone-matrix.ts'
import { ApiError, messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { CheckField, TextField } from '#web/ui/Field.tsx'
import { FileButton } from '#web/ui/FileButton.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { readZoneText } from './read-price-file.ts'
import { texts } from './texts.ts'
import { useZoneMatrix } from './use-price-tables.ts'
import styles from './PriceTables.module.css'

const t = texts.zones
const FORM_ID = 'zone-matrix'

export function ZoneMatrixLine() {
  const { matrix, failed, retry, replace } = useZoneMatrix()
  const [file, setFile] = useState<ZoneFile | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  if (failed) return <LoadErrorNotice onRetry={retry}>{t.failed}</LoadErrorNotice>

  const upload = async ([chosen]: File[]) => {
    if (!chosen) return
    const read = await readZoneText(chosen).catch(() => ({ problem: texts.file.unreadable }))
    const parsed = 'problem' in read ? read : parseZoneFile(read.text)
    setProblem('problem' in parsed ? parsed.problem : null)
    if (!('problem' in parsed)) setFile(parsed)
  }
  return (
    <>
      <div className={styles.change}>
        <div className={styles.changeText}>
          <h3 className={styles.lineTitle}>{t.title}</h3>
          <p className={styles.facts}>
            {matrix === undefined && <span>{t.loading}</span>}
            {matrix !== undefined && !matrix?.pairs && <span>{t.none}</span>}
            {matrix && matrix.pairs > 0 && (
              <>
                <span>{t.known(matrix.pairs)}</span>
                <span>{matrix.reason}</span>
                <span>{matrix.setBy.name}</span>
                <DateTime at={matrix.createdAt} />
              </>
            )}
          </p>
        </div>
        <FileButton kind="outline" size="small" accept=".csv" onFiles={files => void upload(files)}>
          {t.upload}
        </FileButton>
      </div>
      <ErrorLine>{problem}</ErrorLine>
      {file && (
        <ZoneMatrixDialog
          file={file}
          pairsBefore={matrix?.pairs ?? 0}
          onReplace={(reason, dropsPairs) => replace(file.rows, reason, dropsPairs)}
          onClose={() => setFile(null)}
        />
      )}
    </>
  )
}

type ZoneMatrixDialogProps = {
  file: ZoneFile
  pairsBefore: number
  onReplace: (reason: string, dropsPairs: boolean) => Promise<void>
  onClose: () => void
}

function ZoneMatrixDialog({ file, pairsBefore, onReplace, onClose }: ZoneMatrixDialogProps) {
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [dropProblem, setDropProblem] = useState<string | null>(null)
  const [dropsPairs, setDropsPairs] = useState(false)
  const [busy, setBusy] = useState(false)
  const isFaulty = file.faultCount > 0

  const save = async () => {
    if (reason.trim() === '') return setMissing(true)
    setBusy(true)
    try {
      await onReplace(reason, dropsPairs)
      toastSuccess(t.saved)
      onClose()
    } catch (failure) {
      const dropped = failure instanceof ApiError ? failure.errors.dropsPairs : undefined
      setDropProblem(dropped ?? null)
      setError(dropped ? null : messageOf(failure, t.saveFailed))
      setBusy(false)
    }
  }
  return (
    <Dialog
      isForm
      opened
      title={t.dialog}
      closeButton={isFaulty ? false : undefined}
      closeDisabledReason={busy ? texts.preview.wait : null}
      onClose={onClose}
      actions={
        isFaulty ? (
          <Button onClick={onClose}>{texts.preview.close}</Button>
        ) : (
          <>
            <Button disabledReason={busy ? texts.preview.wait : null} onClick={onClose}>
              {texts.preview.cancel}
            </Button>
            <Button kind="ink" type="submit" form={FORM_ID} busy={busy}>
              {t.confirm}
            </Button>
          </>
        )
      }
    >
      {isFaulty ? (
        <>
          <Notice tone="red">{t.faults(file.faultCount)}</Notice>
          <ul className={styles.faults}>
            {file.faults.map(({ line, text }) => (
              <li key={line}>
                <strong>{t.line(line)}</strong> {text}
              </li>
            ))}
            {file.faultCount > file.faults.length && (
              <li>{t.others(file.faultCount - file.faults.length)}</li>
            )}
          </ul>
        </>
      ) : (
        <Form id={FORM_ID} className={styles.form} onSubmit={save}>
          <p>
            {t.found(file.pairs, file.origins)} {pairsBefore > 0 && t.before(pairsBefore)}{' '}
            {t.effect}
          </p>
          <TextField
            label={texts.preview.reason}
            description={texts.preview.reasonHint}
            required
            data-autofocus
            maxLength={MAX_REASON}
            value={reason}
            error={missing && reason.trim() === '' ? texts.preview.reasonMissing : null}
            onChange={event => setReason(event.currentTarget.value)}
          />
          {dropProblem !== null && (
            <>
              <Notice tone="red">{dropProblem}</Notice>
              <CheckField
                label={t.dropsPairs}
                checked={dropsPairs}
                onChange={event => setDropsPairs(event.currentTarget.checked)}
              />
            </>
          )}
          <ErrorLine>{error}</ErrorLine>
        </Form>
      )}
    </Dialog>
  )
}
