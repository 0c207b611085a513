import { useSearchParams } from 'react-router'

/**
 * What a list is narrowed to, held by the URL (`?search=june&from=2026-11-01`), so that links, Back and reload find it again.
 * `values` has the given fields alone, '' where nothing is said. `put` changes some and begins at page 1; '' takes a field away.
 */
export function useUrlFilters<Field extends string>(fields: readonly Field[]) {
  const [params, setParams] = useSearchParams()
  const values = Object.fromEntries(
    fields.map(field => [field, params.get(field)?.trim() ?? '']),
  ) as Record<Field, string>
  const setFilters = (changes: Partial<Record<Field, string>>) =>
    setParams(
      old => {
        const next = new URLSearchParams(old)
        next.delete('page')
        for (const [field, value] of Object.entries<string | undefined>(changes)) {
          if (value) next.set(field, value)
          else next.delete(field)
        }
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  return {
    values,
    setFilters,
    /** Whether the list is narrowed at all. */
    isFiltered: fields.some(field => values[field] !== ''),
    clear: () =>
      setFilters(Object.fromEntries(fields.map(field => [field, ''])) as Record<Field, string>),
  }
}
