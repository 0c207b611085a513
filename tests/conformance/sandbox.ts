import type { Carrier } from '#server/carriers/port.ts'
import { sandboxCarrier } from '#server/carriers/sandbox/adapter.ts'
import { selectSalesOf } from '#server/carriers/sandbox/store.ts'
import { FaultPlan } from '#server/platform/fault-plan.ts'
import type { FaultWish } from '#server/platform/fault-plan.ts'
import type { Day, Subject } from './subject.ts'

const NO_WIRE = 'nothing of it is sent over a wire'
const NO_ACCOUNT = 'its account is played and never empty'
const OWN_TESTS =
  'it is commanded by the address that the label was sold with: server/carriers/sandbox/voids.test.ts'
const DRAWN_HERE = 'its labels are drawn by us'

const PLANS: Partial<Record<Day, FaultWish>> = {
  'resets-before': { resetBefore: 1 },
  'resets-after': { resetAfter: 1 },
  'error-after': { errorAfter: 1 },
  'nonsense-after': { nonsense: 1 },
  late: { late: 1 },
  busy: { busy: 1 },
}
const COMMANDS: Partial<Record<Day, string>> = {
  refuses: 'SANDBOX REFUSE',
  'void-refused': 'SANDBOX NOVOID',
}

/** The sandbox fails by a plan, or by a command in the receiver's second street line. */
export const sandbox: Subject = {
  name: 'sandbox',
  never: {
    'page-after': NO_WIRE,
    'cut-after': NO_WIRE,
    away: NO_WIRE,
    'no-funds': NO_ACCOUNT,
    'wrong-key': NO_ACCOUNT,
    'void-submitted': 'it decides at once',
    'void-lost': OWN_TESTS,
    'void-busy': OWN_TESTS,
    'label-late': DRAWN_HERE,
    'label-strange': DRAWN_HERE,
  },
  open: database =>
    Promise.resolve({
      on(day) {
        const plan = PLANS[day]
        const carrier = sandboxCarrier(database, {
          latencyMs: 0,
          ...(plan && { faults: FaultPlan.parse(plan) }),
        })
        const command = COMMANDS[day]
        return command === undefined ? carrier : commanded(carrier, command)
      },
      soldFor: async attempt =>
        (await selectSalesOf(database.db, attempt)).map(({ trackingNumber, cost, voidedAt }) => ({
          trackingNumber,
          cents: cost,
          isVoided: voidedAt !== null,
        })),
      secrets: [],
      close: () => Promise.resolve(),
    }),
}

/** As if every receiver had the command in his address. */
const commanded = (carrier: Carrier, street2: string): Carrier => ({
  ...carrier,
  purchase: (attempt, shipment, signal) =>
    carrier.purchase(attempt, { ...shipment, receiver: { ...shipment.receiver, street2 } }, signal),
})
