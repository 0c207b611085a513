import type { CarrierContext } from '#server/carriers/service.ts'
import type { FileStore } from '#server/platform/storage/port.ts'

/** `areNew`: accepted by this process just now. */
export type ProgressListener = (batchIds: number[], areNew: boolean) => void

/** Says after a commit that batches have made progress. Listeners must not throw. */
export type BatchProgressSignal = {
  emit(batchIds: number[]): void
  /** Of a batch that this process has accepted just now. */
  emitAccepted(batchId: number): void
  /** Returns a function that removes the listener. */
  onProgress(listener: ProgressListener): () => void
}

export type LabelContext = CarrierContext & {
  batchProgress: BatchProgressSignal
  /** Aborted at shutdown. Nothing is bought afterwards, so no request waits for it. */
  closing: AbortSignal
  files: FileStore
}
