/** What can be done with a bulk order of the list: the next steps as buttons, the rest in a menu. */
import {
  IconClipboardText,
  IconDownload,
  IconFileSpreadsheet,
  IconFileTypeCsv,
  IconList,
  IconListCheck,
  IconListDetails,
  IconPrinter,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react'
import { isTerminal } from '#contract/batch-status.ts'
import type { Batch } from '#contract/batches.ts'
import {
  downloadFailedRows,
  downloadFile,
  downloadPackingSlips,
  downloadPickList,
} from '#contract/downloads.ts'
import type { BatchFileKind } from '#contract/downloads.ts'
import type { Endpoint, RequestInput } from '#contract/endpoint.ts'
import { saveApiFile } from '#web/client/api-files.ts'
import { messageOf } from '#web/client/send.ts'
import { batchFileUrls } from '#web/orders/BatchFileLinks.tsx'
import { getLastFormat } from '#web/orders/print/last-format.ts'
import { packingOfBatch } from '#web/orders/print/print-options.ts'
import { ActionMenu } from '#web/ui/ActionMenu.tsx'
import type { MenuAction } from '#web/ui/ActionMenu.tsx'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import { toastError } from '#web/ui/toasts.ts'
import { followBatch, retryableLabels } from './batch-actions.ts'
import { batchName } from './batch-view.ts'
import { texts } from './texts.ts'
import { hasBoughtLabels } from './VoidUnusedDialog.tsx'

const t = texts.list

/** Element id of the menu, which gets the focus back from a dialog that it opened. */
export const batchMenuId = (batchId: string): string => `batch-menu-${batchId}`

type BatchActionsProps = {
  batch: Batch
  onRetry: () => void
  onDetails: () => void
  onVoid: () => void
  onPrint: () => void
  /** On a phone: the next step as a button, all else in the menu. */
  compact?: boolean
  /** Its faults are the ones to mend next: at most one order of the list. */
  leads?: boolean
}

/** The buttons and the menu. */
export const BatchActions = (props: BatchActionsProps) => (
  <>
    <BatchSteps {...props} />
    <BatchMenu {...props} />
  </>
)

export function BatchMenu({ batch, compact, ...on }: BatchActionsProps) {
  const menu = menuActions(batch, on, compact ? foldedActions(batch, on) : [])
  return (
    menu.length > 0 && (
      <ActionMenu id={batchMenuId(batch._id)} name={t.more(batchName(batch))} actions={menu} />
    )
  )
}

export function BatchSteps({ batch, compact, leads, ...on }: BatchActionsProps) {
  const retryable = retryableLabels(batch)
  const ofRow = { 'aria-description': batchName(batch) }
  return (
    <>
      {compact
        && batchFileUrls(batch._id, batch)
          .filter(({ kind }) => kind === 'pdf')
          .map(({ kind, url }) => (
            <ButtonLink
              key={kind}
              size="small"
              target="_blank"
              href={url}
              icon={<IconDownload aria-hidden="true" />}
              {...ofRow}
            >
              {t.files[kind]}
            </ButtonLink>
          ))}
      {!isTerminal(batch.status) && (
        <Button size="small" onClick={() => followBatch(batch)} {...ofRow}>
          {t.progress}
        </Button>
      )}
      {retryable.count > 0 && (
        <ButtonLink
          size="small"
          kind={leads ? 'ink' : 'outline'}
          to={`/main/bulk-order?failed=${batch._id}`}
          {...ofRow}
        >
          {t.fix(retryable.count, batch.failedCount)}
        </ButtonLink>
      )}
      {retryable.canRetry && !compact && (
        <Button size="small" onClick={on.onRetry} {...ofRow}>
          {t.retry}
        </Button>
      )}
    </>
  )
}

type Handlers = Pick<BatchActionsProps, 'onRetry' | 'onDetails' | 'onVoid' | 'onPrint'>

/** The buttons that a phone has no room for. */
function foldedActions(batch: Batch, { onRetry, onPrint }: Handlers): MenuAction[] {
  const { canRetry } = retryableLabels(batch)
  const files = batchFileUrls(batch._id, batch)
  const links = (wanted: BatchFileKind) =>
    files
      .filter(({ kind }) => kind === wanted)
      .map(({ kind, url }) => ({ text: t.files[kind], icon: IconDownload, href: url }))
  return [
    // The PDF is a button of the row.
    ...(batch.pdfName ? [{ text: t.printOptions, icon: IconPrinter, onClick: onPrint }] : []),
    ...links('auto-csv'),
    ...(canRetry ? [{ text: t.retry, icon: IconRefresh, onClick: onRetry }] : []),
  ]
}

function menuActions(
  batch: Batch,
  { onDetails, onVoid }: Handlers,
  folded: MenuAction[],
): MenuAction[] {
  const { _id: orderId, failedLabels } = batch
  const actions: MenuAction[] = []
  if (isTerminal(batch.status))
    actions.push({ text: t.seeLabels, icon: IconList, to: `/main/orders?batchId=${orderId}` })
  if (failedLabels.length > 0)
    actions.push({ text: t.details, icon: IconListDetails, onClick: onDetails })
  const files: MenuAction[] = []
  const result = batchFileUrls(orderId, batch).find(({ kind }) => kind === 'result-csv')
  if (result) files.push(...resultActions(orderId, folded.length > 0 ? result.url : null))
  if (retryableLabels(batch).count > 0) files.push(...failedRowsActions(orderId))
  const isBought = hasBoughtLabels(batch)
  // On the paper that was printed on last.
  const packingRequest = () => packingOfBatch({ orderId }, { format: getLastFormat() })
  const save = (call: typeof downloadPackingSlips | typeof downloadPickList) => () =>
    saveFile(call, packingRequest())
  const packing: MenuAction[] = isBought
    ? [
        { text: t.packingSlips, icon: IconClipboardText, onClick: save(downloadPackingSlips) },
        { text: t.pickList, icon: IconListCheck, onClick: save(downloadPickList) },
      ]
    : []
  const groups: MenuAction[][] = [
    folded,
    actions,
    files,
    packing,
    isBought ? [{ text: t.voidUnused, icon: IconTrash, danger: true, onClick: onVoid }] : [],
  ]
  return groups
    .filter(group => group.length > 0)
    .flatMap((group, i) => [{ ...group[0]!, dividerBefore: i > 0 }, ...group.slice(1)])
}

/** `csvUrl`: null where the row has a button for the CSV. */
function resultActions(orderId: string, csvUrl: string | null): MenuAction[] {
  const saveExcel = () =>
    saveFile(downloadFile, {
      params: { kind: 'result-csv', name: orderId },
      query: { format: 'xlsx' },
    })
  return [
    ...(csvUrl === null ? [] : [{ text: t.result.csv, icon: IconFileTypeCsv, href: csvUrl }]),
    { text: t.result.xlsx, icon: IconFileSpreadsheet, onClick: saveExcel },
  ]
}

const failedRowsActions = (orderId: string): MenuAction[] =>
  (['csv', 'xlsx'] as const).map(format => ({
    text: t.failedRows[format],
    icon: format === 'csv' ? IconFileTypeCsv : IconFileSpreadsheet,
    onClick: () => saveFile(downloadFailedRows, { params: { orderId }, query: { format } }),
  }))

/** A file under the server's name; a refusal is shown on the page. */
function saveFile<C extends Endpoint>(call: C, request: RequestInput<C>): void {
  saveApiFile(call, request, new AbortController().signal).catch((reason: unknown) =>
    toastError(messageOf(reason, t.fileFailed)),
  )
}
