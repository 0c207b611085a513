import type { CarrierContext } from '#server/carriers/service.ts'
import type { FileStore } from '#server/platform/storage/port.ts'

/** Says after a commit that batches have made progress. Listeners must not throw. */
export type BatchProgressSignal = {
  emit(batchIds: number[]): void
  /** Returns a function that removes the listener. */
  onProgress(listener: (batchIds: number[]) => void): () => void
}

export type LabelContext = CarrierContext & {
  batchProgress: BatchProgressSignal
  /** Aborted at shutdown. Nothing is bought afterwards, so no request waits for it. */
  closing: AbortSignal
  files: FileStore
}
