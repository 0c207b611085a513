import type { Readable } from 'node:stream'

/** Where bytes go: a file, a response. A sink that is slower than the writer answers with a promise. */
export type Sink = { write(chunk: Uint8Array): void | Promise<void> }

/** The `code` of the error that stands for a store of other people which does not answer. */
export const BUCKET_UNREACHABLE = 'BucketAway'

/**
 * Where label files are kept: .pdf, .png, .zpl, .csv, .txt. What is derived from rows can be made again; a name says nothing to who does
 * not know it. A store that cannot be used throws errors with a `code`.
 */
export type FileStore = {
  /** Writes the file whole or not at all, also when the process dies over it; a file of that name is replaced in one step. */
  write(
    name: string,
    produce: (sink: Sink) => Promise<void>,
  ): Promise<{ bytes: number; sha256: string }>
  /** Null when there is no such file. */
  read(name: string): Promise<{ stream: Readable; bytes: number } | null>
}
