import { notifyFiltersCleared } from './filters-cleared.ts'
import { useUrlSearch } from './use-url-search.ts'

/**
 * The filters of a list, in the URL (`?search=june&from=2026-11-01`). `values` has '' for an unset field. `setFilters` changes
 * some fields and goes to page 1; '' removes a field. `clear` removes all, and what is typed in a `SearchField` but not searched for.
 */
export function useUrlFilters<Field extends string>(fields: readonly Field[]) {
  const [search, changeSearch] = useUrlSearch()
  const values = Object.fromEntries(
    fields.map(field => [field, search.get(field)?.trim() ?? '']),
  ) as Record<Field, string>
  const setFilters = (changes: Partial<Record<Field, string>>) =>
    changeSearch(
      next => {
        next.delete('page')
        for (const [field, value] of Object.entries<string | undefined>(changes)) {
          if (value) next.set(field, value)
          else next.delete(field)
        }
      },
      { replace: true },
    )
  const clear = () => {
    notifyFiltersCleared()
    setFilters(Object.fromEntries(fields.map(field => [field, ''])) as Record<Field, string>)
  }
  return { values, setFilters, isFiltered: fields.some(field => values[field] !== ''), clear }
}
