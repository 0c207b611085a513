/**
 * What to check in a row that may be right: ZIP against state and city, quantity against the SKU
 * record, sums and repetitions. A warning never stops a purchase.
 */
import { countText } from './format.ts'
import { isUs } from './rows.ts'
import type { BulkRow, RowField } from './rows.ts'
import type { SkuMeasures } from './sku-rules.ts'
import { stateCode } from './states.ts'
import { isFarTooLong, shortenText } from './text.ts'
import type { WarningCode } from './warnings.ts'
import { isNameOf, zipFive } from './zip-places.ts'
import type { Place, ZipPlaces } from './zip-places.ts'

/** `suggestion`: a value that is likely right, for `field` of the warning unless it names another. */
export type RowWarning = {
  field: RowField
  code: WarningCode
  message: string
  suggestion?: { value: string; label: string; field?: RowField }
}

/**
 * What the row alone does not tell. `sku`: the record of its SKU. `sameReceiver`: how many orders of
 * the table have its receiver. `summedLines`: how many lines its weight is the sum of.
 */
export type WarningContext = {
  sku?: SkuMeasures
  sameReceiver?: number
  summedLines?: number
  boughtBefore?: boolean
}

/** The warnings of a row, each beginning with its field's label; none of `places` while it loads. */
export function rowWarnings(
  row: BulkRow,
  places?: ZipPlaces,
  context: WarningContext = {},
): RowWarning[] {
  const warnings = places
    ? [...placeWarnings(row, 'From', places), ...placeWarnings(row, 'To', places)]
    : []
  const { sku, sameReceiver = 1, summedLines = 1, boughtBefore } = context
  const quantity = Number(row.quantity)
  if (sku && Number.isInteger(quantity) && quantity > sku.maxQty)
    warnings.push({
      field: 'quantity',
      code: 'quantity_over_max',
      message:
        `Quantity ${quantity} is more than one package of ${shortenText(sku.sku)} holds: at most ${sku.maxQty}. `
        + `It fills ${countText(Math.ceil(quantity / sku.maxQty), 'package')}`,
    })
  if (summedLines > 1)
    warnings.push({
      field: 'PackageWeight',
      code: 'weight_from_parts',
      message: `Weight is the sum of ${summedLines} lines; check the weight`,
    })
  if (sameReceiver > 1)
    warnings.push({
      field: 'ToRecipientName',
      code: 'receiver_twice',
      message: `Name and address are the same in ${sameReceiver} orders; each gets a label of its own`,
    })
  if (boughtBefore)
    warnings.push({
      field: 'ToRecipientName',
      code: 'bought_before',
      message:
        'Name, address, SKU and quantity are those of a label ordered on this browser in the last 24 hours',
    })
  return warnings
}

type Side = {
  city: 'FromCity' | 'ToCity'
  state: 'FromStateProvince' | 'ToStateProvince'
  zip: 'FromZipPostal' | 'ToZipPostal'
  country: 'FromCountry' | 'ToCountry'
}
const SIDES: Record<'From' | 'To', Side> = {
  From: {
    city: 'FromCity',
    state: 'FromStateProvince',
    zip: 'FromZipPostal',
    country: 'FromCountry',
  },
  To: { city: 'ToCity', state: 'ToStateProvince', zip: 'ToZipPostal', country: 'ToCountry' },
}

/** Longest city or ZIP that is looked up, in characters. */
const MAX_LOOKED_UP = 60

function placeWarnings(row: BulkRow, side: 'From' | 'To', places: ZipPlaces): RowWarning[] {
  const fields = SIDES[side]
  const city = row[fields.city]
  const state = stateCode(row[fields.state])
  const written = row[fields.zip]
  if (isFarTooLong(written, 20) || city.length > MAX_LOOKED_UP) return []
  const zip = zipFive(written)
  if (zip === null || state === null || !isUs(row[fields.country])) return []
  const place = places.placeOf(zip)
  if (place?.state === state && isNameOf(city, place)) return []
  const known = places.zipsOfCity(city, state)
  if (!place) return [unknownZip(fields, zip, city, state, known)]
  return place.state === state
    ? city.trim() === ''
      ? []
      : [wrongCity(fields, zip, city, place, known)]
    : [wrongState(fields, zip, city, state, place, known)]
}

function wrongState(
  fields: Side,
  zip: string,
  city: string,
  state: string,
  place: Place,
  known: readonly string[],
): RowWarning {
  const cityFits = isNameOf(city, place)
  const likelyZip = cityFits ? null : likelyZipOf(zip, known)
  return {
    field: fields.zip,
    code: 'zip_not_in_state',
    message: `Zip ${zip} belongs to ${place.city}, ${place.state}, not to ${state}${zipsText(city, state, known)}`,
    ...(cityFits && known.length === 0
      ? {
          suggestion: {
            value: place.state,
            label: `Use ${place.state}`,
            field: fields.state,
          },
        }
      : likelyZip !== null && { suggestion: useZip(likelyZip) }),
  }
}

function wrongCity(
  fields: Side,
  zip: string,
  city: string,
  place: Place,
  known: readonly string[],
): RowWarning {
  const likelyZip = likelyZipOf(zip, known)
  return {
    field: fields.city,
    code: 'city_not_of_zip',
    message:
      `City for ZIP ${zip} is usually written ${place.city}, not ${shortenText(city)}`
      + zipsText(city, place.state, known),
    // A city of its own with other ZIPs leaves open whether the city or the ZIP is wrong.
    ...(known.length === 0
      ? { suggestion: { value: place.city, label: `Use ${place.city}` } }
      : likelyZip !== null && { suggestion: { ...useZip(likelyZip), field: fields.zip } }),
  }
}

function unknownZip(
  fields: Side,
  zip: string,
  city: string,
  state: string,
  known: readonly string[],
): RowWarning {
  const likelyZip = likelyZipOf(zip, known)
  return {
    field: fields.zip,
    code: 'zip_unknown',
    message: `Zip ${zip} is not in our list of ZIP codes; check it${zipsText(city, state, known)}`,
    ...(likelyZip !== null && { suggestion: useZip(likelyZip) }),
  }
}

const useZip = (zip: string) => ({ value: zip, label: `Use ${zip}` })

/** '. Portland, ME has 04101 to 04124'; '' for a city without ZIPs. */
function zipsText(city: string, state: string, zips: readonly string[]): string {
  const [first] = zips
  if (first === undefined) return ''
  const range = zips.length === 1 ? first : `${first} to ${zips.at(-1)}`
  return `. ${shortenText(city.trim())}, ${state} has ${range}`
}

/** The city's only ZIP, or the only one that differs by a typing error; null where that is open. */
function likelyZipOf(zip: string, known: readonly string[]): string | null {
  if (known.length === 1) return known[0]!
  const near = known.filter(one => isTypingError(zip, one))
  return near.length === 1 ? near[0]! : null
}

/** Whether two ZIPs differ by one digit or by two neighbors that changed places. */
function isTypingError(a: string, b: string): boolean {
  const wrong = [0, 1, 2, 3, 4].filter(at => a[at] !== b[at])
  const [first = 0, second = 0] = wrong
  return (
    wrong.length === 1
    || (wrong.length === 2
      && second === first + 1
      && a[first] === b[second]
      && a[second] === b[first])
  )
}

/** The row with the suggested value; the same row without a suggestion. */
export function takeSuggestion<Row extends BulkRow>(
  row: Row,
  { field, suggestion }: RowWarning,
): Row {
  return suggestion ? { ...row, [suggestion.field ?? field]: suggestion.value } : row
}
