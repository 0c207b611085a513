import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { shipengineCarrier } from '#server/carriers/shipengine/adapter.ts'
import { attemptName } from '#server/carriers/wire/attempt-name.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import { loadPublishedContract } from '#tests/support/published-contracts.ts'
import type { ConformanceSubject } from './subject.ts'

export const shipengineSubject: ConformanceSubject = {
  name: 'ShipEngine',
  unsupported: { 'void-submitted': 'it approves a void or does not, and tells nothing more of it' },
  async open(database) {
    const stub = await openShipEngineStub()
    return {
      withBehavior: behavior =>
        shipengineCarrier({
          ...SHIPENGINE_KEYS,
          url: stub.urlOn(behavior),
          instance: () => Promise.resolve('conf'),
          notes: createAttemptNotes(database),
        }),
      soldFor: async attempt =>
        stub.labels
          .filter(({ name }) => name === attemptName('conf', attempt))
          .map(({ trackingNumber, cents, isVoided }) => ({ trackingNumber, cents, isVoided })),
      formsWith: trackingNumber => Promise.resolve(stub.formsWith(trackingNumber)),
      optionsOf(attempt) {
        const sold = stub.labels.find(({ name }) => name === attemptName('conf', attempt))
        const asked = sold!.confirmation
        const signature =
          asked === 'adult_signature' ? 'adult' : asked === 'signature' ? 'signature' : 'none'
        return { signature, saturday: false }
      },
      wire: {
        get asked() {
          return stub.requests.map(({ request }) => request)
        },
        contracts: [loadPublishedContract('shipengine/openapi.yaml')].filter(one => one !== null),
      },
      moveParcel: stub.moveParcel,
      secrets: [SHIPENGINE_KEYS.apiKey],
      close: stub.close,
    }
  },
}
