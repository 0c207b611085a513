import { numberText, plural } from '#contract/format.ts'
/** What the order label management says. */
import type { BatchFileKind } from '#contract/downloads.ts'
import type { OrderState } from '#contract/orders.ts'

type ResolutionChoice = {
  value: 'sold' | 'not-sold' | 'paid-back' | 'refused'
  text: string
  hint: string
}
type ResolutionQuestion = { question: string; choices: (price: string) => ResolutionChoice[] }
type ResolutionTexts = {
  label: ResolutionQuestion
  void: ResolutionQuestion
  [word: string]: string | ResolutionQuestion
}

export const texts = {
  title: 'Order labels',
  loading: 'Loading labels...',
  count: (total: number, more: boolean) =>
    `${numberText(total)}${more ? '+' : ''} ${plural(total, 'label')}`,
  export: 'Export CSV',
  none: 'No labels found',
  noneText: 'Labels of all customers appear here.',
  noneNarrowed: 'No label fits all of what the list is narrowed to.',
  clear: 'Clear filters',
  failed: 'The labels could not be loaded',
  tryAgain: 'Try again',
  search: 'Search labels',
  searchHint: 'Tracking number, label, order reference',
  searchHintOfUser: 'Tracking, label, reference or name',
  status: 'Status',
  statuses: {
    all: 'All labels',
    outward: 'As the customer sees it',
    inward: 'In detail',
    pending: 'Pending',
    completed: 'Completed',
    cancelled: 'Cancelled',
  },
  states: {
    queued: 'In the queue',
    purchasing: 'Being bought',
    unknown: 'Outcome unknown',
    purchased: 'Bought',
    failed: 'Not bought',
    voiding: 'Voiding…',
    voided: 'Voided',
  } satisfies Record<OrderState, string>,
  user: 'Customer',
  batch: 'Bulk order',
  batchHint: 'Number',
  noBatch: 'A bulk order is a number',
  days: { from: 'Ordered from', to: 'Ordered until', reversed: 'This day is before the first' },
  columns: {
    label: 'Label, ordered',
    user: 'Customer',
    service: 'Service',
    receiver: 'Receiver',
    tracking: 'Tracking',
    price: 'Price',
    batch: 'Bulk order',
  },
  cost: (amount: string) => `cost ${amount}`,
  row: (row: number) => `row ${numberText(row)}`,
  label: (id: string) => `Label ${id}`,
  notVoided: (why: string) => `Not voided: ${why}`,
  manualResolution: {
    button: 'End by hand',
    first: 'The carrier is asked once more first. If it answers, its answer counts.',
    happened: 'What does the carrier’s own list say?',
    label: {
      question: 'End this label by hand?',
      choices: (price: string) => [
        {
          value: 'sold',
          text: 'The carrier sold it',
          hint: `The ${price} that are held are taken, and the customer has the label.`,
        },
        {
          value: 'not-sold',
          text: 'The carrier did not sell it',
          hint: `The ${price} go back to the customer’s balance. If it was sold after all, that cost is yours.`,
        },
      ],
    },
    void: {
      question: 'End this void by hand?',
      choices: (price: string) => [
        {
          value: 'paid-back',
          text: 'The carrier paid it back',
          hint: `${price} go to the customer’s balance, and the label is gone.`,
        },
        {
          value: 'refused',
          text: 'The carrier refused',
          hint: 'The label stays good and paid for.',
        },
      ],
    },
    tracking: 'Tracking number',
    trackingMissing: 'Please enter the tracking number',
    cost: 'Carrier cost in dollars',
    costHint: 'Leave it empty if it is not known.',
    costWrong: 'Please enter an amount such as 5.93',
    reason: 'Reason',
    reasonHint: 'Kept in the audit and in the label’s story.',
    reasonMissing: 'Please give a reason',
    cancel: 'Cancel',
    end: 'End it',
    wait: 'Please wait: the carrier is asked',
    failed: 'This could not be ended',
  } satisfies ResolutionTexts,
  details: {
    elsewhere: (account: string) =>
      `Bought with another carrier account. Nothing can be asked about it here: put the key of ${account} back `
      + 'or, if it is the same account with a new key, name it in CARRIER_SAME_ACCOUNT.',
    back: 'All labels',
    loading: 'Loading the label…',
    failed: 'This label could not be loaded',
    check: 'Look up now',
    checkFailed: 'The carrier could not be asked',
    download: 'Download label',
    timeline: 'What happened',
    by: (name: string) => `by ${name}`,
    said: 'The carrier said',
    because: 'Because',
    facts: 'Facts',
    from: 'From',
    to: 'To',
    parcel: 'Package',
    names: {
      customer: 'Customer',
      service: 'Service',
      tracking: 'Tracking',
      batch: 'Bulk order',
      price: 'Price',
      cost: 'Carrier cost',
      margin: 'Margin',
      ordered: 'Ordered',
      bought: 'Bought',
      voided: 'Voided',
      weight: 'Weight',
      size: 'Size',
      quantity: 'Quantity',
      sku: 'SKU',
      item: 'Order item',
      contents: 'Description',
      files: 'Files',
    },
    inBatch: (id: string, row: number | null) =>
      row === null ? id : `${id}, row ${numberText(row)}`,
    labelsOf: 'Labels of this customer',
    statement: 'Wallet statement',
    givenBack: (amount: string) => `${amount}, given back`,
    files: { pdf: 'PDF', 'result-csv': 'Result CSV', 'auto-csv': 'Auto Confirm' } satisfies Record<
      BatchFileKind,
      string
    >,
    pounds: (weight: string) => `${weight} lb`,
    inches: (sides: string[]) => `${sides.join(' × ')} in`,
  },
}
