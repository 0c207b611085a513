import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ORDER_STATUSES } from '#contract/orders.ts'
import { servicesQuery } from '#web/client/queries.ts'
import { useShownAccount } from '#web/client/shown-account.tsx'
import { Button } from '#web/ui/Button.tsx'
import { DateRangeFields } from '#web/ui/DateRangeFields.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FiltersButton } from '#web/ui/FiltersButton.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { datePresetOptions, DATE_PRESETS, presetOfRange, rangeOfPreset } from './date-presets.ts'
import type { OrderFilterValues } from './order-filter.ts'
import { ORDER_STATUS_TEXT } from './order-status.ts'
import { ParcelStageField } from './ParcelStageField.tsx'
import { texts } from './texts.ts'
import styles from './OrderFilters.module.css'

type OrderFiltersProps = {
  values: OrderFilterValues
  setFilters: (changes: Partial<OrderFilterValues>) => void
  /** The number of orders, for screen readers. */
  found: string
}

/** The one row of tools of the list of orders. The filters are in the URL. */
export function OrderFilters({ values, setFilters, found }: OrderFiltersProps) {
  const { search, status, parcel, batchId } = values
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const chosen = [status, parcel, values.service, values.from || values.to].filter(Boolean).length
  return (
    <>
      <SearchField
        label={texts.search}
        hint={isPhone ? texts.searchShort : texts.searchHint}
        search={search}
        onSearch={words => setFilters({ search: words })}
        foundText={found}
        className={styles.search}
      />
      {isPhone && (
        <FiltersButton chosen={chosen} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      )}
      {(!isPhone || isOpen) && <FilterFields values={values} setFilters={setFilters} />}
      {batchId !== '' && (
        <Button
          icon={<IconX aria-hidden="true" />}
          onClick={() => setFilters({ batchId: '' })}
          aria-label={texts.clearBatch(batchId)}
        >
          {texts.inBatch(batchId)}
        </Button>
      )}
    </>
  )
}

function FilterFields({ values, setFilters }: Omit<OrderFiltersProps, 'found'>) {
  const statuses = [
    { value: '', label: texts.anyStatus },
    ...ORDER_STATUSES.map(value => ({ value, label: ORDER_STATUS_TEXT[value] })),
  ]
  return (
    <>
      <div className={styles.field}>
        <NativeSelectField
          label={texts.status}
          hideLabel
          error={null}
          data={statuses}
          value={values.status}
          onChange={event => setFilters({ status: event.currentTarget.value })}
        />
      </div>
      <ParcelStageField
        hideLabel
        value={values.parcel}
        onPick={stage => setFilters({ parcel: stage })}
        className={styles.field}
      />
      <ServiceFilter
        value={values.service}
        onPick={service => setFilters({ service })}
        className={styles.field}
      />
      <DateFilter values={values} setFilters={setFilters} />
    </>
  )
}

type ServiceFilterProps = {
  value: string
  onPick: (uid: string) => void
  className: string | undefined
}

/** The services that the user can buy, and that of an old link. */
function ServiceFilter({ value, onPick, className }: ServiceFilterProps) {
  const { _id: userId } = useShownAccount().user
  const { data } = useQuery(servicesQuery(userId))
  const services = (data ?? []).map(({ uid, name }) => ({ value: uid, label: name }))
  const isUnknown = value !== '' && !services.some(service => service.value === value)
  return (
    <div className={className}>
      <NativeSelectField
        label={texts.columns.service}
        hideLabel
        error={null}
        data={[
          { value: '', label: texts.anyService },
          ...services,
          ...(isUnknown ? [{ value, label: value }] : []),
        ]}
        value={value}
        onChange={event => onPick(event.currentTarget.value)}
      />
    </div>
  )
}

/** Asked each time: the page may stay open for days. */
const now = (): Date => new Date()

/** Usual ranges in one list; the last choice shows two days to fill in. */
function DateFilter({ values, setFilters }: Omit<OrderFiltersProps, 'found'>) {
  const { from, to } = values
  const [isChoosing, setChoosing] = useState(false)
  const preset = presetOfRange({ from, to }, now())
  const shown = isChoosing ? 'days' : preset
  const pick = (value: string) => {
    setChoosing(value === 'days')
    const chosen = DATE_PRESETS.find(one => one === value)
    if (chosen) setFilters(rangeOfPreset(chosen, now()))
    else if (value === '') setFilters({ from: '', to: '' })
  }
  return (
    <>
      <div className={styles.field}>
        <NativeSelectField
          label={texts.dates.name}
          hideLabel
          error={null}
          data={datePresetOptions()}
          value={shown}
          onChange={event => pick(event.currentTarget.value)}
        />
      </div>
      {shown === 'days' && (
        <div className={styles.days}>
          <DateRangeFields
            from={from}
            to={to}
            texts={texts.days}
            onChange={setFilters}
            className={styles.day}
          />
        </div>
      )}
    </>
  )
}
