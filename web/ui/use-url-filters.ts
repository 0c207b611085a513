import { useSearchParams } from 'react-router'

/**
 * The filters of a list, in the URL (`?search=june&from=2026-11-01`). `values` has '' for an unset field. `setFilters` changes
 * some fields and goes to page 1; '' removes a field.
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
    isFiltered: fields.some(field => values[field] !== ''),
    clear: () =>
      setFilters(Object.fromEntries(fields.map(field => [field, ''])) as Record<Field, string>),
  }
}
