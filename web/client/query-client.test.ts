import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query-client.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  queryClient.clear()
})

test('a list loads without internet, because the server may be on the same machine', async () => {
  onlineManager.setOnline(false)
  const queryKey = ['7', 'orders']
  const loading = queryClient.fetchQuery({ queryKey, queryFn: async () => ['a label'] })
  expect(queryClient.getQueryState(queryKey)?.fetchStatus).toBe('fetching')
  expect(await loading).toEqual(['a label'])
})
