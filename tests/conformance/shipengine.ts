import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { shipengineCarrier } from '#server/carriers/shipengine/adapter.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import type { ConformanceSubject } from './subject.ts'

export const shipengineSubject: ConformanceSubject = {
  name: 'ShipEngine',
  unsupported: { 'void-submitted': 'it approves a void or does not, and tells nothing more of it' },
  async open(database) {
    const stub = await openShipEngineStub()
    return {
      withBehavior: day =>
        shipengineCarrier({
          ...SHIPENGINE_KEYS,
          url: stub.urlOn(day),
          instance: () => Promise.resolve('conf'),
          notes: createAttemptNotes(database),
        }),
      soldFor: async attempt =>
        stub.labels
          .filter(({ name }) => name === attemptName('conf', attempt))
          .map(({ trackingNumber, cents, isVoided }) => ({ trackingNumber, cents, isVoided })),
      moveParcel: stub.moveParcel,
      secrets: [SHIPENGINE_KEYS.apiKey],
      close: stub.close,
    }
  },
}
