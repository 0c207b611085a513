/** Whether two rows go to the same address or the same receiver. */
import type { BulkRow } from './rows.ts'
import { stateCode } from './states.ts'
import { normalizeText } from './text.ts'

const PLAIN = /^[A-Z0-9]*(?: [A-Z0-9]+)*$/
const ASCII = /^[\x20-\x7e]*$/
const MARKS = /['’`.]+/g
const NO_WORD = /[^A-Z0-9]+/g
const NO_WORD_UNICODE = /[^\p{L}\p{N}]+/gu

/** Upper case, without punctuation: '12 Main St., Apt #4' becomes '12 MAIN ST APT 4'. */
function plainText(text: string): string {
  if (text === '') return ''
  const upper = text.toUpperCase()
  if (PLAIN.test(upper)) return upper
  return ASCII.test(upper)
    ? upper.replace(MARKS, '').replace(NO_WORD, ' ').trim()
    : normalizeText(upper).replace(MARKS, '').replace(NO_WORD_UNICODE, ' ').trim()
}

/** The first five digits, so that a ZIP equals its ZIP+4. */
const plainZip = (zip: string): string => zip.trim().slice(0, 5)

/**
 * The receiver's address for comparison, without letter case, punctuation and ZIP+4; '' without a
 * street or a ZIP.
 */
export function addressKey(row: BulkRow): string {
  const street = plainText(`${row.ToStreet1} ${row.ToStreet2}`)
  const zip = plainZip(row.ToZipPostal)
  if (street === '' || zip === '') return ''
  const state = stateCode(row.ToStateProvince) ?? plainText(row.ToStateProvince)
  return `${street}|${plainText(row.ToCity)}|${state}|${zip}|${plainText(row.ToCountry)}`
}

/** Name and address of the receiver for comparison; '' without a name, street or ZIP. */
export function receiverKey(row: BulkRow): string {
  const name = plainText(row.ToRecipientName)
  const address = addressKey(row)
  return name === '' || address === '' ? '' : `${name}|${address}`
}

/** Name and address of the sender for comparison. */
export const senderKey = (row: BulkRow): string =>
  [
    row.FromSenderName,
    row.FromStreet1,
    row.FromStreet2,
    row.FromCity,
    stateCode(row.FromStateProvince) ?? row.FromStateProvince,
    plainZip(row.FromZipPostal),
  ]
    .map(plainText)
    .join('|')

/** '#1001 ' is '1001': order ids are compared without '#' and letter case. */
export const orderKey = (orderId: string): string => orderId.trim().replace(/^#/, '').toLowerCase()

/**
 * Counts the orders of each receiver. Rows of one order id are one order; so is each row without an
 * id. `receiver`: of `receiverKey`.
 */
export function createOrderCount(): {
  add(receiver: string, orderId: string): void
  of(receiver: string): number
} {
  const counts = new Map<string, { ids: Set<string>; withoutId: number }>()
  return {
    add(receiver, orderId) {
      if (receiver === '') return
      const count = counts.get(receiver) ?? { ids: new Set(), withoutId: 0 }
      counts.set(receiver, count)
      const order = orderKey(orderId)
      if (order === '') count.withoutId += 1
      else count.ids.add(order)
    },
    of(receiver) {
      const { ids, withoutId } = counts.get(receiver) ?? { ids: { size: 0 }, withoutId: 0 }
      return ids.size + withoutId
    },
  }
}
