import { expect, onTestFinished, test, vi } from 'vitest'
import { row } from '#tests/support/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { commitDraft, useBulk } from './bulk-store.ts'

test('a browser that cannot save the table says so once, and draws the page once for an edit', async () => {
  onTestFinished(() => useBulk.setState(useBulk.getInitialState(), true))
  useBulk.setState({ userId: '7' })
  const commit = () => {
    const one: GridRow = { ...row(1), id: 'row-1', line: 1, notices: [] }
    commitDraft({ ...useBulk.getState().draft, rows: [one] })
  }
  commit()
  await vi.waitFor(() => expect(useBulk.getState().unsaved).toBe(true))
  const listener = vi.fn<() => void>()
  onTestFinished(useBulk.subscribe(listener))
  commit()
  await new Promise(done => setTimeout(done, 20))
  expect(listener).toHaveBeenCalledOnce()
})
