import { useRef, useState } from 'react'
import type { ConfiguredService, PriceRange } from '#contract/catalogue.ts'
import { priceRangesProblem, poundsText } from '#contract/price-ranges.ts'
import { ruleFrom, ruleText } from '#contract/price-rules.ts'
import { ApiError, messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, Notice } from '#web/ui/ErrorLine.tsx'
import { Form } from '#web/ui/Form.tsx'
import { useIsUnchanged } from '#web/ui/use-is-unchanged.ts'
import { useUnsavedChangesGuard } from '#web/ui/use-unsaved-changes-guard.ts'
import { CoverageBar } from './CoverageBar.tsx'
import { ParcelPrices } from './ParcelPrices.tsx'
import { nextPriceRange } from './price-coverage.ts'
import { toRanges, draftRangesFrom, sameRanges, invalidRangeFields } from './price-draft.ts'
import type { DraftRange } from './price-draft.ts'
import { PriceCurve } from './PriceCurve.tsx'
import { PriceHistory } from './PriceHistory.tsx'
import { RangeRow } from './RangeRow.tsx'
import { tableWireText } from './table-text.ts'
import { texts } from './texts.ts'
import type { ServiceActions } from './use-services.ts'
import styles from './Prices.module.css'

const t = texts.prices
const FORM_ID = 'price-ranges'

type PriceDialogProps = { service: ConfiguredService; actions: ServiceActions; onClose: () => void }

/** Edits the prices of a service: ranges, coverage, preview and history. */
export function PriceDialog({ service, actions, onClose }: PriceDialogProps) {
  const { name, maxWeight, prices, table, rule } = service
  const [rows, setRows] = useState(() => draftRangesFrom(prices))
  // The list is loaded again while the dialog is open; prices that the administrator has not seen here must not be replaced.
  const [seenPrices, setSeenPrices] = useState(prices)
  // The server's refusal names the newer prices: once the list has them, they are seen.
  const [isRefused, setRefused] = useState(false)
  if (isRefused && !sameRanges(prices, seenPrices)) {
    setSeenPrices(prices)
    setRefused(false)
  }
  const [nextKey, setNextKey] = useState(rows.length)
  const [reached, setReached] = useState(false)
  // Invalid fields are marked from the first attempt to save on.
  const [saveAttempted, setSaveAttempted] = useState(false)
  const [saveError, setSaveError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)

  const ranges = toRanges(rows)
  // Numbers: a field gives its text in another form when it is left.
  const isUnchanged = useIsUnchanged(
    ranges.flatMap(({ fromWeight, toWeight, price }) => [fromWeight, toWeight, price]),
  )
  const problem = saveAttempted ? priceRangesProblem(ranges, maxWeight) : null
  const wrong = saveAttempted ? invalidRangeFields(rows, maxWeight) : new Set<string>()
  // Saving ends a rule, and replaces a table even by its own highest prices.
  const edited = !sameRanges(ranges, prices)
  const changed = edited || table !== null || rule !== null

  const edit = (change: DraftRange[]) => {
    setRows(change)
    setReached(false)
    setSaveError(null)
  }
  const fill = (newPrices: readonly PriceRange[]) => {
    edit(draftRangesFrom(newPrices, nextKey))
    setNextKey(nextKey + newPrices.length)
  }
  const add = () => {
    const range = nextPriceRange(ranges, maxWeight)
    if (!range) return setReached(true)
    edit([...rows, ...draftRangesFrom([range], nextKey)])
    setNextKey(nextKey + 1)
  }
  const remove = (row: DraftRange) => {
    edit(rows.filter(old => old !== row))
    // The button goes with its row.
    addButton.current?.focus()
  }
  const save = async () => {
    setSaveAttempted(true)
    setSaveError(null)
    if (priceRangesProblem(ranges, maxWeight) !== null) return
    if (!changed) return onClose()
    setBusy(true)
    try {
      await actions.price({ ...service, prices: seenPrices }, ranges)
      if (isUnchanged()) return onClose()
      setSeenPrices(ranges)
      setBusy(false)
    } catch (reason) {
      if (reason instanceof ApiError && reason.status === 409) setRefused(true)
      setSaveError(messageOf(reason, texts.failed.prices))
      setBusy(false)
    }
  }
  const guard = useUnsavedChangesGuard(edited)
  const close = () => guard.leaveOrAsk(onClose)
  const free = ranges.filter(range => range.price === 0 && range.toWeight >= range.fromWeight)

  return (
    <Dialog
      isForm
      opened
      title={t.title(name)}
      onClose={close}
      closeDisabledReason={busy ? t.wait : null}
      actions={
        <>
          <Button disabledReason={busy ? t.wait : null} onClick={close}>
            {t.cancel}
          </Button>
          <Button kind="ink" type="submit" form={FORM_ID} busy={busy}>
            {t.save}
          </Button>
        </>
      }
    >
      <Form id={FORM_ID} className={styles.form} onSubmit={save}>
        {rule && <Notice tone="yellow">{t.byRule(ruleText(ruleFrom(rule)))}</Notice>}
        {table && <Notice tone="yellow">{t.table(tableWireText(table))}</Notice>}
        {rows.length > 0 && (
          <div className={styles.rows} data-single={rows.length === 1 || undefined}>
            <div className={styles.heads} aria-hidden="true">
              <span>{t.from}</span>
              <span>{t.to}</span>
              <span>{t.price}</span>
            </div>
            {rows.map((row, index) => (
              <RangeRow
                key={row.key}
                row={row}
                number={index + 1}
                isWrong={field => wrong.has(`${row.key}.${field}`)}
                onChange={(field, value) =>
                  edit(rows.map(old => (old === row ? { ...old, [field]: value } : old)))
                }
                onRemove={rows.length === 1 ? null : () => remove(row)}
              />
            ))}
          </div>
        )}
        <div className={styles.add}>
          <Button ref={addButton} size="small" onClick={add}>
            {t.add}
          </Button>
          <span role="status" className={styles.reached}>
            {reached && t.reached(maxWeight)}
          </span>
        </div>
        <CoverageBar ranges={ranges} maxWeight={maxWeight} />
        {free.length > 0 && (
          <Notice tone="yellow">
            {t.free(
              free
                .map(({ fromWeight, toWeight }) => poundsText({ from: fromWeight, to: toWeight }))
                .join(', '),
            )}
          </Notice>
        )}
        <ErrorLine>{problem ?? saveError}</ErrorLine>
      </Form>
      <ParcelPrices
        serviceUid={service.uid}
        before={changed ? prices : null}
        ranges={ranges}
        maxWeight={maxWeight}
      />
      <PriceCurve serviceUid={service.uid} ranges={ranges} maxWeight={maxWeight} />
      <PriceHistory
        source={actions.versions(service)}
        owner={actions.owner}
        serviceUid={service.uid}
        onUse={fill}
        onRestored={onClose}
      />
      <ConfirmDialog
        opened={guard.asking}
        question={t.confirmDiscard}
        description={t.discardText(name)}
        confirmLabel={t.discard}
        cancelLabel={t.keep}
        onConfirm={guard.discard}
        onCancel={guard.keep}
      />
    </Dialog>
  )
}
