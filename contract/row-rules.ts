/**
 * Validation of a row, in the table while typing and on the server. An error is a sentence that
 * begins with the field's label and tells what to type instead; nothing here throws.
 */
import { textsOf } from './fault-texts.ts'
import type { FieldFault } from './faults.ts'
import { plural } from './format.ts'
import { measureKind, parseMeasureWithUnit, withDecimalPoint } from './measures.ts'
import { isTooLight, sizeFault, TOO_LIGHT } from './parcel-rules.ts'
import { fieldByName, FIELDS, isPhone, isUs, isUsps } from './rows.ts'
import type { BulkRow, Field, RowField } from './rows.ts'
import { stateCode } from './states.ts'
import { isFarTooLong, shortenText, tooLong } from './text.ts'

/** Invalid fields only, each with its code and sentence. */
export type RowFaults = Partial<Record<RowField, FieldFault>>

/** Invalid fields only, each with its sentence. */
export type RowErrors = Partial<Record<RowField, string>>

/**
 * `maxWeight` in lb and `serviceUid`: of the chosen service. `needService: false` while no service is
 * chosen for the whole table.
 */
export type RowRuleOptions = { needService?: boolean; maxWeight?: number; serviceUid?: string }

/** The table's services are a select. Programs get the same sentence. */
export const SERVICE_MISSING_TEXT = 'Service name must be selected from the dropdown'

/** More inches or pounds are a typing error for every service. */
const MAX_MEASURE = 999
// A weight in ounces, divided by 16, is exact with up to 25 decimals.
const DECIMAL = /^\+?(?:\d{1,15}(?:\.\d{0,25})?|\.\d{1,25})$/

/**
 * A positive measure (in, lb) as a number, or null. Plain decimals only: no exponent, no
 * hexadecimal, no units.
 */
export function parseMeasure(text: string): number | null {
  if (!DECIMAL.test(text)) return null
  const value = Number(text)
  return value > 0 ? value : null
}

const SPACE = 0x20
const isBlank = (text: string): boolean => {
  const first = text.charCodeAt(0)
  return !(first > SPACE && first < 0x80) && text.trim() === ''
}

/** All faults of a row; empty when it is valid. */
export function rowFaults(row: BulkRow, rules: RowRuleOptions = {}): RowFaults {
  const faults: RowFaults = {}
  for (const field of FIELDS) {
    const fault = fieldFault(field, row, rules)
    if (fault !== null) faults[field.name] = fault
  }
  if (!faults.PackageLength) {
    const tooLarge = rowSizeFault(row, rules)
    if (tooLarge !== null) faults.PackageLength = tooLarge
  }
  return faults
}

/** The texts of all errors of a row ('City is required'); empty when it is valid. */
export const rowErrors = (row: BulkRow, rules: RowRuleOptions = {}): RowErrors =>
  textsOf(rowFaults(row, rules))

/** Null while a side has no valid measure. */
function rowSizeFault(row: BulkRow, { serviceUid }: RowRuleOptions): FieldFault | null {
  if (serviceUid === undefined) return null
  const length = parseMeasure(row.PackageLength.trim())
  const width = parseMeasure(row.PackageWidth.trim())
  const height = parseMeasure(row.PackageHeight.trim())
  if (length === null || width === null || height === null) return null
  return sizeFault(serviceUid, { length, width, height })
}

export function hasNoErrors(errors: RowErrors | RowFaults): boolean {
  for (const _ in errors) return false
  return true
}

/** The sentence with its column group: 'To City is required'. */
export function withGroupName(name: RowField, message: string): string {
  const { group } = fieldByName(name)
  return group === 'From' || group === 'To' ? `${group} ${message}` : message
}

function fieldFault(field: Field, row: BulkRow, rules: RowRuleOptions): FieldFault | null {
  const value = row[field.name]
  if (isFarTooLong(value, field.max)) return tooLong(field.label, field.max, value.length)
  if (field.kind === 'service')
    return isBlank(value) && rules.needService !== false
      ? { code: 'required', text: SERVICE_MISSING_TEXT }
      : textFault(field, value)
  if (isBlank(value)) return field.required ? missing(field) : null
  if (MASKABLE.has(field.name) && value.includes('*')) return maskedFault(field, value)
  switch (field.kind) {
    case 'number':
      return measureFault(field, value, rules)
    case 'count':
      return countFault(field, value)
    case 'phone':
      return textFault(field, value) ?? (isPhone(value) ? null : phoneFault(field, value))
    case 'state':
      return stateCode(value)
        ? null
        : (textFault(field, value)
            ?? wrongValue(field, value, 'state_unknown', 'is not a US state'))
    case 'zip':
      return zipFault(field, value, row)
    case 'country':
      return isUs(value)
        ? null
        : (textFault(field, value)
            ?? wrongValue(
              field,
              value,
              'country_not_supported',
              'is not supported; we ship within the US only',
            ))
    case 'courier':
      return textFault(field, value) ?? (isUsps(value) ? null : courierFault(field, value))
    default:
      return textFault(field, value)
  }
}

