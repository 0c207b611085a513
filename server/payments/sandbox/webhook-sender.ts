/** Webhooks of the sandbox provider, in BTCPay's format, sent to our own webhook route. */
import { createHash, randomBytes } from 'node:crypto'
import { signatureOf } from '#server/payments/webhook.ts'
import type { Context } from '#server/platform/context.ts'
import { getRandomSetting } from '#server/platform/database/settings.ts'
import { DeliveryPlan } from './delivery-plan.ts'

export const SANDBOX_STORE = 'sandbox'

export type DeliverWebhook = (body: Buffer, signature: string) => Promise<unknown>

export type WebhookSender = {
  secret(): Promise<string>
  deliverTo(deliver: DeliverWebhook): void
  /**
   * Sends a webhook with the plan's faults and waits for the response. A failed delivery is lost.
   */
  send(type: string, invoice: { id: string; reference: string }): Promise<void>
}

type SignedMessage = { body: Buffer; signature: string }

export function openWebhookSender(ctx: Context): WebhookSender {
  const plan = ctx.config.sandboxPaymentsFaults ?? DeliveryPlan.parse({})
  let deliver: DeliverWebhook = async () => {}
  let cachedSecret: Promise<string> | undefined
  let sent = 0
  let heldBack: SignedMessage[] = []

  const secret = (): Promise<string> =>
    (cachedSecret ??= getRandomSetting(ctx, 'sandbox webhook secret', 32).catch(
      (error: unknown) => {
        cachedSecret = undefined
        throw error
      },
    ))
  const compose = async (
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
  const post = async ({ body, signature }: SignedMessage): Promise<void> => {
    await deliver(body, signature).catch((error: unknown) =>
      ctx.log.debug({ err: error }, 'a webhook of the sandbox was not delivered'),
    )
  }

  return {
    secret,
    deliverTo: target => void (deliver = target),
    async send(type, invoice) {
      const fault = deliveryFaultFor(plan, sent++)
      if (fault === 'lost') return
      const message = await compose(type, invoice)
      if (fault === 'late') return void heldBack.push(message)
      const earlier = heldBack
      heldBack = []
      const duplicate = fault === 'twice' ? [await compose(type, invoice)] : []
      for (const one of [message, ...duplicate, ...earlier]) await post(one)
    },
  }
}

const DELIVERY_FAULTS = ['lost', 'twice', 'late'] as const

function deliveryFaultFor(
  plan: DeliveryPlan,
  nth: number,
): (typeof DELIVERY_FAULTS)[number] | null {
  let left = createHash('sha256').update(`${plan.seed}:${nth}`).digest().readUInt32BE() / 2 ** 32
  return DELIVERY_FAULTS.find(fault => (left -= plan[fault]) < 0) ?? null
}
