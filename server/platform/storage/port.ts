import type { Readable } from 'node:stream'

/** Returns a promise when it is slower than the writer. */
export type Sink = { write(chunk: Uint8Array): void | Promise<void> }

export const BUCKET_UNREACHABLE = 'BucketAway'

/**
 * Stores files under names that cannot be guessed. Errors of a store that cannot be used have a
 * `code`.
 */
export type FileStore = {
  /** It has room for any file, and may keep every version of one and bill it. */
  isBucket?: true
  /**
   * Writes the complete file or nothing, also when the process dies. An existing file is replaced
   * in one step.
   */
  write(
    name: string,
    produce: (sink: Sink) => Promise<void>,
  ): Promise<{ bytes: number; sha256: string }>
  read(name: string): Promise<{ stream: Readable; bytes: number } | null>
}
