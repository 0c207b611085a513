import { notesIn } from '#server/carriers/notes-store.ts'
import { shipengineCarrier } from '#server/carriers/shipengine/adapter.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { openEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import type { Subject } from './subject.ts'

export const shipengine: Subject = {
  name: 'ShipEngine',
  never: { 'void-submitted': 'it approves a void or does not, and tells nothing more of it' },
  async open(database) {
    const stub = await openEngineStub()
    return {
      on: day =>
        shipengineCarrier({
          ...SHIPENGINE_KEYS,
          url: stub.urlOn(day),
          instance: () => Promise.resolve('conf'),
          notes: notesIn(database),
        }),
      soldFor: async attempt =>
        stub.labels
          .filter(({ name }) => name === attemptName('conf', attempt))
          .map(({ trackingNumber, cents, isVoided }) => ({ trackingNumber, cents, isVoided })),
      move: stub.move,
      secrets: [SHIPENGINE_KEYS.apiKey],
      close: stub.close,
    }
  },
}
