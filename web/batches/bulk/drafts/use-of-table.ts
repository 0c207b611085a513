import { useState } from 'react'
import { useBulk } from './bulk-store.ts'

/** State that ends with the rows it is about, such as an open question: another tab submits some, or a file is read again. */
export function useOfTable<Value>(none: Value): [Value, (value: Value) => void] {
  const key = useBulk(bulk => bulk.draft.key)
  const files = useBulk(bulk => bulk.draft.files)
  const [state, setState] = useState({ key, files, value: none })
  const isOfTable = state.key === key && state.files.every((file, at) => file === files[at])
  if (!isOfTable) setState({ key, files, value: none })
  const set = (value: Value) => {
    const { draft } = useBulk.getState()
    setState({ key: draft.key, files: draft.files, value })
  }
  return [isOfTable ? state.value : none, set]
}
