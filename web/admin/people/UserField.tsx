/** Picks one user out of thousands: the server searches while one types. */
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listUsers } from '#contract/accounts.ts'
import type { Person } from '#contract/accounts.ts'
import { keys } from '#web/client/keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { SelectField } from '#web/ui/Field.tsx'
import { texts } from './texts.ts'

const RESTS_MS = 300
/** So many are offered at once; more words find fewer. */
const OFFERED = 20

type UserFieldProps = {
  label: string
  /** The id of the picked user, '' for all, or for none yet. */
  value: string
  onPick: (id: string) => void
  /** One has to be picked: 'All users' is not among them. */
  one?: boolean
}

export function UserField({ label, value, onPick, one = false }: UserFieldProps) {
  const [words, setWords] = useState('')
  const [rested] = useDebouncedValue(words, RESTS_MS)
  // Ids are found too, so one of a link gets its name.
  const picked = useFound(value).people.find(({ _id }) => _id === value)
  const pickedName =
    value === '' ? (one ? '' : texts.all) : picked ? nameOf(picked) : texts.unnamed(value)
  // The field shows the picked user's name as its words; nobody is searched by that.
  const found = useFound(rested === pickedName ? '' : rested, true)
  const others = found.people.filter(({ _id }) => _id !== value)
  const data = [
    ...(one ? [] : [{ value: '', label: texts.all }]),
    ...(value === '' ? [] : [{ value, label: pickedName }]),
    ...others.map(person => ({ value: person._id, label: nameOf(person) })),
  ]
  return (
    <SelectField
      wideList
      label={label}
      error={one && found.failed ? texts.failed : null}
      placeholder={texts.hint}
      data={data}
      value={one && value === '' ? null : value}
      onChange={id => onPick(id ?? '')}
      searchValue={words}
      onSearchChange={setWords}
      filter={({ options }) => options}
      // What is typed replaces the picked name.
      onFocus={event => event.currentTarget.select()}
    />
  )
}

const nameOf = ({ name, email }: Person): string => texts.person(name, email)

/** Users found by the words; '' finds the newest, where `always` wants anybody at all. */
function useFound(words: string, always = false): { people: Person[]; failed: boolean } {
  const { _id } = useUser()
  const { data, isError } = useQuery({
    queryKey: keys.people(_id, words),
    queryFn: ({ signal }) =>
      send(listUsers, { query: { limit: OFFERED, ...(words && { search: words }) } }, { signal }),
    placeholderData: keepPreviousData,
    meta: { failed: texts.failed },
    enabled: always || words !== '',
  })
  return { people: data ?? [], failed: isError }
}
