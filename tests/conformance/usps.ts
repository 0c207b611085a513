import { createAttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { uspsCarrier } from '#server/carriers/usps/adapter.ts'
import { attemptUuid } from '#server/carriers/wire/attempt-name.ts'
import { openUspsStub, USPS_ACCOUNT, USPS_KEYS } from '#tests/support/carriers/usps-stub.ts'
import type { ConformanceSubject } from './subject.ts'

export const uspsSubject: ConformanceSubject = {
  name: 'USPS',
  unsupported: {},
  async open(database) {
    const stub = await openUspsStub()
    return {
      withBehavior: day =>
        uspsCarrier({
          ...USPS_KEYS,
          url: stub.urlOn(day),
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