const courierFault = (field: Field, value: string): FieldFault =>
  wrongValue(
    field,
    value,
    'option_not_offered',
    /^usps\b/i.test(value.trim())
      ? 'names a service too; type USPS here, and the service in Service'
      : 'is not sold here; type USPS, or leave it empty',
  )

const missing = ({ label }: Field): FieldFault => ({
  code: 'required',
  text: `${label} is required`,
})

/** A sentence that quotes the value. */
const wrongValue = (
  { label }: Field,
  value: string,
  code: FieldFault['code'],
  text: string,
): FieldFault => ({ code, text: `${label} ${quoteValue(value)} ${text}` })

// Control characters and unpaired surrogates cannot be printed, and the database refuses them.
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u
/** Stands for a letter of a file that could not be read. */
const UNREADABLE = '\ufffd'
const PRINTABLE_ASCII = /^[\x20-\x7e]*$/

function textFault(field: Field, value: string): FieldFault | null {
  if (value.length > field.max) return tooLong(field.label, field.max, value.length)
  if (PRINTABLE_ASCII.test(value)) return null
  const isAddress = field.group === 'From' || field.group === 'To'
  if (!UNPRINTABLE.test(value) && !(isAddress && value.includes(UNREADABLE))) return null
  return {
    code: 'character_not_printable',
    text: `${field.label} contains a character that cannot be printed; type it again`,
  }
}

/** Marketplaces hide the receiver in exports without personal data: 'J*** S***', '12 E*** St'. */
const MASKABLE: ReadonlySet<RowField> = new Set([
  'ToRecipientName',
  'ToStreet1',
  'ToStreet2',
  'ToCity',
  'ToStateProvince',
  'ToZipPostal',
])
const maskedFault = (field: Field, value: string): FieldFault =>
  wrongValue(
    field,
    value,
    'masked',
    'is masked with *; export the orders again with personal data, or type it in full',
  )

const mangled = (field: Field, value: string): FieldFault =>
  wrongValue(
    field,
    value,
    'changed_by_spreadsheet',
    'was changed by a spreadsheet; type the digits again',
  )

const phoneFault = (field: Field, value: string): FieldFault =>
  isMangledNumber(value)
    ? mangled(field, value)
    : wrongValue(
        field,
        value,
        'phone_malformed',
        'is not a phone number; type it like 404-555-0192 ext. 9, or leave it empty',
      )

function measureFault(field: Field, value: string, rules: RowRuleOptions): FieldFault | null {
  const measure = parseMeasure(value.trim())
  if (measure === null)
    return {
      code: 'measure_not_positive',
      text: `${field.label} must be a positive number${measureHint(field, value)}`,
    }
  if (field.name === 'PackageWeight' && isTooLight(measure)) return TOO_LIGHT
  const most = maxMeasureFor(field, rules)
  return measure > most
    ? { code: aboveCode(field), text: `${field.label} must be at most ${most} ${unitOf(field)}` }
    : null
}

const aboveCode = ({ name }: Field) =>
  name === 'PackageWeight' ? 'weight_above_limit' : 'size_too_large'

/** '12x9x4' in one cell. */
const SEVERAL_SIDES = /\d\W*(?:in\W*|cm\W*)?[x×*]\s*\d.*[x×*]/i

/** Units are read in files and in the table only; a comma nowhere: '1,500' may be 1.5 or 1500. */
function measureHint({ name }: Field, value: string): string {
  const kind = measureKind(name)
  if (kind === null) return ''
  if (kind === 'length' && SEVERAL_SIDES.test(value))
    return '; type length, width and height in cells of their own'
  const pointed = withDecimalPoint(value)
  const read = parseMeasureWithUnit(pointed ?? value, kind)
  if ('error' in read) return `; ${read.error}`
  if (read.note !== null || (pointed !== null && parseMeasure(read.value.trim()) !== null))
    return `; type ${read.value.trim()} for ${quoteValue(value.trim())}`
  return /\d,\d/.test(value) ? '; type it without a comma' : ''
}

const maxMeasureFor = (field: Field, rules: RowRuleOptions): number =>
  field.name === 'PackageWeight'
    ? Math.min(rules.maxWeight ?? MAX_MEASURE, MAX_MEASURE)
    : MAX_MEASURE
