import { createHash } from 'node:crypto'

/**
 * Path of a file, on disk and in a bucket alike: 'a3/batch-1.pdf'. The folder is the start of the
 * name's SHA-256. Throws when `allowedNames` does not match.
 */
export function storageKeyFor(name: string, allowedNames: RegExp): string {
  if (!allowedNames.test(name)) throw new Error('not a name of a stored file')
  return `${createHash('sha256').update(name).digest('hex').slice(0, 2)}/${name}`
}
