import { ORDER_STATUSES } from '#contract/orders.ts'
import { PickField } from '#web/ui/Field.tsx'
import type { FilterValues } from './filter.ts'
import { ORDER_WORD } from './order-status.ts'
import { ParcelField } from './ParcelField.tsx'
import { texts } from './texts.ts'
import styles from './Filters.module.css'

type FiltersProps = { values: FilterValues; put: (changes: Partial<FilterValues>) => void }

/** The fields that narrow the list of orders; each stands in the address. */
export function Filters({ values: { status, parcel }, put }: FiltersProps) {
  const data = [
    { value: '', label: texts.anyStatus },
    ...ORDER_STATUSES.map(value => ({ value, label: ORDER_WORD[value] })),
  ]
  return (
    <>
      <div className={styles.field}>
        <PickField
          label={texts.status}
          hideLabel
          error={null}
          data={data}
          value={status}
          onChange={event => put({ status: event.currentTarget.value })}
        />
      </div>
      <ParcelField
        hideLabel
        value={parcel}
        onPick={place => put({ parcel: place })}
        className={styles.field}
      />
    </>
  )
}
