/** Reads one part of a ZIP file piece by piece, so that a large one is never in memory whole. */
import type { ZipEntry } from './workbook-safety.ts'

/** Throws if the part is damaged or larger than the directory states. */
async function* piecesOf(bytes: Uint8Array, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start =
    entry.at + 30 + view.getUint16(entry.at + 26, true) + view.getUint16(entry.at + 28, true)
  const packed = bytes.subarray(start, start + entry.packed)
  if (entry.method === 0) return yield packed
  const reader = new Response(packed as Uint8Array<ArrayBuffer>)
    .body!.pipeThrough(new DecompressionStream('deflate-raw'))
    .getReader()
  let left = entry.unpacked
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      left -= value.length
      if (left < 0) throw new RangeError(`${entry.name} is larger than stated`)
      yield value
    }
  } finally {
    // A damaged stream rejects here once more.
    await reader.cancel().catch(() => undefined)
  }
}

const LESS_THAN = 0x3c

export async function countTags(bytes: Uint8Array, entry: ZipEntry): Promise<number> {
  let count = 0
  for await (const piece of piecesOf(bytes, entry))
    for (const byte of piece) if (byte === LESS_THAN) count++
  return count
}

export const readText = (bytes: Uint8Array, entry: ZipEntry): Promise<string> =>
  readEnd(bytes, entry, Infinity)

/** The text at the end of a part, at least `length` bytes of it where it has as many. */
export async function readEnd(bytes: Uint8Array, entry: ZipEntry, length: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let kept = 0
  for await (const piece of piecesOf(bytes, entry)) {
    pieces.push(piece)
    kept += piece.length
    while (kept - pieces[0]!.length >= length) kept -= pieces.shift()!.length
  }
  const decoder = new TextDecoder()
  return pieces.map(piece => decoder.decode(piece, { stream: true })).join('')
}
