import { countText, numberText } from '#contract/format.ts'
import type { ScanFormState } from '#contract/scan-forms.ts'

const STATES: Record<ScanFormState, string> = {
  asked: 'Being made',
  made: 'Ready',
  failed: 'Not made',
  unknown: 'Unconfirmed',
}

export const texts = {
  back: { orders: 'All orders', batches: 'Batch Orders' },
  ready: 'Parcels without a SCAN form',
  what: 'The carrier scans one form at the counter and accepts every parcel on it.',
  day: 'Bought on',
  eastern: 'US Eastern time',
  badDay: 'Choose a day up to today',
  dayMissing: 'Choose the day first',
  loading: 'Loading labels...',
  failed: 'We couldn’t load your labels',
  restFailed: 'We couldn’t load the other parcels',
  none: 'No parcels are waiting',
  noneText:
    'Labels bought on this day wait here until they are on a form. The carrier scans it once and accepts them all.',
  noneEver: 'No parcels yet',
  newText:
    'A SCAN form (Shipment Confirmation Acceptance Notice) lists the parcels of a day under one barcode.',
  yesterday: 'Show yesterday',
  order: 'Order a label',
  upload: 'Upload a file',
  notOffered: 'This carrier doesn’t offer SCAN forms',
  notOfferedText: 'Have each parcel scanned on its own.',
  more: (most: number) => `Only the first ${numberText(most)} labels are listed.`,
  parcels: (count: number) => countText(count, 'parcel'),
  service: (name: string, labels: number) => `${name}: ${numberText(labels)}`,
  chosen: (chosen: number, all: number) =>
    chosen === all
      ? countText(all, 'parcel')
      : `${numberText(chosen)} of ${countText(all, 'parcel')}`,
  includeAll: (sender: string) => `All parcels of ${sender}`,
  includeService: (service: string, sender: string) => `All ${service} parcels of ${sender}`,
  include: (receiver: string) => `On the form: ${receiver}`,
  noneChosen: 'Choose at least one parcel',
  noName: 'no name',
  heads: { receiver: 'Receiver', place: 'City', tracking: 'Tracking number' },
  showAll: (count: number) => `Show all ${numberText(count)}`,
  notListed: (count: number) => `${numberText(count)} more on the form, not listed here.`,
  make: (labels: number) => `Create SCAN form for ${countText(labels, 'parcel')}`,
  makeOf: (sender: string, labels: number) =>
    `Create SCAN form for ${countText(labels, 'parcel')} of ${sender}`,
  several: (forms: number, most: number) =>
    `${countText(forms, 'form')}: the carrier takes up to ${countText(most, 'label')} on one.`,
  notMade: 'We couldn’t confirm that. The list below shows which forms exist.',
  made: (forms: number) => `${countText(forms, 'SCAN form')} ready to print`,
  asked: 'The carrier is making the form. You can leave this page.',
  unclear: 'The carrier didn’t confirm whether it made the form. See the list.',
  forms: 'SCAN forms',
  formsLoading: 'Loading forms...',
  how: {
    title: 'How a SCAN form works',
    steps: [
      { name: 'You create one form', text: 'It lists all parcels you send that day.' },
      { name: 'You print it', text: 'One page with one barcode.' },
      { name: 'The carrier scans it once', text: 'Every parcel on it is accepted.' },
    ],
  },
  formsFailed: 'We couldn’t load your SCAN forms',
  noForms: 'No SCAN forms yet',
  states: STATES,
  columns: {
    form: 'Form',
    sender: 'Sender',
    parcels: 'Parcels',
    status: 'Status',
    print: 'Print',
  },
  form: (id: string) => `#${id}`,
  mailing: (day: string) => `Mailing day ${day}`,
  voided: (count: number) => `${numberText(count)} voided since`,
  print: 'Print',
  printPart: (part: number) => `Print ${numberText(part)}`,
  printName: (id: string, part: number, parts: number) =>
    parts === 1 ? `Print SCAN form ${id}` : `Print SCAN form ${id}, part ${part} of ${parts}`,
  noFile: 'No file yet',
}
