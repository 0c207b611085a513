import type { BatchProgressSignal } from '#server/orders/context.ts'
import { asNoUser } from '#server/platform/process/current-user.ts'

export function createBatchProgressSignal(): BatchProgressSignal {
  const listeners = new Set<(batchIds: number[]) => void>()
  return {
    emit(batchIds) {
      // Listeners start work that serves other users too.
      asNoUser(() => listeners.forEach(listener => listener(batchIds)))
    },
    onProgress(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
