import { countText } from '#contract/format.ts'
import type { TrackingStatus } from '#contract/tracking.ts'

/** Texts of the pages that receivers of parcels open. */
export const texts = {
  loading: 'Loading the parcel…',
  failed: 'We couldn’t load this parcel. Check your connection.',
  missing: 'We can’t find this parcel',
  missingText:
    'The link may be cut off. Paste the whole link from your message, or enter the tracking number.',
  missingPicture: { weight: '– lb', service: 'RETURN TO SENDER', to: 'UNKNOWN PARCEL' },
  toHome: 'Go to the home page',
  lookup: {
    name: 'Find a parcel',
    label: 'Tracking link or number',
    hint: 'We look up numbers at USPS.',
    submit: 'Find parcel',
    empty: 'Enter a tracking link or number',
    unread:
      'That is neither a tracking link nor a USPS tracking number. Check that it is complete.',
    same: 'There is no parcel behind this link. Ask the sender for a new one.',
    sample:
      'Numbers of this site are samples that USPS does not know. Paste the tracking link instead.',
  },
  meanings: {
    unknown: 'The sender has made the label. The carrier has not scanned the parcel yet.',
    pre_transit: 'The sender has made the label. The carrier does not have the parcel yet.',
    in_transit: 'The carrier has the parcel and is moving it to you.',
    out_for_delivery: 'The parcel is in the delivery vehicle. It comes today.',
    available_for_pickup: 'The parcel is at the post office. Bring an ID to collect it.',
    delivered: 'The carrier has delivered the parcel.',
    return_to_sender: 'The parcel could not be delivered and goes back to the sender.',
    failure: 'The carrier could not deliver the parcel. Ask the sender what happens next.',
    cancelled: 'The sender cancelled this parcel.',
  } satisfies Record<TrackingStatus, string>,
  progress: 'Tracking history',
  created: 'Label created',
  voidedStep: 'Label voided',
  earlier: (scans: number) => countText(scans, 'earlier scan'),
  waiting: 'Waiting for the first scan',
  sample: 'This is a sample. No parcel is on its way: the label was made for a trial.',
  voided: 'The sender voided this label. No parcel comes with this number.',
  facts: 'Parcel',
  expected: 'Expected',
  usually: 'Usually delivered',
  businessDays: (from: number, to: number) => `${from}–${to} business days after the first scan`,
  from: 'From',
  to: 'To',
  service: 'Service',
  number: 'Tracking number',
  copyNumber: 'Copy number',
  track: 'Track at USPS',
  sampleNumber: 'USPS does not know the number of a sample.',
  /** What will happen at a step, before the first scan. */
  explanations: {
    in_transit: 'The carrier scans the parcel when it gets it. That can take a day.',
    out_for_delivery: 'The carrier brings the parcel on this day.',
    delivered: 'With the time, and often the place where it was left.',
  } as Partial<Record<TrackingStatus, string>>,
  questions: 'Questions?',
  ask: (seller: string) => `Ask ${seller} about the order, the address or a delay.`,
  noContact: 'Reply to the message with your tracking link, or contact the shop where you ordered.',
  trouble: 'Is something wrong with this page?',
  support: 'Contact support',
  supportSubject: (number: string) => `Tracking page of ${number}`,
  stop: {
    title: 'Stop emails about parcels',
    explain:
      'You get no more emails about parcels at this address, from any sender. The tracking links that you have go on working.',
    submit: 'Stop emails',
    incomplete: 'This link is not complete. Open it from the email again.',
    failed: 'We couldn’t stop the emails. Try again.',
  },
}
