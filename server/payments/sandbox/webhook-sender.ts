/** The messages of the sandbox's payment service to this house: BTCPay's form and signature, over the house's own door. */
import { createHash, randomBytes } from 'node:crypto'
import { signatureOf } from '#server/payments/webhook.ts'
import type { Context } from '#server/platform/context.ts'
import { getRandomSetting } from '#server/platform/database/settings.ts'
import { DeliveryPlan } from './delivery-plan.ts'

/** The only store of the sandbox. */
export const SANDBOX_STORE = 'sandbox'

/** Brings a message to the house's door. */
export type DeliverWebhook = (body: Buffer, signature: string) => Promise<unknown>

export type WebhookSender = {
  secret(): Promise<string>
  /** Where messages are brought from now on; before that nothing is sent. */
  deliverTo(post: DeliverWebhook): void
  /** Sends a message, as well or badly as the plan wants. Ends when it was answered; one that could not be delivered is lost. */
  send(type: string, invoice: { id: string; reference: string }): Promise<void>
}

type SignedMessage = { body: Buffer; signature: string }

export function openWebhookSender(ctx: Context): WebhookSender {
  const plan = ctx.config.sandboxPaymentsFaults ?? DeliveryPlan.parse({})
  let post: DeliverWebhook = async () => {}
  let kept: Promise<string> | undefined
  let sent = 0
  let heldBack: SignedMessage[] = []

  const secret = (): Promise<string> =>
    (kept ??= getRandomSetting(ctx, 'sandbox webhook secret', 32).catch((error: unknown) => {
      kept = undefined
      throw error
    }))
  const write = async (
    type: string,
    { id, reference }: { id: string; reference: string },
  ): Promise<SignedMessage> => {
    const deliveryId = `sbx${randomBytes(12).toString('hex')}`
    const body = Buffer.from(
      JSON.stringify(
        {
          deliveryId,
          webhookId: 'sandbox',
          originalDeliveryId: deliveryId,
          isRedelivery: false,
          type,
          timestamp: Math.floor(Date.now() / 1000),
          storeId: SANDBOX_STORE,
          invoiceId: id,
          metadata: { orderId: reference },
        },
        null,
        2,
      ),
    )
    return { body, signature: signatureOf(await secret(), body) }
  }
  const bring = async ({ body, signature }: SignedMessage): Promise<void> => {
    await post(body, signature).catch((error: unknown) =>
      ctx.log.debug({ err: error }, 'a message of the sandbox was not delivered'),
    )
  }

  return {
    secret,
    deliverTo: given => void (post = given),
    async send(type, invoice) {
      const fate = deliveryFaultFor(plan, sent++)
      if (fate === 'lost') return
      const message = await write(type, invoice)
      if (fate === 'late') return void heldBack.push(message)
      const earlier = heldBack
      heldBack = []
      const again = fate === 'twice' ? [await write(type, invoice)] : []
      for (const one of [message, ...again, ...earlier]) await bring(one)
    },
  }
}

const DELIVERY_FAULTS = ['lost', 'twice', 'late'] as const

/** What becomes of the `nth` message: the same in every run of a plan. */
function deliveryFaultFor(
  plan: DeliveryPlan,
  nth: number,
): (typeof DELIVERY_FAULTS)[number] | null {
  let left = createHash('sha256').update(`${plan.seed}:${nth}`).digest().readUInt32BE() / 2 ** 32
  return DELIVERY_FAULTS.find(fate => (left -= plan[fate]) < 0) ?? null
}
