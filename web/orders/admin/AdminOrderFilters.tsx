import { useState } from 'react'
import { ORDER_STATES, ORDER_STATUSES } from '#contract/orders.ts'
import { PARCEL_STAGE_TEXTS } from '#contract/tracking.ts'
import { UserField, useUserName } from '#web/accounts/admin/UserField.tsx'
import { ParcelStageField } from '#web/orders/ParcelStageField.tsx'
import { texts as orderTexts } from '#web/orders/texts.ts'
import { dayText } from '#web/ui/calendar.ts'
import { DateRangeFields } from '#web/ui/DateRangeFields.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FilterChips } from '#web/ui/FilterChips.tsx'
import { FiltersButton } from '#web/ui/FiltersButton.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { adminOrderFilterFrom, isBatchIdOrEmpty } from './admin-order-filter.ts'
import type { AdminOrderFilterValues } from './admin-order-filter.ts'
import { texts } from './texts.ts'
import styles from './OrderLabelManagement.module.css'

type AdminOrderFiltersProps = {
  values: AdminOrderFilterValues
  setFilters: (changes: Partial<AdminOrderFilterValues>) => void
  /** The number of labels, for screen readers. */
  found: string
}

/** The filters of the list of labels. They are in the URL. A phone shows the search, and the others on demand. */
export function AdminOrderFilters(props: AdminOrderFiltersProps) {
  const { values, setFilters, found } = props
  const { search, ...others } = values
  const phone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const chosen = Object.values(others).filter(Boolean).length
  return (
    <>
      <SearchField
        label={texts.search}
        hideLabel={phone}
        hint={phone ? texts.search : values.userId ? texts.searchHintOfUser : texts.searchHint}
        search={search}
        onSearch={typed => setFilters({ search: typed })}
        foundText={found}
        className={styles.search}
      />
      {phone && <FiltersButton chosen={chosen} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
      {(!phone || isOpen) && <OtherFilters {...props} />}
    </>
  )
}

function OtherFilters({ values, setFilters }: Omit<AdminOrderFiltersProps, 'found'>) {
  return (
    <>
      <div className={styles.field}>
        <StatusField values={values} setFilters={setFilters} />
      </div>
      <ParcelStageField
        value={values.parcel}
        onPick={parcel => setFilters({ parcel })}
        className={styles.field}
      />
      <SearchField
        label={texts.batch}
        hideLabel={false}
        hint={texts.batchHint}
        inputMode="numeric"
        search={values.batchId}
        onSearch={batchId => setFilters({ batchId })}
        error={isBatchIdOrEmpty(values.batchId) ? null : texts.noBatch}
        className={styles.batch}
      />
      <div className={styles.person}>
        <UserField
          label={texts.user}
          value={values.userId}
          onPick={userId => setFilters({ userId })}
        />
      </div>
      <DateRangeFields
        from={values.from}
        to={values.to}
        texts={texts.days}
        onChange={setFilters}
        className={styles.day}
      />
    </>
  )
}

/** What the fields above are set to; a value that filters nothing has no chip. */
export function AdminOrderChips({
  values,
  setFilters,
  onClear,
}: Omit<AdminOrderFiltersProps, 'found'> & { onClear: () => void }) {
  const { search, status, state, parcel, userId, batchId, from, to } = adminOrderFilterFrom(values)
  const user = useUserName(userId ?? '')
  const chip = (
    name: string,
    value: string | false | undefined,
    ...fields: (keyof AdminOrderFilterValues)[]
  ) =>
    value
      ? [
          {
            name,
            value,
            onRemove: () => setFilters(Object.fromEntries(fields.map(field => [field, '']))),
          },
        ]
      : []
  return (
    <FilterChips
      clearText={texts.clear}
      onClear={onClear}
      chips={[
        ...chip(texts.search, search, 'search'),
        ...chip(
          texts.status,
          (state && texts.states[state]) ?? (status && texts.statuses[status]),
          'state',
          'status',
        ),
        ...chip(orderTexts.parcel, parcel && PARCEL_STAGE_TEXTS[parcel], 'parcel'),
        ...chip(texts.batch, batchId, 'batchId'),
        ...chip(texts.user, userId !== undefined && user, 'userId'),
        ...chip(texts.days.from, from !== undefined && dayText(values.from), 'from'),
        ...chip(texts.days.to, to !== undefined && dayText(values.to), 'to'),
      ]}
    />
  )
}

/** One list for two fields: `status`, which the customer sees, and the detailed `state`. */
function StatusField({
  values: { status, state },
  setFilters,
}: Pick<AdminOrderFiltersProps, 'values' | 'setFilters'>) {
  const { statuses, states } = texts
  const data = [
    { value: '', label: statuses.all },
    {
      group: statuses.customerView,
      items: ORDER_STATUSES.map(value => ({ value: `status:${value}`, label: statuses[value] })),
    },
    {
      group: statuses.detailed,
      items: ORDER_STATES.map(value => ({ value: `state:${value}`, label: states[value] })),
    },
  ]
  const value = state ? `state:${state}` : status ? `status:${status}` : ''
  return (
    <NativeSelectField
      label={texts.status}
      error={null}
      data={data}
      value={value}
      onChange={event => {
        const [field, value = ''] = event.currentTarget.value.split(':')
        setFilters({
          status: field === 'status' ? value : '',
          state: field === 'state' ? value : '',
        })
      }}
    />
  )
}
