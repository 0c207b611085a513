import { createHash } from 'node:crypto'

const FILE_NAME = /^[A-Za-z0-9_-]{1,200}\.(?:pdf|csv|txt|png|zpl)$/

/**
 * Where a file stands, on a disk as in a bucket: 'a3/batch-1.pdf', spread over 256 shelves by the sum of its name. The same place in
 * both, so that a folder is carried into a bucket, or back, as it is. Throws when the name is none of ours.
 */
export function storageKeyFor(name: string): string {
  if (!FILE_NAME.test(name)) throw new Error('not a name of a label file')
  return `${createHash('sha256').update(name).digest('hex').slice(0, 2)}/${name}`
}
