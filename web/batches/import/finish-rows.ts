/** The last steps for rows of every source. */
import { isMangledNumber, suggestZip, withGroupName } from '#contract/row-rules.ts'
import { fieldByName, FIELDS, phoneExtension, tidyCells } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { isFarTooLong, shortenText } from '#contract/text.ts'
import { sortBySku } from '#web/batches/bulk/parcels/sku-fill.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { fillFromSku, indexBySku } from '#web/skus/fill.ts'
import type { RowDraft, SenderAddress } from './row-draft.ts'
import { texts } from './texts.ts'

/** The drafts themselves, tidied, repaired, filled from the SKU records, sorted, with ids. */
export function finishRows(
  drafts: readonly RowDraft[],
  context: { skus: Iterable<SkuMeasures>; senderAddress?: SenderAddress },
): GridRow[] {
  const skus = indexBySku(context.skus)
  const saved = context.senderAddress
  const filled = drafts.map(row => {
    noteLineBreaks(row)
    tidyCells(row)
    repairPhone(row, 'ToPhone')
    if (row.FromPhone !== saved?.phone) repairPhone(row, 'FromPhone')
    repairZip(row, 'ToZipPostal', row.ToStateProvince)
    if (row.FromZipPostal !== saved?.zip) repairZip(row, 'FromZipPostal', row.FromStateProvince)
    return fillFromSku(row, skus.get(row.skuNumber))
  })
  const rows = sortBySku(filled)
  rows.forEach((row, index) => (row.id = `row-${index}`))
  return rows
}

/** Parts of an address that a file may break into lines. */
const ADDRESS_TEXTS = FIELDS.filter(({ name }) => /(?:Name|Company|Street[12])$/.test(name)).filter(
  ({ group }) => group === 'From' || group === 'To',
)

const LINE_BREAK = /[\r\n]/

/** A label has one line for each of them. */
function noteLineBreaks(row: RowDraft): void {
  for (const { name, label } of ADDRESS_TEXTS)
    if (LINE_BREAK.test(row[name]) && LINE_BREAK.test(row[name].trim()))
      row.notices.push(texts.linesJoined(withGroupName(name, label)))
}

const USUAL_PHONE = /^\+?[\d\s()-]*$/

/** A phone is optional: one that is no number is left out with a note instead of stopping the row. */
function repairPhone(row: RowDraft, name: 'FromPhone' | 'ToPhone'): void {
  const phone = row[name]
  if (phone === '' || isFarTooLong(phone, fieldByName(name).max) || USUAL_PHONE.test(phone)) return
  if (phoneExtension(phone) !== '') {
    row.notices.push(texts.phoneExtension(phone))
    return
  }
  const note = isMangledNumber(phone)
    ? texts.mangledPhone(phone)
    : phone.includes('*')
      ? texts.maskedPhone(shortenText(phone))
      : /\d/.test(phone)
        ? null
        : texts.phoneWithoutDigits(shortenText(phone))
  if (note !== null) {
    row[name] = ''
    row.notices.push(note)
  }
}

/** Puts back the leading zeros that spreadsheets drop, where the state proves them. */
function repairZip(row: RowDraft, name: 'FromZipPostal' | 'ToZipPostal', state: string): void {
  const zip = row[name]
  if (zip.length === 5 || zip.length > 9) return
  const complete = suggestZip(zip, state)
  if (complete === null) return
  row.notices.push(texts.zipCompleted(fieldByName(name).label, zip, complete))
  row[name] = complete
}
