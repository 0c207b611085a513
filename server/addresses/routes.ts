import {
  deleteAddress,
  listAddresses,
  saveAddress,
  setDefaultAddress,
  updateAddress,
} from '#contract/addresses.ts'
import type { Context } from '#server/platform/context.ts'
import { cutPage, idRange, nextWire } from '#server/platform/http/list-range.ts'
import type { ListRange } from '#server/platform/http/list-range.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  addressesByIds,
  addressIdsOf,
  addSavedAddress,
  changeSavedAddress,
  removeSavedAddress,
  setDefaultSender,
} from './service.ts'
import type { Address } from './store.ts'

export function registerAddressRoutes(router: Router, ctx: Context, answers: LongAnswers): void {
  router.handle(listAddresses, async request => {
    const { db } = ctx.database
    const all = await addressIdsOf(db, Number(request.params.userId))
    const range = idRange(request.caller, request.query)
    const { page: ids, next } = range ? pageById(all, range) : { page: all, next: undefined }
    return answers.list(listAddresses, request, {
      count: ids.length,
      pages: pagesOf(ids, some => addressesByIds(db, some)),
      listName: 'savedAddress',
      wrap: addresses => ({
        savedAddress: addresses.map(addressWire),
        ...(next !== undefined && { next: nextWire(next) }),
      }),
    })
  })

  router.handle(saveAddress, async ({ params, body }) => {
    const address = await addSavedAddress(ctx, Number(params.userId), body.formData)
    return { ok: true, message: 'Address added successfully!', address: addressWire(address) }
  })

  router.handle(updateAddress, async ({ params, body }) => {
    const address = await changeSavedAddress(
      ctx,
      Number(params.userId),
      Number(params.addressRecordId),
      body.formData,
    )
    return { ok: true, message: 'Address updated successfully!', address: addressWire(address) }
  })

  router.handle(deleteAddress, async ({ params, body }) => {
    await removeSavedAddress(ctx, Number(params.userId), Number(body.id))
    return { ok: true, message: 'Address deleted successfully!', id: body.id }
  })

  router.handle(setDefaultAddress, async ({ params, body }) => {
    await setDefaultSender(ctx, Number(params.userId), body.id === null ? null : Number(body.id))
    const message = body.id === null ? 'No default sender now' : 'Default sender saved'
    return { ok: true, message, id: body.id }
  })
}

/** Oldest first: of an address that was deleted, the next one is still known. */
const pageById = (ids: number[], { after, limit }: ListRange) =>
  cutPage(after === null ? ids : ids.filter(id => id > after), limit, id => id)

const addressWire = ({ id, ...form }: Address) => ({ _id: String(id), ...form })
