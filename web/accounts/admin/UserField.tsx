/** Picks one of thousands of users. The server searches while the administrator types. */
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
/** Suggestions at once; a longer search text finds fewer. */
const MAX_SUGGESTED_USERS = 20

type UserFieldProps = {
  label: string
  /** The id of the picked user; '' for all users, or for none yet. */
  value: string
  onPick: (id: string) => void
  /** Without the option 'All users'. */
  required?: boolean
  'data-autofocus'?: boolean
}

export function UserField({
  label,
  value,
  onPick,
  required = false,
  'data-autofocus': autofocus,
}: UserFieldProps) {
  const [search, setSearch] = useState('')
  const [debouncedSearch] = useDebouncedValue(search, SEARCH_DEBOUNCE_MS)
  // The search finds ids too, so an id from a link gets its name.
  const picked = useUserSearch(value).people.find(({ _id }) => _id === value)
  const pickedName =
    value === '' ? (required ? '' : texts.all) : picked ? personText(picked) : texts.unnamed(value)
  // The field shows the name of the picked user as its text. That text is not a search.
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
      data-unset={value === '' || undefined}
      data-autofocus={autofocus}
      onChange={id => onPick(id ?? '')}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      // Typing replaces the picked name.
      onFocus={event => event.currentTarget.select()}
    />
  )
}

/** The name of the user in a filter; their id until it is known. */
export function useUserName(id: string): string {
  const { people } = useUserSearch(id)
  return people.find(({ _id }) => _id === id)?.name ?? texts.unnamed(id)
}

const personText = ({ name, email }: UserSummary): string => texts.person(name, email)

/** An empty search finds the newest users, but only if `always`. */
function useUserSearch(search: string, always = false): { people: UserSummary[]; failed: boolean } {
  const { _id } = useUser()
  const { data, isError } = useQuery({
    queryKey: queryKeys.userSearch(_id, search),
    queryFn: ({ signal }) =>
      send(
        listUsers,
        { query: { limit: MAX_SUGGESTED_USERS, ...(search && { search }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    meta: { errorToast: texts.failed },
    enabled: always || search !== '',
  })
  return { people: data ?? [], failed: isError }
}
