import { useState } from 'react'
import { USER_SORTS, USER_STATUSES } from '#contract/accounts.ts'
import type { UserSort } from '#contract/accounts.ts'
import { Button } from '#web/ui/Button.tsx'
import { NativeSelectField } from '#web/ui/Field.tsx'
import { FiltersButton } from '#web/ui/FiltersButton.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { ROLE_OPTIONS } from './fields.tsx'
import { texts } from './texts.ts'
import type { useUsers } from './use-users.ts'
import styles from './Users.module.css'

const { tools } = texts
const ROLE_CHOICES = [{ value: '', label: tools.anyRole }, ...ROLE_OPTIONS]
const STATUS_CHOICES = [
  { value: '', label: tools.anyStatus },
  ...USER_STATUSES.map(value => ({ value, label: texts.status[value] })),
]
const SORT_CHOICES = USER_SORTS.map(value => ({ value, label: texts.sorts[value] }))
/** These start in ascending order, all others in descending. */
const ALPHABETIC_SORTS: readonly string[] = ['name', 'email', 'role'] satisfies UserSort[]

type UserFiltersProps = { users: ReturnType<typeof useUsers> }

/** Filters the list. On phones, which have no column heads, it sorts the list too; all but the search open by a button there. */
export function UserFilters({ users }: UserFiltersProps) {
  const { values, setFilters, narrowed, clear, total } = users
  const phone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const chosen = [values.role, values.status].filter(Boolean).length
  return (
    <>
      <SearchField
        label={tools.search}
        hint={phone ? tools.search : tools.hint}
        search={values.search}
        onSearch={search => setFilters({ search })}
        foundText={narrowed && total !== undefined ? texts.count(total) : ''}
        className={styles.search}
      />
      {phone && <FiltersButton chosen={chosen} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
      {(!phone || isOpen) && <FilterFields users={users} />}
      {narrowed && (
        <Button kind="quiet" onClick={clear}>
          {tools.clear}
        </Button>
      )}
    </>
  )
}

function FilterFields({ users: { values, setFilters, sorting } }: UserFiltersProps) {
  const phone = useIsPhone()
  return (
    <>
      <div className={styles.filter}>
        <NativeSelectField
          label={tools.role}
          hideLabel
          error={null}
          data={ROLE_CHOICES}
          value={values.role}
          onChange={event => setFilters({ role: event.currentTarget.value })}
        />
      </div>
      <div className={styles.filter}>
        <NativeSelectField
          label={tools.status}
          hideLabel
          error={null}
          data={STATUS_CHOICES}
          value={values.status}
          onChange={event => setFilters({ status: event.currentTarget.value })}
        />
      </div>
      {phone && (
        <div className={styles.filter}>
          <NativeSelectField
            label={tools.sort}
            hideLabel
            error={null}
            data={SORT_CHOICES}
            value={sorting.by}
            onChange={({ currentTarget: { value } }) =>
              sorting.onSort(value, ALPHABETIC_SORTS.includes(value) ? 'asc' : 'desc')
            }
          />
        </div>
      )}
    </>
  )
}
