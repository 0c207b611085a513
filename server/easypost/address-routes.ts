import * as calls from '#contract/easypost.ts'
import type { Router } from '#server/platform/http/router.ts'
import {
  createAddress,
  createParcel,
  getAddress,
  getParcel,
  parcelCopy,
  verifyKeptAddress,
} from './addresses.ts'
import { modeOf } from './context.ts'
import type { EasypostContext } from './context.ts'
import { selectIdPage } from './pages-store.ts'
import { pageRequestOf } from './paging.ts'
import { verificationOf } from './rules.ts'
import { selectAddressesById } from './store.ts'
import { addressWire, parcelWire } from './wire.ts'

export function registerAddressRoutes(router: Router, ctx: EasypostContext): void {
  const mode = modeOf(ctx)
  const { db } = ctx.database

  router.handle(calls.easypostCreateAddress, async ({ query, body, caller }) => {
    const { address, ...asked } = body ?? {}
    const verification = verificationOf(query, asked, address)
    return addressWire(mode, await createAddress(ctx, caller.userId, address, verification))
  })

  router.handle(calls.easypostCreateVerifiedAddress, async ({ body, caller }) => ({
    address: addressWire(mode, await createAddress(ctx, caller.userId, body?.address, 'strict')),
  }))

  router.handle(calls.easypostAddresses, async ({ query, caller }) => {
    const { userId } = caller
    const request = await pageRequestOf('adr', db, userId, query)
    const { ids, hasMore } = await selectIdPage(db, 'api_address', userId, request)
    const addresses = await selectAddressesById(db, ids)
    return { addresses: addresses.map(one => addressWire(mode, one)), has_more: hasMore }
  })

  router.handle(calls.easypostAddress, async ({ params, caller }) =>
    addressWire(mode, await getAddress(db, caller.userId, params.id)),
  )

  router.handle(calls.easypostVerifyAddress, async ({ params, caller }) => ({
    address: addressWire(mode, await verifyKeptAddress(db, caller.userId, params.id)),
  }))

  router.handle(calls.easypostCreateParcel, async ({ body, caller }) =>
    parcelWire(mode, parcelCopy(await createParcel(ctx, caller.userId, body?.parcel))),
  )

  router.handle(calls.easypostParcel, async ({ params, caller }) =>
    parcelWire(mode, parcelCopy(await getParcel(db, caller.userId, params.id))),
  )
}
