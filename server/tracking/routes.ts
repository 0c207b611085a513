import { carrierMessage } from '#contract/carriers.ts'
import {
  parcelPage,
  parcelPageSettings,
  saveParcelPageSettings,
  stopParcelMails,
} from '#contract/parcel-pages.ts'
import { accountContexts } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { ParcelPageContext } from './context.ts'
import { receiveCarrierMessage } from './messages.ts'
import { readPageSettings, readParcelPage, savePageSettings } from './parcel-page.ts'
import { stopReceiverMails } from './receiver-mails.ts'

export function registerTrackingRoutes(
  router: Router,
  ctx: LabelContext,
  pages: ParcelPageContext,
): void {
  router.handle(carrierMessage, async ({ params, request }) => {
    const receivers = accountContexts(ctx).filter(
      ({ carrier }) => carrier.name === params.carrier && carrier.readMessage,
    )
    if (receivers.length === 0)
      throw new Refusal('path_unknown', 'This site takes no messages of this carrier')
    await receiveCarrierMessage(receivers, {
      body: request.body as Buffer,
      headers: request.headers,
    })
    return { ok: true }
  })

  router.handle(parcelPage, ({ params, address }) => readParcelPage(pages, params.link, address))
  router.handle(parcelPageSettings, ({ params }) => readPageSettings(pages, Number(params.userId)))
  router.handle(saveParcelPageSettings, async ({ params, body }) => {
    await savePageSettings(pages, Number(params.userId), body)
    return { ok: true, message: 'Saved' }
  })
  router.handle(stopParcelMails, async ({ body }) => {
    await stopReceiverMails(pages, body.token)
    return { ok: true, message: 'This address gets no more emails about parcels.' }
  })
}
