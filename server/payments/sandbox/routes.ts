/** The sandbox's commands over the wire. They are registered in sandbox mode only. */
import { fromDollars, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { sandboxExpire, sandboxPay, sandboxPayLate } from '#contract/payments.ts'
import { invoiceWire } from '#server/payments/routes.ts'
import type { PaymentsContext } from '#server/payments/service.ts'
import { invoiceFor, syncInvoice } from '#server/payments/service.ts'
import type { Caller, Router } from '#server/platform/http/router.ts'
import type { SandboxProvider } from './provider.ts'

export type SandboxPaymentsContext = PaymentsContext & { provider: SandboxProvider }

export function sandboxPaymentRoutes(router: Router, payments: SandboxPaymentsContext): void {
  const { provider } = payments
  // What was played is in the balance when the call answers; should we die in between, the poller finds it.
  const played = async (caller: Caller, externalId: string, play: () => Promise<void>) => {
    const row = await invoiceFor(payments, caller, externalId)
    await play()
    return invoiceWire((await syncInvoice(payments, row.id)) ?? row)
  }

  router.handle(sandboxPay, async ({ params, body, caller }) => {
    const amount = contractCents(body.amount)
    const invoice = await played(caller, params.id, () =>
      provider.runCommand(params.id, 'pay', amount),
    )
    return { ok: true as const, message: `${usd(amount)} was paid and credited`, invoice }
  })

  router.handle(sandboxExpire, async ({ params, caller }) => {
    const invoice = await played(caller, params.id, () => provider.runCommand(params.id, 'expire'))
    return { ok: true as const, message: 'The invoice has expired', invoice }
  })

  router.handle(sandboxPayLate, async ({ params, body, caller }) => {
    const amount = contractCents(body.amount)
    const invoice = await played(caller, params.id, () =>
      provider.runCommand(params.id, 'pay-late', amount),
    )
    return {
      ok: true as const,
      message: `${usd(amount)} was paid after expiry: waiting for review`,
      invoice,
    }
  })
}

/** The contract has admitted at most two decimals. */
const contractCents = (amount: number): Cents => fromDollars(amount)!
