import { useState } from 'react'
import { useBulk } from './bulk-store.ts'

/** State that ends with the table it is about, such as an open question: another tab may submit some rows. */
export function useOfTable<Value>(none: Value): [Value, (value: Value) => void] {
  const key = useBulk(bulk => bulk.draft.key)
  const [state, setState] = useState({ key, value: none })
  if (state.key !== key) setState({ key, value: none })
  const set = (value: Value) => setState({ key: useBulk.getState().draft.key, value })
  return [state.key === key ? state.value : none, set]
}
