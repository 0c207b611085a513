import type { BatchProgressSignal } from '#server/orders/context.ts'

export function createBatchProgressSignal(): BatchProgressSignal {
  const listeners = new Set<(batchIds: number[]) => void>()
  return {
    emit(batchIds) {
      for (const listener of listeners) listener(batchIds)
    },
    onProgress(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
