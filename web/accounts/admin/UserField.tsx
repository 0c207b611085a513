/** Picks one user out of thousands: the server searches while one types. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listUsers } from '#contract/accounts.ts'
import type { UserSummary } from '#contract/accounts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { SelectField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'

const SEARCH_DEBOUNCE_MS = 300
/** So many are offered at once; more words find fewer. */
const MAX_SUGGESTED_USERS = 20

type UserFieldProps = {
  label: string
  /** The id of the picked user, '' for all, or for none yet. */
  value: string
  onPick: (id: string) => void
  /** One has to be picked: 'All users' is not among them. */
  required?: boolean
}

export function UserField({ label, value, onPick, required = false }: UserFieldProps) {
  const [search, setSearch] = useState('')
  const [debouncedSearch] = useDebouncedValue(search, SEARCH_DEBOUNCE_MS)
  // Ids are found too, so one of a link gets its name.
  const picked = useUserSearch(value).people.find(({ _id }) => _id === value)
  const pickedName =
    value === '' ? (required ? '' : texts.all) : picked ? personText(picked) : texts.unnamed(value)
  // The field shows the picked user's name as its words; nobody is searched by that.
  const found = useUserSearch(debouncedSearch === pickedName ? '' : debouncedSearch, true)
  const others = found.people.filter(({ _id }) => _id !== value)
  const data = [
    ...(required ? [] : [{ value: '', label: texts.all }]),
    ...(value === '' ? [] : [{ value, label: pickedName }]),
    ...others.map(person => ({ value: person._id, label: personText(person) })),
  ]
  return (
    <SelectField
      wideList
      label={label}
      error={required && found.failed ? texts.failed : null}
      placeholder={texts.hint}
      data={data}
      value={required && value === '' ? null : value}
      onChange={id => onPick(id ?? '')}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      // What is typed replaces the picked name.
      onFocus={event => event.currentTarget.select()}
    />
  )
}

const personText = ({ name, email }: UserSummary): string => texts.person(name, email)

/** Users found by the words; '' finds the newest, where `always` wants anybody at all. */
function useUserSearch(search: string, always = false): { people: UserSummary[]; failed: boolean } {
  const { _id } = useUser()
  const { data, isError } = useQuery({
    queryKey: queryKeys.userSearch(_id, search),
    queryFn: ({ signal }) =>
      send(
        listUsers,
        { query: { limit: MAX_SUGGESTED_USERS, ...(search && { search: search }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    meta: { errorToast: texts.failed },
    enabled: always || search !== '',
  })
  return { people: data ?? [], failed: isError }
}
