import { easypostCarrier } from '#server/carriers/easypost/adapter.ts'
import { notesIn } from '#server/carriers/notes-store.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import type { Subject } from './subject.ts'

const INSTANCE = 'a1b2c3d4e5f6'

export const easypost: Subject = {
  name: 'EasyPost',
  never: {},
  async open(database) {
    const stub = await openEasypostStub()
    const notes = notesIn(database)
    return {
      on: day =>
        easypostCarrier({
          apiKey: EASYPOST_KEY,
          url: stub.urlOn(day),
          instance: () => Promise.resolve(INSTANCE),
          notes,
        }),
      soldFor: attempt =>
        Promise.resolve(
          [...stub.shipments.values()]
            .filter(
              ({ reference, level }) =>
                reference === attemptName(INSTANCE, attempt) && level !== null,
            )
            .map(({ trackingNumber, refund, level }) => ({
              trackingNumber: trackingNumber!,
              cents: { GroundAdvantage: 593 }[level!]!,
              isVoided: refund === 'refunded',
            })),
        ),
      move(trackingNumber, status) {
        for (const shipment of stub.shipments.values())
          if (shipment.trackingNumber === trackingNumber) shipment.status = status
      },
      secrets: [EASYPOST_KEY, Buffer.from(`${EASYPOST_KEY}:`).toString('base64')],
      close: stub.close,
    }
  },
}
