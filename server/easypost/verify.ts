/** Whether ZIP, state and city of an address belong together, by the offline table. Pure. */
import type { AddressVerifications, VerificationError } from '#contract/easypost-objects.ts'
import { isUs } from '#contract/rows.ts'
import { stateCode } from '#contract/states.ts'
import { isNameOf, zipFive } from '#contract/zip-places.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'
import type { AddressText } from './rules.ts'

const fault = (
  code: string,
  field: string,
  message: string,
  suggestion: string | null = null,
): VerificationError => ({ code, field, message, suggestion })

/** The first rule that is broken, with EasyPost's codes; null for an address that fits. */
function placeFault(
  { street1, city, state, zip, country }: AddressText,
  places: ZipPlaces,
): VerificationError | null {
  if (!isUs(country ?? ''))
    return fault('E.COUNTRY.UNSUPPORTED', 'country', 'Only addresses in the United States')
  if (street1 === null) return fault('E.STREET.MISSING', 'street1', 'Street is missing')
  if (zip === null || zipFive(zip) === null)
    return fault('E.ZIP.INVALID', 'zip', 'ZIP must be like 97030 or 97030-1234')
  const place = places.placeOf(zip)
  if (!place) return fault('E.ZIP.NOT_FOUND', 'zip', 'There is no such ZIP')
  if (stateCode(state ?? '') !== place.state)
    return fault('E.STATE.INVALID', 'state', `ZIP ${zip} is in ${place.state}`, place.state)
  return city !== null && isNameOf(city, place)
    ? null
    : fault('E.CITY_STATE.INVALID', 'city', `ZIP ${zip} is in ${place.city}`, place.city)
}

export function verifyAddress(content: AddressText, places: ZipPlaces): AddressVerifications {
  const found = placeFault(content, places)
  const result = { success: found === null, errors: found ? [found] : [] }
  return {
    zip4: { ...result, details: null },
    delivery: { ...result, details: { latitude: null, longitude: null, time_zone: null } },
  }
}
