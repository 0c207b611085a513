/** What a file is by its first bytes, and whether a workbook may be unpacked: decided before it is. */
import { texts } from './texts.ts'

const MB = 1024 * 1024
const MAX_PACKED_MB = 64
export const MAX_UNPACKED_MB = 256
export const MAX_ENTRIES = 1000

type FileKind = 'zip' | 'compound' | 'webPage' | 'xmlWorkbook' | 'text'

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, at) => bytes[at] === byte)

/** `compound`: the container of .xls files and of protected workbooks. */
export function fileKind(bytes: Uint8Array): FileKind {
  // Local header, empty archive, spanned archive.
  if ([0x0403, 0x0605, 0x0807].some(mark => startsWith(bytes, [0x50, 0x4b, mark & 255, mark >> 8])))
    return 'zip'
  if (startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0])) return 'compound'
  const head = new TextDecoder('latin1')
    .decode(bytes.subarray(0, 2048))
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*/, '')
  if (/^<(?:!doctype html|html|head|meta|body|table)\b/i.test(head)) return 'webPage'
  return /^<\?xml/i.test(head) && /office:spreadsheet|<(?:\w+:)?workbook\b/i.test(head)
    ? 'xmlWorkbook'
    : 'text'
}

/** `packed`, `unpacked`: sizes in bytes as the directory states them. `at`: offset of the local header. */
export type ZipEntry = {
  name: string
  packed: number
  unpacked: number
  method: number
  encrypted: boolean
  at: number
}

const END = 0x06054b50
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const CENTRAL = 0x02014b50
const END_SIZE = 22
const MAX_COMMENT = 0xffff
const UNKNOWN_32 = 0xffffffff
const ZIP64_EXTRA = 1
const HAS_DESCRIPTOR = 8

/** The central directory of a ZIP file; 'many' beyond `MAX_ENTRIES`, null if it can’t be read. */
export function readDirectory(bytes: Uint8Array): ZipEntry[] | 'many' | null {
  try {
    return entriesOf(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function entriesOf(bytes: Uint8Array, view: DataView): ZipEntry[] | 'many' | null {
  const end = endOfDirectory(view)
  if (end === null) return null
  let count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  if (count === 0xffff || at === UNKNOWN_32 || view.getUint32(end + 12, true) === UNKNOWN_32) {
    if (view.getUint32(end - 20, true) !== LOCATOR64) return null
    const end64 = readSize(view, end - 12)
    if (view.getUint32(end64, true) !== END64) return null
    count = readSize(view, end64 + 32)
    at = readSize(view, end64 + 48)
  }
  if (count > MAX_ENTRIES) return 'many'
  const entries: ZipEntry[] = []
  for (let index = 0; index < count; index++) {
    if (view.getUint32(at, true) !== CENTRAL) return null
    const nameSize = view.getUint16(at + 28, true)
    const extraSize = view.getUint16(at + 30, true)
    const entry = entryAt(bytes, view, at, nameSize, extraSize)
    if (entry === null) return null
    entries.push(entry)
    at += 46 + nameSize + extraSize + view.getUint16(at + 32, true)
  }
  return entries
}

function endOfDirectory(view: DataView): number | null {
  const last = view.byteLength - END_SIZE
  for (let at = last; at >= Math.max(0, last - MAX_COMMENT); at--)
    if (view.getUint32(at, true) === END) return at
  return null
}

function entryAt(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  nameSize: number,
  extraSize: number,
): ZipEntry | null {
  const flags = view.getUint16(at + 8, true)
  const method = view.getUint16(at + 10, true)
  const extra = at + 46 + nameSize
  const sizes = largeSizes(view, extra, extraSize, [
    view.getUint32(at + 24, true),
    view.getUint32(at + 20, true),
    view.getUint32(at + 42, true),
  ])
  if (sizes === null) return null
  const [unpacked, packed, header] = sizes
  // Without a size nothing would limit what is unpacked. An empty part has up to 5 packed bytes.
  if (unpacked === 0 && packed > 16) return null
  if (packed === 0 && method !== 0 && (flags & HAS_DESCRIPTOR) !== 0) return null
  if (method === 0 && unpacked !== packed) return null
  return {
    name: new TextDecoder().decode(bytes.subarray(at + 46, extra)),
    packed,
    unpacked,
    method,
    encrypted: (flags & 1) !== 0,
    at: header,
  }
}

type Sizes = [unpacked: number, packed: number, header: number]

/** Sizes of 4 GB and more are in an extra field, in this order and only those. */
function largeSizes(view: DataView, extra: number, extraSize: number, sizes: Sizes): Sizes | null {
  if (!sizes.includes(UNKNOWN_32)) return sizes
  for (let at = extra; at + 4 <= extra + extraSize; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== ZIP64_EXTRA) continue
    let from = at + 4
    return sizes.map(size => {
      if (size !== UNKNOWN_32) return size
      from += 8
      return readSize(view, from - 8)
    }) as Sizes
  }
  return null
}

const readSize = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))

/**
 * Why a file that is no text can’t be read, naming it and a remedy, or the entries of a workbook.
 */
export function checkWorkbook(
  bytes: Uint8Array,
  fileName: string,
): { problem: string } | { entries: ZipEntry[] } {
  const refuse = (text: (file: string) => string) => ({ problem: text(fileName) })
  const kind = fileKind(bytes)
  if (kind === 'webPage') return refuse(texts.webPage)
  if (kind === 'xmlWorkbook') return refuse(texts.xmlWorkbook)
  if (kind === 'compound')
    return refuse(
      hasText16(bytes, 'EncryptedPackage') ? texts.protectedWorkbook : texts.oldWorkbook,
    )
  if (bytes.length > MAX_PACKED_MB * MB)
    return { problem: texts.packedTooLarge(fileName, MAX_PACKED_MB) }
  const entries = readDirectory(bytes)
  if (entries === null) return refuse(texts.broken)
  if (entries === 'many') return { problem: texts.tooManyParts(fileName, MAX_ENTRIES) }
  if (entries.some(({ encrypted }) => encrypted)) return refuse(texts.protectedWorkbook)
  const names = new Set(entries.map(({ name }) => name))
  const has = (pattern: RegExp) => entries.some(({ name }) => pattern.test(name))
  if (!names.has('[Content_Types].xml')) {
    if (names.has('content.xml')) return refuse(texts.openDocument)
    return refuse(has(/^Index(?:\/.*\.iwa|\.zip)$/) ? texts.numbersDocument : texts.archive)
  }
  if (has(/^(?:word|ppt)\//)) return refuse(texts.textDocument)
  if (has(/vbaProject\.bin$/i)) return refuse(texts.macros)
  if (has(/\bworkbook\.bin$/i)) return refuse(texts.binaryWorkbook)
  const unpacked = entries.reduce((sum, entry) => sum + entry.unpacked, 0)
  if (unpacked > MAX_UNPACKED_MB * MB)
    return { problem: texts.unpackedTooLarge(fileName, MAX_UNPACKED_MB) }
  return { entries }
}

/** Whether the bytes contain an ASCII text in UTF-16, as names in a compound file are. */
function hasText16(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let length = 1
    while (
      length < text.length
      && bytes[at + length * 2] === text.charCodeAt(length)
      && bytes[at + length * 2 - 1] === 0
    )
      length++
    if (length === text.length) return true
  }
  return false
}
