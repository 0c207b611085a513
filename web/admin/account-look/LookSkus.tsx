import type { SkuField } from '#contract/sku-rules.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { searchSkus, skuLines } from '#web/skus/draft.ts'
import { texts as skuTexts } from '#web/skus/texts.ts'
import { useSkus } from '#web/skus/use-skus.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const PAGE_SIZE = 10
const { fields: heads } = skuTexts

const figure = (name: Exclude<SkuField, 'sku' | 'description'>): Column<SkuRecord> => ({
  head: heads[name],
  cell: record => record[name],
  align: 'end',
})

const COLUMNS: Column<SkuRecord>[] = [
  { head: heads.sku, cell: ({ sku }) => <span className={styles.name}>{sku}</span> },
  figure('maxQty'),
  figure('weight'),
  figure('length'),
  figure('width'),
  figure('height'),
  { head: heads.description, cell: ({ description }) => description },
]

export function LookSkus() {
  const { list, failed, retry } = useSkus()
  const { values, setFilters } = useUrlFilters(['search'])
  const found = list && searchSkus(list, values.search)
  const paging = usePaging({ total: found?.length, size: PAGE_SIZE })
  return (
    <ListTable
      title={texts.part.skus}
      note={list && list.length > 0 && skuTexts.count(list.length)}
      columns={COLUMNS}
      rows={rowsOfPage(found, paging)}
      rowKey={({ _id }) => _id}
      paging={paging}
      lines={1}
      filters={
        (list?.length ?? 0) > PAGE_SIZE && (
          <SearchField
            label={skuTexts.search}
            hint={skuTexts.searchHint}
            search={values.search}
            onSearch={search => setFilters({ search })}
            foundText={values.search === '' ? '' : skuTexts.count(found?.length ?? 0)}
          />
        )
      }
      empty={{ title: values.search === '' ? texts.none : skuTexts.noneFound }}
      errorNotice={
        failed && <LoadErrorNotice onRetry={retry}>{skuTexts.failed.load}</LoadErrorNotice>
      }
      card={record => ({
        title: <span className={styles.name}>{record.sku}</span>,
        details: skuLines(record),
      })}
    />
  )
}
