/** Between the files and the rows: what to decide, what is wrong and what to check. */
import { useMemo } from 'react'
import type { SavedAddress } from '#contract/addresses.ts'
import { LeftOutLines, leftOutCount } from '#web/batches/bulk/files/FileLine.tsx'
import { FileNotices, noteCount } from '#web/batches/bulk/files/FileNotices.tsx'
import type { BulkTableState } from '#web/batches/bulk/grid/use-bulk-table.ts'
import { OneLabelFor } from '#web/batches/bulk/parcels/OneLabelFor.tsx'
import { useGroupingOptions } from '#web/batches/bulk/parcels/use-grouping-options.ts'
import type { useGrouping } from '#web/batches/bulk/parcels/use-grouping.ts'
import { SeenBar } from '#web/batches/bulk/repeats/SeenBar.tsx'
import { useLeaveOut } from '#web/batches/bulk/repeats/use-leave-out.ts'
import type { SeenState } from '#web/batches/bulk/repeats/use-seen-before.ts'
import type { TablePrice } from '#web/batches/bulk/submit/use-table-price.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { useIsPhone, useIsWide } from '#web/ui/use-viewport.ts'
import { checkFacts } from './check-facts.ts'
import { ChecksFold } from './ChecksFold.tsx'
import { DownloadFaults, FaultBar, FaultChips, OnlyFaults } from './FaultBar.tsx'
import type { useFaults } from './use-faults.ts'
import type { PageFilter } from './use-page-filter.ts'
import type { useWarnings } from './use-warnings.ts'
import { WarningChips } from './WarningChips.tsx'
import styles from '#web/batches/bulk/Bulk.module.css'
import faultBar from './FaultBar.module.css'

type BulkNoticesProps = {
  userId: string
  table: BulkTableState
  price: TablePrice
  grouping: ReturnType<typeof useGrouping>
  seen: SeenState
  faults: ReturnType<typeof useFaults>
  warnings: ReturnType<typeof useWarnings>
  filter: PageFilter
  sender: SavedAddress | undefined
}

export function BulkNotices(props: BulkNoticesProps) {
  const { userId, table, price, grouping, seen, faults, warnings, filter, sender } = props
  const { draft, invalidRows, skus } = table
  const { rows } = draft
  const options = useGroupingOptions(userId, rows, skus, price)
  const leaveOut = useLeaveOut(table, seen)
  const { cause } = filter.filter
  const showCause = (key: string | undefined) => filter.change({ cause: key, faults: undefined })
  const wide = useIsWide()
  const hasFaults = invalidRows.length > 0
  // Of a single cause, the rows are shown beside it.
  const only = (faults.causes.length > 1 || filter.filter.faults) && (
    <OnlyFaults
      isOn={filter.filter.faults === true}
      onChange={isOn => filter.change({ faults: isOn || undefined, cause: undefined })}
    />
  )
  const download = <DownloadFaults onDownload={faults.download} />
  const phone = useIsPhone()
  const isGrouped =
    draft.grouping !== 'line' || options.some(one => one.labels < options[0]!.labels)
  const notes = useMemo(() => noteCount(draft.notices, rows), [draft.notices, rows])
  const choices = (
    <>
      <LeftOutLines files={draft.files} />
      {isGrouped && (
        <OneLabelFor value={draft.grouping} options={options} onChange={grouping.change} />
      )}
      {seen.seen && (
        <SeenBar seen={seen.seen} rows={rows} onLeaveOut={leaveOut} onKeep={seen.keep} />
      )}
    </>
  )
  const bar = (
    <FaultBar
      invalidCount={invalidRows.length}
      count={faults.count}
      place={faults.place}
      onBack={faults.back}
      onNext={faults.next}
      {...(wide && {
        tools: (
          <>
            {only}
            {download}
          </>
        ),
      })}
    />
  )
  const chips = (
    <FaultChips
      causes={faults.causes}
      shown={cause}
      onShow={showCause}
      sender={sender}
      onRemedy={faults.remedy}
      {...(!wide && { before: only, after: download })}
    />
  )
  const checks = (
    <>
      <WarningChips
        groups={warnings.groups}
        rowCount={warnings.rowCount}
        shown={cause}
        onShow={showCause}
        onTake={warnings.take}
        onSplit={warnings.split}
      />
      <FileNotices notices={draft.notices} rows={rows} files={draft.files.length} />
    </>
  )
  if (!phone)
    return (
      <>
        {choices}
        {/* Everything that is said about the rows is one band. */}
        <div
          className={hasFaults ? faultBar.band : styles.checks}
          data-short={(faults.causes.length === 1 && warnings.groups.length === 0) || undefined}
        >
          {bar}
          {chips}
          {checks}
        </div>
      </>
    )
  const facts = checkFacts({
    grouping: isGrouped ? draft.grouping : null,
    seen: seen.seen && (seen.repeats ?? null),
    causes: faults.causes.map(one => texts.causes.chip(one.rows, one.text)),
    warnings: warnings.rowCount,
    leftOut: leftOutCount(draft.files),
    notes,
  })
  return (
    <>
      {bar}
      <ChecksFold facts={facts} belowFaults={hasFaults}>
        {choices}
        {chips}
        <div className={styles.checks}>{checks}</div>
      </ChecksFold>
    </>
  )
}
