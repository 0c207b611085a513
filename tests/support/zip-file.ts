/** ZIP files and workbooks built byte by byte, also with false sizes. */
import { crc32, deflateRawSync } from 'node:zlib'

/** `unpacked`, `packed`: sizes that the directory states, where they differ from the true ones. */
export type ZipPart = {
  name: string
  data: string | Uint8Array
  stored?: boolean
  unpacked?: number
  packed?: number
  flags?: number
}

export function zipFile(parts: readonly ZipPart[]): Uint8Array<ArrayBuffer> {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const part of parts) {
    const name = Buffer.from(part.name)
    const data = Buffer.from(part.data)
    const body = part.stored ? data : deflateRawSync(data)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(part.flags ?? 0, 2)
    fields.writeUInt16LE(part.stored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(part.packed ?? body.length, 14)
    fields.writeUInt32LE(part.unpacked ?? data.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const header = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, body])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, rest, name)
    files.push(header)
    at += header.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(at, 12)
  return new Uint8Array(
    Buffer.concat([...files, ...directory, Buffer.from('PK\x05\x06', 'latin1'), end]),
  )
}

const OOXML = 'http://schemas.openxmlformats.org'
const MAIN = `xmlns="${OOXML}/spreadsheetml/2006/main" xmlns:r="${OOXML}/officeDocument/2006/relationships"`
const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="rId${id}" Type="${OOXML}/officeDocument/2006/relationships/${type}" Target="${target}"/>`
const relations = (all: string[]) =>
  `<Relationships xmlns="${OOXML}/package/2006/relationships">${all.join('')}</Relationships>`

/** `sheetData`: the rows of the sheet as XML. `styles`: its number formats, by style index from 1. */
export type SheetXml = { name: string; sheetData: string; state?: 'hidden' | 'veryHidden' }

/** The parts of a workbook whose cells are written as given. */
export function workbookParts(
  sheets: readonly SheetXml[],
  { sharedStrings, formats = [] }: { sharedStrings?: string; formats?: string[] } = {},
): ZipPart[] {
  const others = sharedStrings === undefined ? ['styles'] : ['styles', 'sharedStrings']
  return [
    {
      name: '[Content_Types].xml',
      data: `<Types xmlns="${OOXML}/package/2006/content-types"/>`,
    },
    { name: '_rels/.rels', data: relations([relation(1, 'officeDocument', 'xl/workbook.xml')]) },
    {
      name: 'xl/workbook.xml',
      data: `<workbook ${MAIN}><sheets>${sheets
        .map(
          ({ name, state = 'visible' }, at) =>
            `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relations([
        ...sheets.map((_, at) => relation(at + 1, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
        ...others.map((name, at) => relation(1000 + at, name, `${name}.xml`)),
      ]),
    },
    {
      name: 'xl/styles.xml',
      data: `<styleSheet ${MAIN}><numFmts>${formats
        .map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`)
        .join('')}</numFmts><cellXfs><xf numFmtId="0"/>${formats
        .map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)
        .join('')}</cellXfs></styleSheet>`,
    },
    ...(sharedStrings === undefined
      ? []
      : [{ name: 'xl/sharedStrings.xml', data: `<sst ${MAIN}>${sharedStrings}</sst>` }]),
    ...sheets.map(({ sheetData }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      data: `<worksheet ${MAIN}><sheetData>${sheetData}</sheetData></worksheet>`,
    })),
  ]
}
