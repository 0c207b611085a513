import { ORDER_STATUSES } from '#contract/orders.ts'
import { NativeSelectField } from '#web/ui/Field.tsx'
import type { OrderFilterValues } from './order-filter.ts'
import { ORDER_STATUS_TEXT } from './order-status.ts'
import { ParcelStageField } from './ParcelStageField.tsx'
import { texts } from './texts.ts'
import styles from './OrderFilters.module.css'

type OrderFiltersProps = {
  values: OrderFilterValues
  setFilters: (changes: Partial<OrderFilterValues>) => void
}

/** The filters of the list of orders. They are in the URL. */
export function OrderFilters({ values: { status, parcel }, setFilters }: OrderFiltersProps) {
  const data = [
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
          data={data}
          value={status}
          onChange={event => setFilters({ status: event.currentTarget.value })}
        />
      </div>
      <ParcelStageField
        hideLabel
        value={parcel}
        onPick={stage => setFilters({ parcel: stage })}
        className={styles.field}
      />
    </>
  )
}
