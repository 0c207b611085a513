/** Texts of the page End of day. */
import { countText, numberText } from '#contract/format.ts'
import type { ScanFormState } from '#contract/scan-forms.ts'

const STATES: Record<ScanFormState, string> = {
  asked: 'Being made',
  made: 'Ready',
  failed: 'Not made',
  unknown: 'May exist',
}

export const texts = {
  back: 'All orders',
  ready: 'Parcels without a SCAN form',
  what: 'The carrier scans one form at the counter and accepts every parcel on it. Days are in US Eastern time.',
  bought: 'Labels bought',
  today: 'Today',
  yesterday: 'Yesterday',
  day: 'Bought on',
  badDay: 'Choose a day up to today',
  loading: 'Loading labels...',
  failed: 'We couldn’t load your labels',
  none: 'No parcels are waiting',
  noneText: 'Labels that you buy on this day appear here until they are on a form or scanned.',
  order: 'Order a label',
  notOffered: 'This carrier makes no SCAN forms',
  notOfferedText: 'Have the parcels scanned singly.',
  more: (most: number) => `Only the first ${numberText(most)} labels are listed.`,
  parcels: (count: number) => countText(count, 'parcel'),
  service: (name: string, labels: number) => `${name}: ${numberText(labels)}`,
  make: 'Make form',
  makeOf: (sender: string, labels: number) =>
    `Make form for ${sender}, ${countText(labels, 'parcel')}`,
  several: (forms: number, most: number) =>
    `${countText(forms, 'form')}: the carrier takes up to ${countText(most, 'label')} on one.`,
  notMade: 'We couldn’t confirm that. The list below shows which forms exist.',
  made: (forms: number) => `${countText(forms, 'SCAN form')} ready to print`,
  asked: 'The carrier is making the form. You can leave this page.',
  unclear: 'The carrier did not tell whether it made the form. See the list.',
  forms: 'SCAN forms',
  formsLoading: 'Loading forms...',
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
