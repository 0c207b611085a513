import { useState } from 'react'
import { numberText } from '#contract/format.ts'
import { SKU_FIELDS } from '#contract/sku-rules.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import { pageCountFor } from '#web/ui/paging.ts'
import { rowsOfPage } from '#web/ui/use-paging.ts'
import type { SkuFileError } from './sku-file.ts'
import { texts } from './texts.ts'
import type { SkuUploadResult } from './use-sku-upload.ts'

const t = texts.file
const PAGE_SIZE = 5
const fieldLabelFor = (field: SkuFileError['field']): string =>
  SKU_FIELDS.find(({ name }) => name === field)?.label ?? field

/** The result of the last upload: the number of records, or why there are none. */
export function SkuUploadReport({
  result,
  onDismiss,
}: {
  result: SkuUploadResult
  onDismiss: () => void
}) {
  const dismiss = (
    <Button size="small" onClick={onDismiss}>
      {texts.dismiss}
    </Button>
  )
  if ('sentences' in result)
    return (
      <Notice tone="green" action={dismiss}>
        {result.sentences.join(' ')}
      </Notice>
    )
  const { text, invalid } = result.problem
  return (
    <>
      <Notice tone="red" action={dismiss}>
        {text}
      </Notice>
      {invalid.length > 0 && <SkuFileErrorTable title={t.errors(result.file)} invalid={invalid} />}
    </>
  )
}

function SkuFileErrorTable({
  title,
  invalid,
}: {
  title: string
  invalid: readonly SkuFileError[]
}) {
  const [page, setPage] = useState(1)
  const paging = { page, setPage, size: PAGE_SIZE, pages: pageCountFor(invalid.length, PAGE_SIZE) }
  return (
    <ListTable
      title={title}
      lines={1}
      rows={rowsOfPage(invalid, paging)}
      paging={paging}
      empty={{ title: '' }}
      rowKey={({ row, field }) => `${row}.${field}`}
      columns={[
        { head: t.columns.row, cell: ({ row }) => numberText(row) },
        { head: t.columns.field, cell: ({ field }) => fieldLabelFor(field) },
        { head: t.columns.message, cell: ({ message }) => message },
      ]}
      card={({ row, message }) => ({ title: t.row(row), details: [message] })}
    />
  )
}
