/** The messages of the sandbox's payment service to this house: BTCPay's form and signature, over the house's own door. */
import { createHash, randomBytes } from 'node:crypto'
import { signatureOf } from '#server/payments/webhook.ts'
import { DeliveryPlan } from '#server/platform/fault-plan.ts'
import type { House } from '#server/platform/house.ts'
import { keptRandom } from '#server/platform/instance.ts'

/** The only store of the sandbox. */
export const SANDBOX_STORE = 'sandbox'

/** Brings a message to the house's door. */
export type Post = (body: Buffer, signature: string) => Promise<unknown>

export type Deliveries = {
  secret(): Promise<string>
  /** Where messages are brought from now on; before that nothing is sent. */
  to(post: Post): void
  /** Sends a message, as well or badly as the plan wants. Ends when it was answered; one that could not be delivered is lost. */
  tell(type: string, invoice: { id: string; reference: string }): Promise<void>
}

type Message = { body: Buffer; signature: string }

export function openDeliveries(house: House): Deliveries {
  const plan = house.config.sandboxPaymentsFaults ?? DeliveryPlan.parse({})
  let post: Post = async () => {}
  let kept: Promise<string> | undefined
  let sent = 0
  let heldBack: Message[] = []

  const secret = (): Promise<string> =>
    (kept ??= keptRandom(house, 'sandbox webhook secret', 32).catch((error: unknown) => {
      kept = undefined
      throw error
    }))
  const write = async (
    type: string,
    { id, reference }: { id: string; reference: string },
  ): Promise<Message> => {
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
  const bring = async ({ body, signature }: Message): Promise<void> => {
    await post(body, signature).catch((error: unknown) =>
      house.log.debug({ err: error }, 'a message of the sandbox was not delivered'),
    )
  }

  return {
    secret,
    to: given => void (post = given),
    async tell(type, invoice) {
      const fate = fateOf(plan, sent++)
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

const FATES = ['lost', 'twice', 'late'] as const

/** What becomes of the `nth` message: the same in every run of a plan. */
function fateOf(plan: DeliveryPlan, nth: number): (typeof FATES)[number] | null {
  let left = createHash('sha256').update(`${plan.seed}:${nth}`).digest().readUInt32BE() / 2 ** 32
  return FATES.find(fate => (left -= plan[fate]) < 0) ?? null
}
