import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { easypostCarrier } from '#server/carriers/easypost/adapter.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { easypostContract } from '#tests/support/carriers/easypost-contract.ts'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import type { ConformanceSubject } from './subject.ts'

const INSTANCE = 'a1b2c3d4e5f6'

export const easypostSubject: ConformanceSubject = {
  name: 'EasyPost',
  unsupported: {},
  async open(database) {
    const stub = await openEasypostStub()
    const notes = createAttemptNotes(database)
    return {
      withBehavior: behavior =>
        easypostCarrier({
          apiKey: EASYPOST_KEY,
          url: stub.urlOn(behavior),
          instance: () => Promise.resolve(INSTANCE),
          notes,
        }),
      soldFor: attempt =>
        Promise.resolve(
          [...stub.shipments.values()]
            .filter(
              ({ reference, purchasedLevel }) =>
                reference === attemptName(INSTANCE, attempt) && purchasedLevel !== null,
            )
            .map(({ trackingNumber, refund, purchasedLevel }) => ({
              trackingNumber: trackingNumber!,
              cents: { GroundAdvantage: 593 }[purchasedLevel!]!,
              isVoided: refund === 'refunded',
            })),
        ),
      formsWith: trackingNumber => Promise.resolve(stub.formsWith(trackingNumber)),
      optionsOf(attempt) {
        const sold = [...stub.shipments.values()].find(
          ({ reference }) => reference === attemptName(INSTANCE, attempt),
        )
        const { delivery_confirmation: asked, saturday_delivery: saturday = false } =
          sold!.body.options
        const signature =
          asked === 'ADULT_SIGNATURE' ? 'adult' : asked === 'SIGNATURE' ? 'signature' : 'none'
        return { signature, saturday }
      },
      wire: { asked: stub.requests, contracts: [easypostContract] },
      moveParcel(trackingNumber, status) {
        for (const shipment of stub.shipments.values())
          if (shipment.trackingNumber === trackingNumber) shipment.status = status
      },
      secrets: [EASYPOST_KEY, Buffer.from(`${EASYPOST_KEY}:`).toString('base64')],
      close: stub.close,
    }
  },
}
