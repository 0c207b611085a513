import type { BatchProgressSignal, ProgressListener } from '#server/orders/context.ts'
import { asNoUser } from '#server/platform/process/current-user.ts'

export function createBatchProgressSignal(): BatchProgressSignal {
  const listeners = new Set<ProgressListener>()
  // Listeners start work that serves other users too.
  const tell: ProgressListener = (batchIds, areNew) =>
    asNoUser(() => listeners.forEach(listener => listener(batchIds, areNew)))
  return {
    emit: batchIds => tell(batchIds, false),
    emitAccepted: batchId => tell([batchId], true),
    onProgress(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
