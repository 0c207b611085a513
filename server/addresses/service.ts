import type { AddressForm } from '#contract/addresses.ts'
import { lockExistingUser, requireUser } from '#server/accounts/service.ts'
import type { Context } from '#server/platform/context.ts'
import { isUniqueViolation } from '#server/platform/database/database.ts'
import { Refusal, refuseField } from '#server/platform/http/refusal.ts'
import { parseAddress, MAX_ADDRESSES } from './rules.ts'
import {
  clearDefaultAddress,
  countAddresses,
  deleteAddress,
  insertAddress,
  markDefaultAddress,
  updateAddress,
} from './store.ts'
import type { Address } from './store.ts'

export {
  deleteAddressesOf,
  selectAddressIds as addressIdsOf,
  selectAddresses as addressesByIds,
} from './store.ts'

/** Throws Refusal: an invalid field, an existing Address ID, too many addresses. */
export async function addSavedAddress(
  ctx: Context,
  userId: number,
  form: AddressForm,
): Promise<Address> {
  const address = parseAddress(form)
  return refuseDuplicateId(
    ctx.database.tx(async tx => {
      await requireUser(tx, userId)
      const saved = await insertAddress(tx, userId, address)
      if ((await countAddresses(tx, userId)) > MAX_ADDRESSES) {
        const most = MAX_ADDRESSES.toLocaleString('en-US')
        throw new Refusal('book_full', `You can save at most ${most} addresses. Delete some first.`)
      }
      return saved
    }),
  )
}

/** Throws Refusal: an invalid field, the Address ID of another address, not found. */
export async function changeSavedAddress(
  ctx: Context,
  userId: number,
  id: number,
  form: AddressForm,
): Promise<Address> {
  const address = parseAddress(form)
  const changed = await refuseDuplicateId(
    ctx.database.tx(tx => updateAddress(tx, userId, id, address)),
  )
  if (!changed) throw addressNotFound()
  return changed
}

export async function removeSavedAddress(ctx: Context, userId: number, id: number): Promise<void> {
  if (!(await ctx.database.tx(tx => deleteAddress(tx, userId, id)))) throw addressNotFound()
}

/** Null: none is the default. Throws Refusal 404; the default is then as before. */
export async function setDefaultSender(
  ctx: Context,
  userId: number,
  id: number | null,
): Promise<void> {
  await ctx.database.tx(async tx => {
    // Two choices at once: the later one counts.
    await lockExistingUser(tx, userId)
    await clearDefaultAddress(tx, userId)
    if (id !== null && !(await markDefaultAddress(tx, userId, id))) throw addressNotFound()
  })
}

const addressNotFound = () => new Refusal('address_unknown', 'Address not found')

/** The unique index decides between two simultaneous saves of one Address ID. */
async function refuseDuplicateId<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    const text = 'This Address ID already exists'
    throw refuseField('address_id', 'address_id_taken', text)
  }
}
