import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { uspsCarrier } from '#server/carriers/usps/adapter.ts'
import { attemptUuid } from '#server/carriers/wire/attempt-name.ts'
import { uspsFormsContract } from '#tests/support/carriers/usps-forms-contract.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import { uspsTrackingContract } from '#tests/support/carriers/usps-tracking-contract.ts'
import { loadPublishedContract } from '#tests/support/published-contracts.ts'
import type { ConformanceSubject } from './subject.ts'

export const uspsSubject: ConformanceSubject = {
  name: 'USPS',
  unsupported: { 'form-late': 'its answer has the form' },
  async open(database) {
    const stub = await openUspsStub()
    return {
      withBehavior: behavior =>
        uspsCarrier({
          ...USPS_KEYS,
          url: stub.urlOn(behavior),
          account: USPS_ACCOUNT,
          instance: () => Promise.resolve('conf'),
          notes: createAttemptNotes(database),
        }),
      soldFor: async attempt =>
        [...stub.labels.values()]
          .filter(({ key }) => key === attemptUuid('conf', attempt))
          .map(({ trackingNumber, cents, state }) => ({
            trackingNumber,
            cents,
            isVoided: state === 'cancelled',
          })),
      formsWith: trackingNumber => Promise.resolve(stub.formsWith(trackingNumber)),
      optionsOf(attempt) {
        const { body } = [...stub.labels.values()].find(
          ({ key }) => key === attemptUuid('conf', attempt),
        )!
        const { packageDescription } = JSON.parse(body) as {
          packageDescription: { extraServices?: number[] }
        }
        const [code] = packageDescription.extraServices ?? []
        const signature =
          code === 922 ? 'adult' : code === 921 || code === 981 ? 'signature' : 'none'
        return { signature, saturday: false }
      },
      wire: {
        get asked() {
          return stub.requests.map(({ request }) => request)
        },
        contracts: [
          loadPublishedContract('usps/usps-v3.min.openapi.yaml'),
          uspsFormsContract,
          uspsTrackingContract,
        ].filter(one => one !== null),
      },
      moveParcel(trackingNumber, status) {
        for (const label of stub.labels.values())
          if (label.trackingNumber === trackingNumber) label.parcel = status
      },
      // More come as time goes by.
      secrets: stub.secrets(),
      close: stub.close,
    }
  },
}
