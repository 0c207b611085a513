import { randomUUID } from 'node:crypto'
import type { AddressInput, ParcelInput } from '#contract/easypost-bodies.ts'
import type { AddressVerifications } from '#contract/easypost-objects.ts'
import { loadPlaces } from '#contract/zip-places.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'
import { requireUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { UnverifiedAddress } from './errors.ts'
import { parseId } from './ids.ts'
import { addressText, parcelMeasures, verificationOf } from './rules.ts'
import type { AddressCopy, AddressText, ParcelCopy, Verification } from './rules.ts'
import {
  deleteBeyondLimits,
  insertAddress,
  insertParcel,
  selectAddresses,
  selectParcels,
} from './store.ts'
import type { AddressRecord, ParcelRecord } from './store.ts'
import { verifyAddress } from './verify.ts'
import { time } from './wire.ts'

/** Limits per user are enforced by each of so many new rows of all users, and by as many at once. */
const TRIM_EVERY = 64
export const isTrimTurn = (...ids: readonly number[]): boolean =>
  ids.length >= TRIM_EVERY || ids.some(id => id % TRIM_EVERY === 0)

/** Throws Refusal 'address_not_verified' for a strict verification that fails. */
export async function createAddress(
  ctx: Context,
  userId: number,
  input: AddressInput | null | undefined,
  verification: Verification,
): Promise<AddressRecord> {
  if (!input) throw refuseField('address', 'required', 'Missing required parameter: address')
  const content = addressText(input)
  const places = verification === 'none' ? null : await loadPlaces()
  const verifications = verificationsOf(content, verification, places)
  return ctx.database.tx(async tx => {
    await requireUser(tx, userId)
    const address = await insertAddress(tx, userId, content, verifications)
    if (isTrimTurn(address.id)) await deleteBeyondLimits(tx, userId)
    return address
  })
}

/** `places`: for a verification. Throws as `createAddress`. */
function verificationsOf(
  content: AddressText,
  verification: Verification,
  places: ZipPlaces | null,
): AddressVerifications | null {
  if (verification === 'none') return null
  const verifications = verifyAddress(content, places!)
  if (verification === 'strict') assertVerified(verifications)
  return verifications
}

function assertVerified({ delivery }: AddressVerifications): void {
  if (!delivery.success) throw new UnverifiedAddress(delivery.errors)
}

/** Throws Refusal 'address_unknown'. */
export async function getAddress(db: Db, userId: number, id: string): Promise<AddressRecord> {
  const key = parseId('adr', id)
  const [address] = key === null ? [] : await selectAddresses(db, userId, [key])
  if (!address) throw new Refusal('address_unknown', 'The requested address could not be found')
  return address
}

/** Verified now. Throws Refusal: 'address_unknown', 'address_not_verified'. */
export async function verifyKeptAddress(
  db: Db,
  userId: number,
  id: string,
): Promise<AddressRecord> {
  const address = await getAddress(db, userId, id)
  const verifications = verifyAddress(address.content, await loadPlaces())
  assertVerified(verifications)
  return { ...address, verifications }
}

export function createParcel(
  ctx: Context,
  userId: number,
  input: ParcelInput | null | undefined,
): Promise<ParcelRecord> {
  if (!input) throw refuseField('parcel', 'required', 'Missing required parameter: parcel')
  const measures = parcelMeasures(input)
  return ctx.database.tx(async tx => {
    await requireUser(tx, userId)
    const parcel = await insertParcel(tx, userId, measures)
    if (isTrimTurn(parcel.id)) await deleteBeyondLimits(tx, userId)
    return parcel
  })
}

export async function getParcel(db: Db, userId: number, id: string): Promise<ParcelRecord> {
  const key = parseId('prcl', id)
  const [parcel] = key === null ? [] : await selectParcels(db, userId, [key])
  if (!parcel) throw new Refusal('parcel_unknown', 'The requested parcel could not be found')
  return parcel
}

type GivenPart<Input> = (Input & { id?: string | null | undefined }) | null | undefined

const idOf = <Input>(given: GivenPart<Input>): string | null => given?.id || null

/** Those that shipments name by their ids, read at once. `places`: null if no new address is verified. */
export type KnownParts = {
  addresses: Map<string, AddressRecord>
  parcels: Map<string, ParcelRecord>
  places: ZipPlaces | null
}

type GivenParts = {
  from_address?: GivenPart<AddressInput>
  to_address?: GivenPart<AddressInput>
  return_address?: GivenPart<AddressInput>
  parcel?: GivenPart<ParcelInput>
}

export async function findKnownParts(
  tx: Db | Tx,
  userId: number,
  shipments: readonly GivenParts[],
): Promise<KnownParts> {
  const keysIn = (prefix: 'adr' | 'prcl', ids: (string | null)[]): string[] => [
    ...new Set(ids.flatMap(id => (id === null ? [] : (parseId(prefix, id) ?? [])))),
  ]
  const given = shipments.flatMap(one => [one.from_address, one.to_address, one.return_address])
  const addressKeys = keysIn('adr', given.map(idOf))
  const parcelKeys = keysIn(
    'prcl',
    shipments.map(one => idOf(one.parcel)),
  )
  const addresses = addressKeys.length === 0 ? [] : await selectAddresses(tx, userId, addressKeys)
  const parcels = parcelKeys.length === 0 ? [] : await selectParcels(tx, userId, parcelKeys)
  const verifies = given.some(one => one && verificationOf(one) !== 'none')
  return {
    addresses: new Map(addresses.map(one => [one.key, one])),
    parcels: new Map(parcels.map(one => [one.key, one])),
    places: verifies ? await loadPlaces() : null,
  }
}

/** `now`: when a new one is made. Throws Refusal that names `field`. */
export function addressCopyOf(
  given: GivenPart<AddressInput>,
  field: string,
  known: KnownParts,
  now: string,
): AddressCopy {
  if (!given) throw refuseField(field, 'required', `Missing required parameter: ${field}`)
  const id = idOf(given)
  if (id === null) {
    const content = addressText(given)
    const verifications = verificationsOf(content, verificationOf(given), known.places)
    return { key: randomUUID(), content, verifications, at: now }
  }
  const found = known.addresses.get(parseId('adr', id) ?? '')
  if (!found) throw refuseField(field, 'address_unknown', `${field}: there is no such address`)
  const { key, content, verifications, createdAt } = found
  return { key, content, verifications, at: time(createdAt) }
}

export function parcelCopyOf(
  given: GivenPart<ParcelInput>,
  known: KnownParts,
  now: string,
): ParcelCopy {
  if (!given) throw refuseField('parcel', 'required', 'Missing required parameter: parcel')
  const id = idOf(given)
  if (id === null) return { key: randomUUID(), ...parcelMeasures(given), at: now }
  const found = known.parcels.get(parseId('prcl', id) ?? '')
  if (!found) throw refuseField('parcel', 'parcel_unknown', 'parcel: there is no such parcel')
  return parcelCopy(found)
}

export const parcelCopy = ({
  key,
  length,
  width,
  height,
  weight,
  createdAt,
}: ParcelRecord): ParcelCopy => ({
  key,
  length,
  width,
  height,
  weight,
  at: time(createdAt),
})
