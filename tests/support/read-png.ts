/** Reads a PNG of a label with eyes that are not ours: a canvas draws it, a barcode reader reads what was drawn. For tests. */
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { readBarcodesOf, type Barcode, type Picture } from './read-pdf.ts'

/** `chunks` are the parts of the file by their names, `isBlack` is asked for a dot from the upper left corner. */
export type ReadPng = {
  width: number, height: number, chunks: Map<string, Buffer>, picture: Picture, isBlack(x: number, y: number): boolean
  barcode(): Promise<Barcode | null>
}

export async function readPng(bytes: Buffer): Promise<ReadPng> {
  const image = await loadImage(bytes)
  const canvas = createCanvas(image.width, image.height)
  const paint = canvas.getContext('2d')
  paint.drawImage(image, 0, 0)
  const { width, height, data } = paint.getImageData(0, 0, canvas.width, canvas.height)
  const picture = { width, height, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength) }
  return {
    width, height, picture, chunks: chunksOf(bytes), isBlack: (x, y) => data[(y * width + x) * 4]! === 0,
    barcode: async () => (await readBarcodesOf(picture))[0] ?? null,
  }
}

function chunksOf(bytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  }
  return chunks
}
