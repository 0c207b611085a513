import type { Carrier } from '#server/carriers/port.ts'
import { sandboxCarrier } from '#server/carriers/sandbox/adapter.ts'
import { FaultPlan } from '#server/carriers/sandbox/fault-plan.ts'
import type { FaultPlanInput } from '#server/carriers/sandbox/fault-plan.ts'
import { selectSalesOfAttempt } from '#server/carriers/sandbox/store.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import type { ConformanceSubject } from './subject.ts'

const NO_HTTP = 'nothing of it is sent over a wire'
const NO_ACCOUNT = 'its account is played and never empty'
const OWN_TESTS =
  'it is commanded by the address that the label was sold with: server/carriers/sandbox/voids.test.ts'
const DRAWN_HERE = 'its labels are drawn by us'

const FAULT_PLANS: Partial<Record<CarrierBehavior, FaultPlanInput>> = {
  'resets-before': { resetBefore: 1 },
  'resets-after': { resetAfter: 1 },
  'error-after': { errorAfter: 1 },
  'nonsense-after': { nonsense: 1 },
  late: { late: 1 },
  'form-lost': { silentAfterScanForms: 0 },
  busy: { busy: 1 },
}
const BEHAVIOR_COMMANDS: Partial<Record<CarrierBehavior, string>> = {
  refuses: 'SANDBOX REFUSE',
  'void-refused': 'SANDBOX NOVOID',
}

/** The sandbox fails by a plan, or by a command in the receiver's second street line. */
export const sandboxSubject: ConformanceSubject = {
  name: 'sandbox',
  unsupported: {
    'page-after': NO_HTTP,
    'cut-after': NO_HTTP,
    away: NO_HTTP,
    'no-funds': NO_ACCOUNT,
    'wrong-key': NO_ACCOUNT,
    'void-submitted': 'it decides at once',
    'void-lost': OWN_TESTS,
    'void-busy': OWN_TESTS,
    'form-late': 'its forms are made at once',
    'form-refused': 'it refuses only forms with labels that are voided or on another',
    'label-late': DRAWN_HERE,
    'label-strange': DRAWN_HERE,
  },
  open: database =>
    Promise.resolve({
      withBehavior(behavior) {
        const plan = FAULT_PLANS[behavior]
        const carrier = sandboxCarrier(database, {
          latencyMs: 0,
          ...(plan && { faults: FaultPlan.parse(plan) }),
        })
        const command = BEHAVIOR_COMMANDS[behavior]
        return command === undefined ? carrier : withCommand(carrier, command)
      },
      soldFor: async attempt =>
        (await selectSalesOfAttempt(database.db, attempt)).map(
          ({ trackingNumber, cost, voidedAt }) => ({
            trackingNumber,
            cents: cost,
            isVoided: voidedAt !== null,
          }),
        ),
      formsWith: async trackingNumber =>
        (
          await database.pool.query(
            'select 1 from sandbox_scan_form where $1 = any(tracking_numbers)',
            [trackingNumber],
          )
        ).rows.length,
      secrets: [],
      close: () => Promise.resolve(),
    }),
}

/** As if every recipient had the command in their address. */
const withCommand = (carrier: Carrier, street2: string): Carrier => ({
  ...carrier,
  purchase: (attempt, shipment, signal) =>
    carrier.purchase(attempt, { ...shipment, receiver: { ...shipment.receiver, street2 } }, signal),
})
