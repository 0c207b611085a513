import type { SavedAddress } from '#contract/addresses.ts'
import { addressLines, cityLineOf, joinNonEmpty, searchAddresses } from '#web/addresses/draft.ts'
import { texts as addressTexts } from '#web/addresses/texts.ts'
import { useAddresses } from '#web/addresses/use-addresses.ts'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { ListTable } from '#web/ui/ListTable.tsx'
import type { Column } from '#web/ui/ListTable.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { rowsOfPage, usePaging } from '#web/ui/use-paging.ts'
import { useUrlFilters } from '#web/ui/use-url-filters.ts'
import { TwoLines } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import styles from './AccountLook.module.css'

const PAGE_SIZE = 10
const { columns: heads } = addressTexts

const NameOf = ({ address: { address_id: id, isDefault } }: { address: SavedAddress }) => (
  <span className={styles.named}>
    <span className={styles.name}>{id}</span>
    {isDefault && <StatusPill tone="neutral">{addressTexts.defaultSender}</StatusPill>}
  </span>
)

const COLUMNS: Column<SavedAddress>[] = [
  { head: heads.id, cell: address => <NameOf address={address} /> },
  { head: heads.who, cell: ({ name, company }) => <TwoLines first={name} second={company} /> },
  { head: heads.phone, cell: ({ phone }) => phone },
  { head: heads.street, cell: ({ street, street2 }) => joinNonEmpty(street, street2) },
  { head: heads.place, cell: cityLineOf },
]

export function LookAddresses() {
  const { list, failed, retry } = useAddresses()
  const { values, setFilters } = useUrlFilters(['search'])
  const found = list && searchAddresses(list, values.search)
  const paging = usePaging({ total: found?.length, size: PAGE_SIZE })
  return (
    <ListTable
      title={texts.part.addresses}
      note={list && list.length > 0 && addressTexts.count(list.length)}
      columns={COLUMNS}
      rows={rowsOfPage(found, paging)}
      rowKey={({ _id }) => _id}
      paging={paging}
      filters={
        (list?.length ?? 0) > PAGE_SIZE && (
          <SearchField
            label={addressTexts.search}
            hint={addressTexts.searchHint}
            search={values.search}
            onSearch={search => setFilters({ search })}
            foundText={values.search === '' ? '' : addressTexts.count(found?.length ?? 0)}
          />
        )
      }
      empty={{ title: values.search === '' ? texts.none : addressTexts.noneFound }}
      errorNotice={
        failed && <LoadErrorNotice onRetry={retry}>{addressTexts.failed.load}</LoadErrorNotice>
      }
      card={address => ({
        title: <NameOf address={address} />,
        details: addressLines(address),
      })}
    />
  )
}
