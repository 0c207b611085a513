import { readPage, sendMessage, sendVisitorMessage } from '#contract/support.ts'
import type { AccountsContext } from '#server/accounts/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import type { OperatorPages } from './pages-service.ts'
import { sendUserMessage, sendVisitorMessageFrom } from './service.ts'

const SENT = { ok: true, message: 'Message sent. We will reply by email.' } as const

export function registerSupportRoutes(
  router: Router,
  ctx: AccountsContext,
  pages: OperatorPages,
): void {
  router.handle(readPage, async ({ params }) => {
    const page = await pages.read(params.slug)
    if (!page) throw new Refusal('page_unknown', 'This site has no such page.')
    return page
  })

  router.handle(sendVisitorMessage, async ({ body, address }) => {
    await sendVisitorMessageFrom(ctx, address, body)
    return SENT
  })

  router.handle(sendMessage, async ({ params, body }) => {
    await sendUserMessage(ctx, Number(params.userId), body)
    return SENT
  })
}
