import { fromDollars, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { sandboxExpire, sandboxPay, sandboxPayLate } from '#contract/payments.ts'
import { invoiceWire } from '#server/payments/routes.ts'
import type { PaymentsContext } from '#server/payments/service.ts'
import { invoiceFor, syncInvoice } from '#server/payments/service.ts'
import type { Caller, Router } from '#server/platform/http/router.ts'
import type { SandboxProvider } from './provider.ts'

export type SandboxPaymentsContext = PaymentsContext & { provider: SandboxProvider }

export function registerSandboxPaymentRoutes(
  router: Router,
  payments: SandboxPaymentsContext,
): void {
  const { provider } = payments
  // Credits the payment before the response; after a crash in between the poller finds it.
  const runAndSync = async (caller: Caller, externalId: string, run: () => Promise<void>) => {
    const row = await invoiceFor(payments, caller, externalId)
    await run()
    return invoiceWire((await syncInvoice(payments, row.id)) ?? row)
  }

  router.handle(sandboxPay, async ({ params, body, caller }) => {
    const amount = contractCents(body.amount)
    const invoice = await runAndSync(caller, params.id, () =>
      provider.runCommand(params.id, 'pay', amount),
    )
    const outcome =
      invoice.status === 'Settled' ? 'paid and credited' : 'received: too little to be counted'
    return { ok: true as const, message: `${usd(amount)} ${outcome}`, invoice }
  })

  router.handle(sandboxExpire, async ({ params, caller }) => {
    const invoice = await runAndSync(caller, params.id, () =>
      provider.runCommand(params.id, 'expire'),
    )
    return { ok: true as const, message: 'The invoice has expired', invoice }
  })

  router.handle(sandboxPayLate, async ({ params, body, caller }) => {
    const amount = contractCents(body.amount)
    const invoice = await runAndSync(caller, params.id, () =>
      provider.runCommand(params.id, 'pay-late', amount),
    )
    return {
      ok: true as const,
      message: `${usd(amount)} paid after expiry: in review`,
      invoice,
    }
  })
}

const contractCents = (amount: number): Cents => fromDollars(amount)!
