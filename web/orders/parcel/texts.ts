/** Texts of the pages that receivers of parcels open. */
export const texts = {
  loading: 'Loading the parcel…',
  failed: 'We couldn’t load this parcel. Check your connection.',
  missing: 'No parcel here',
  missingTitle: 'Check the link',
  missingText:
    'There is no parcel behind this link. Check that you copied all of it, or ask the sender.',
  missingPicture: {
    weight: 'NO PARCEL',
    service: 'TRACKING LINK',
    to: ['COPY ALL OF IT', 'OR ASK THE SENDER'],
  },
  tryAgain: 'Try again',
  progress: 'Progress',
  created: 'Label created',
  from: (seller: string) => `From ${seller}`,
  waiting: 'Waiting for the first scan',
  waitingText: 'The label is made. The carrier has not seen the parcel yet.',
  sample: 'This is a sample. No parcel is on its way: the label was made for a trial.',
  voided: 'The sender voided this label. No parcel comes with this number.',
  facts: 'Parcel',
  expected: 'Expected',
  service: 'Service',
  number: 'Tracking number',
  track: 'Track at USPS',
  history: 'Where it was seen',
  noHistory: 'Nothing yet. This page shows each scan of the carrier soon after it was made.',
  questions: 'Questions?',
  ask: (seller: string) => `Ask ${seller}`,
  stop: {
    title: 'Stop emails about parcels',
    explain:
      'You get no more emails about parcels at this address, from any sender. The tracking links that you have go on working.',
    submit: 'Stop emails',
    incomplete: 'This link is not complete. Open it from the email again.',
    failed: 'We couldn’t stop the emails. Try again.',
  },
}