const unitOf = (field: Field): string => (field.name === 'PackageWeight' ? 'lb' : 'inches')

function countFault({ label }: Field, value: string): FieldFault | null {
  return /^\d{1,6}$/.test(value.trim()) && Number(value) >= 1
    ? null
    : { code: 'not_a_whole_number', text: `${label} must be a whole number of at least 1` }
}

const ZIP = /^\d{5}(?:[ -]*\d{4})?$/
// A number in a spreadsheet's scientific notation: its last digits are lost.
const EXPONENT = /^\d(?:[.,]\d+)?E\+?\d{1,3}$/i

/** Whether a spreadsheet turned a long number into 9.4E+21; its digits are lost. */
export const isMangledNumber = (text: string): boolean => EXPONENT.test(text.trim())

function zipFault(field: Field, value: string, row: BulkRow): FieldFault | null {
  const zip = value.trim()
  if (ZIP.test(zip)) return null
  if (isMangledNumber(zip)) return mangled(field, zip)
  const complete = suggestZip(
    zip,
    field.group === 'From' ? row.FromStateProvince : row.ToStateProvince,
  )
  if (complete !== null) {
    const text = `is missing its leading zero; use ${complete}`
    return wrongValue(field, zip, 'zip_malformed', text)
  }
  return {
    code: 'zip_malformed',
    text: `${field.label} must be a 5-digit ZIP or ZIP+4 (97030-1234)`,
  }
}

/** Leading zeros of the ZIPs of a state; spreadsheets drop them. */
const LEADING_ZEROS: Record<string, number> = {
  CT: 1,
  MA: 1,
  ME: 1,
  NH: 1,
  NJ: 1,
  RI: 1,
  VT: 1,
  AE: 1,
  PR: 2,
  VI: 2,
}
/** The only ZIPs of New York with leading zeros: two of Holtsville, and Fishers Island. */
const NEW_YORK_ZIPS: ReadonlySet<string> = new Set(['00501', '00544', '06390'])

/**
 * The ZIP with its lost leading zeros, where the state proves them: ('4101', 'ME') is '04101'; else
 * null.
 */
export function suggestZip(zip: string, state: string): string | null {
  const code = stateCode(state) ?? ''
  const found = /^(\d{3,4}?)(?:-?(\d{4}))?$/.exec(zip.trim())
  if (!found) return null
  const [, digits = '', four] = found
  const five = digits.padStart(5, '0')
  const isProven =
    code === 'NY' ? NEW_YORK_ZIPS.has(five) : 5 - digits.length <= (LEADING_ZEROS[code] ?? 0)
  if (!isProven) return null
  return five + (four ? `-${four}` : '')
}

const quoteValue = (value: string): string => `'${shortenText(value)}'`

const NUMERIC = /^[+-]?(?:\d{1,15}(?:\.\d{0,25})?|\.\d{1,25})$/

/**
 * The fault of one cell while it is edited, or null; its texts differ from those of `rowFaults`.
 */
export function cellFault(
  name: RowField,
  value: string,
  row: BulkRow,
  rules: RowRuleOptions = {},
): FieldFault | null {
  const field = fieldByName(name)
  if (isFarTooLong(value, field.max)) return tooLong(field.label, field.max, value.length)
  if (isBlank(value)) return field.required ? missing(field) : null
  if (field.kind === 'phone')
    return isPhone(value)
      ? textFault(field, value)
      : { code: 'phone_malformed', text: 'Invalid phone number' }
  if (field.kind === 'number')
    return (
      numberFault(field, value.trim(), rules)
      ?? (name === 'PackageLength' ? rowSizeFault({ ...row, [name]: value }, rules) : null)
    )
  return fieldFault(field, { ...row, [name]: value }, { ...rules, needService: false })
}

/** The text of `cellFault`. */
export const cellError = (...cell: Parameters<typeof cellFault>): string | null =>
  cellFault(...cell)?.text ?? null

function numberFault(field: Field, value: string, rules: RowRuleOptions): FieldFault | null {
  const { label, name } = field
  if (!NUMERIC.test(value))
    return {
      code: 'not_a_number',
      text: `${label} must be a number${measureHint(field, value)}`,
    }
  if (parseMeasure(value) === null && Number(value) <= 0)
    return { code: 'measure_not_positive', text: `${label} must be greater than 0` }
  if (name === 'PackageWeight' && isTooLight(Number(value))) return TOO_LIGHT
  const most = maxMeasureFor(field, rules)
  return Number(value) > most
    ? { code: aboveCode(field), text: `${label} must be less than or equal to ${most}` }
    : null
}

export const invalidRowsText = (rows: number): string =>
  `${rows} ${plural(rows, 'row has', 'rows have')} validation errors`
