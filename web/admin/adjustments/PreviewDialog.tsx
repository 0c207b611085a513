/** What a file would change: who is charged what. Then it is applied. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AdjustmentPreview, AdjustmentPreviewLine } from '#contract/adjustments.ts'
import { groupTracking } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { randomUuid } from '#web/client/attempt.ts'
import { messageOf } from '#web/client/send.ts'
import type { TableFile } from '#web/client/table-file.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { FigureList } from '#web/ui/Card.tsx'
import { Dialog, LoadedReport } from '#web/ui/Dialog.tsx'
import { CheckNotices, ErrorLine, LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { signedMoneyText } from '#web/ui/money-text.ts'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import type { Tone } from '#web/ui/tone.ts'
import { texts } from './texts.ts'
import { useAdjustmentActions, useAdjustmentPreview } from './use-adjustments.ts'
import styles from './Adjustments.module.css'

const t = texts.preview

const TONE: Record<AdjustmentPreviewLine['state'], Tone> = {
  repeated: 'neutral',
  unmatched: 'red',
  absorbed: 'neutral',
  charged: 'blue',
  waiting: 'yellow',
  credited: 'green',
}

export function PreviewDialog({ file, onClose }: { file: TableFile; onClose: () => void }) {
  const [attempt] = useState(randomUuid)
  const { data: preview, isError, error, refetch } = useAdjustmentPreview(file, attempt)
  const { apply } = useAdjustmentActions()
  const { busy, refused, run } = useAction(t.applyFailed)
  const canApply =
    preview !== undefined
    && preview.faults.length === 0
    && preview.totals.repeated < preview.totals.lines
  const save = async () => {
    if (!preview) return
    toastSuccess(t.applied(await apply(file, preview.rulesSeen)))
    onClose()
  }
  return (
    <Dialog
      opened
      size="full"
      title={t.title}
      closeButton={canApply ? undefined : false}
      closeDisabledReason={busy ? t.wait : null}
      onClose={onClose}
      actions={
        // One button, so that it keeps the focus when the file cannot be checked.
        <>
          <Button data-autofocus disabledReason={busy ? t.wait : null} onClick={onClose}>
            {canApply ? t.cancel : t.close}
          </Button>
          {canApply && (
            <Button kind="ink" busy={busy} onClick={() => run(save)}>
              {t.apply}
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
        <LoadedReport name={t.title} className={styles.preview}>
          <CheckNotices notices={file.notices} />
          {preview.faults.length > 0 ? (
            <Faults faults={preview.faults} />
          ) : (
            <Report preview={preview} />
          )}
          <ErrorLine>{refused}</ErrorLine>
        </LoadedReport>
      )}
    </Dialog>
  )
}

function Faults({ faults }: { faults: AdjustmentPreview['faults'] }) {
  return (
    <>
      <Notice tone="red">{t.faults(faults.length)}</Notice>
      <ul className={styles.faults}>
        {faults.map(({ row, column, text }) => (
          <li key={`${row}.${column}.${text}`}>
            <strong>
              {t.row(row)}
              {column && `, ${column}`}
            </strong>{' '}
            {text}
          </li>
        ))}
      </ul>
    </>
  )
}

function Report({ preview }: { preview: AdjustmentPreview }) {
  const { totals, customers, lines, ignoredColumns } = preview
  const figures = [
    { name: t.figures.carrier, value: signedMoneyText(totals.carrierAmount) },
    { name: t.figures.charged, value: usdFromDollars(totals.charged) },
    { name: t.figures.waiting, value: usdFromDollars(totals.waiting) },
    { name: t.figures.credited, value: usdFromDollars(totals.credited) },
  ]
  return (
    <>
      <p>
        <strong>{t.summary(totals)}</strong>
      </p>
      {totals.repeated === totals.lines && <Notice tone="neutral">{t.nothing}</Notice>}
      <FigureList items={figures} />
      {totals.unmatched > 0 && <Notice tone="yellow">{t.unmatchedHint}</Notice>}
      {customers.length > 0 && <Customers customers={customers} />}
      <Lines lines={lines} all={totals.lines} />
      {ignoredColumns.length > 0 && <p className={styles.quiet}>{t.ignored(ignoredColumns)}</p>}
    </>
  )
}

function TableBox({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div
      ref={fadeAtEdges}
      className={styles.tableBox}
      role="region"
      aria-label={name}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a box that scrolls sideways must be reached by keyboard
      tabIndex={0}
    >
      {children}
    </div>
  )
}

function Customers({ customers }: { customers: AdjustmentPreview['customers'] }) {
  return (
    <TableBox name={t.customers}>
      <table className={styles.table}>
        <caption>{t.customers}</caption>
        <thead>
          <tr>
            <th scope="col">{t.customer}</th>
            {[t.lines, t.charged, t.waiting, t.credited].map(head => (
              <th key={head} scope="col" data-number>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {customers.map(({ user, lines, charged, waiting, credited }) => (
            <tr key={user._id}>
              <th scope="row">{user.name}</th>
              <td data-number>{lines}</td>
              {[charged, waiting, credited].map((amount, at) => (
                <td key={at} data-number>
                  {usdFromDollars(amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableBox>
  )
}

/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- roles of a table shown as cards */
/** With explicit roles: on phones its rows are cards, and browsers drop the roles of a table that is not displayed as one. */
function Lines({ lines, all }: { lines: AdjustmentPreviewLine[]; all: number }) {
  return (
    <TableBox name={t.details}>
      <table role="table" className={styles.table} data-lines>
        <caption>{t.details}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th role="columnheader" scope="col">
              {t.detail.row}
            </th>
            <th role="columnheader" scope="col">
              {t.detail.label}
            </th>
            <th role="columnheader" scope="col">
              {t.detail.reason}
            </th>
            <th role="columnheader" scope="col" data-number>
              {t.detail.carrier}
            </th>
            <th role="columnheader" scope="col" data-number>
              {t.detail.customer}
            </th>
            <th role="columnheader" scope="col">
              {texts.heads.state}
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {lines.map(line => (
            <tr role="row" key={line.row}>
              <td role="cell" data-head={t.detail.row}>
                {line.row}
              </td>
              <td role="cell">
                {line.orderId ? (
                  <Link to={`/admin/order-label-management/${line.orderId}`} target="_blank">
                    {texts.label(line.orderId)}
                  </Link>
                ) : (
                  <span className={styles.number}>{groupTracking(line.trackingNumber)}</span>
                )}
              </td>
              <td role="cell">
                {line.wasVoided ? `${line.reason}. ${texts.voided}` : line.reason}
              </td>
              <td role="cell" data-number data-head={t.detail.carrier}>
                {signedMoneyText(line.carrierAmount)}
              </td>
              <td role="cell" data-number data-head={t.detail.customer}>
                {signedMoneyText(line.amount)}
              </td>
              <td role="cell">
                <StatusPill tone={TONE[line.state]}>{t.states[line.state]}</StatusPill>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length < all && <p className={styles.quiet}>{t.more(lines.length, all)}</p>}
    </TableBox>
  )
}
