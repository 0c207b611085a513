import type { BatchFileKind } from '#contract/downloads.ts'
import { numberText, plural } from '#contract/format.ts'
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
  [key: string]: string | ResolutionQuestion
}

export const texts = {
  title: 'Order labels',
  inBatch: (count: string, id: string) => `${count} in bulk order ${id}`,
  loading: 'Loading labels...',
  by: (customer: string) => `by ${customer}`,
  fromTo: (customer: string, receiver: string) => `${customer} to ${receiver}`,
  count: (total: number, more: boolean) =>
    `${numberText(total)}${more ? '+' : ''} ${plural(total, 'label')}`,
  sums: {
    name: 'Sums of these labels',
    bought: 'Bought',
    of: (count: number, total: number) =>
      count === total ? numberText(total) : `${numberText(count)} of ${numberText(total)}`,
    price: 'Price',
    cost: 'Carrier cost',
    margin: 'Margin at purchase',
    unknownCosts: (count: number) => `${numberText(count)} without a known cost, not in the margin`,
    tooMany: (most: number) =>
      `Sums are shown for up to ${numberText(most)} labels. Narrow the filters, or add up the export.`,
  },
  export: 'Export CSV',
  exportWorkbook: 'Export Excel',
  none: 'No labels found',
  noneText: 'Labels from all customers appear here.',
  noneNarrowed: 'No labels match these filters.',
  noneNamed:
    'No label, tracking or order number matches. To search by name or reference, choose a customer first.',
  clear: 'Clear filters',
  failed: 'We couldn’t load the labels',
  search: 'Search labels',
  searchHint: 'Label, tracking, order',
  searchHintOfUser: 'Tracking, label, reference or name',
  listMenu: 'Actions for the list',
  status: 'Status',
  statuses: {
    all: 'All labels',
    customerView: 'As the customer sees it',
    detailed: 'In detail',
    pending: 'Pending',
    completed: 'Completed',
    cancelled: 'Cancelled',
  },
  states: {
    queued: 'Queued',
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
  noBatch: 'Enter a bulk order number',
  days: {
    from: 'Ordered from',
    to: 'Ordered until',
    reversed: 'The end date is before the start date',
  },
  columns: {
    label: 'Label, ordered',
    user: 'Customer',
    service: 'Service, status',
    receiver: 'Receiver',
    tracking: 'Tracking',
    price: 'Price',
    batch: 'Bulk order',
    row: 'Row',
  },
  cost: (amount: string) => `cost ${amount}`,
  noPrice: '–',
  notCharged: (price: string) => `${price} not charged`,
  notChargedBrief: 'not charged',
  refunded: 'refunded',
  row: (row: number) => `row ${numberText(row)}`,
  labelsOfBatch: (id: string) => `${id}, all labels of this bulk order`,
  label: (id: string) => `Label ${id}`,
  notVoided: (why: string) => `Not voided: ${why}`,
  manualResolution: {
    button: 'Resolve manually',
    recheck:
      'We check with the carrier one more time first. If it has an answer, that answer counts.',
    outcome: 'What do the carrier’s records show?',
    label: {
      question: 'Resolve this label manually?',
      choices: (price: string) => [
        {
          value: 'sold',
          text: 'The carrier sold it',
          hint: `The ${price} on hold is charged, and the customer gets the label.`,
        },
        {
          value: 'not-sold',
          text: 'The carrier did not sell it',
          hint: `${price} goes back to the customer’s balance. If the carrier did sell it, you cover the cost.`,
        },
      ],
    },
    void: {
      question: 'Resolve this void manually?',
      choices: (price: string) => [
        {
          value: 'paid-back',
          text: 'The carrier refunded it',
          hint: `${price} goes to the customer’s balance, and the label is voided.`,
        },
        {
          value: 'refused',
          text: 'The carrier refused',
          hint: 'The label stays valid and paid for.',
        },
      ],
    },
    tracking: 'Tracking number',
    trackingMissing: 'Enter the tracking number',
    cost: 'Carrier cost in dollars',
    costHint: 'Leave blank if unknown.',
    costWrong: 'Enter an amount such as 5.93',
    reason: 'Reason',
    reasonHint: 'Kept in the audit and the label’s history.',
    reasonMissing: 'Enter a reason',
    submit: 'Resolve',
    wait: 'Checking with the carrier…',
    failed: 'We couldn’t resolve this',
  } satisfies ResolutionTexts,
  scanCharge: {
    charged: (amount: string) =>
      `${amount} was charged back, because the carrier scanned the label after its void.`,
    giveBack: (amount: string) => `Give ${amount} back`,
    question: (amount: string) => `Give ${amount} back?`,
    text: 'The customer gets back what was collected and no longer owes the rest. You can’t charge this label again.',
    failed: 'We couldn’t give it back',
    wait: 'Giving it back…',
  },
  details: {
    otherAccount: (account: string) =>
      `Bought with another carrier account, so it can’t be looked up here. Restore the key of ${account} `
      + 'or, if it is the same account with a new key, name it in CARRIER_SAME_ACCOUNT.',
    title: (receiver: string) => `Label for ${receiver}`,
    back: 'All labels',
    loading: 'Loading the label…',
    failed: 'We couldn’t load this label',
    check: 'Check now',
    checkFailed: 'We couldn’t check with the carrier',
    download: 'Download label',
    timeline: 'History',
    by: (name: string) => `by ${name}`,
    carrierSaid: 'The carrier said',
    unknown: 'Unknown',
    notBought: '–',
    pricedBy: 'Priced by',
    reason: 'Reason',
    facts: 'Details',
    names: {
      customer: 'Customer',
      service: 'Service',
      tracking: 'Tracking',
      batch: 'Bulk order',
      price: 'Price',
      cost: 'Carrier cost',
      corrected: 'Later corrections',
      margin: 'Margin',
      ordered: 'Ordered',
      bought: 'Bought',
      voided: 'Voided',
      files: 'Files',
    },
    inBatch: (id: string, row: number | null) =>
      row === null ? id : `${id}, row ${numberText(row)}`,
    labelsOf: 'Labels of this customer',
    statement: 'Wallet statement',
    refunded: (amount: string) => `${amount}, refunded`,
    files: { pdf: 'PDF', 'result-csv': 'Result CSV', 'auto-csv': 'Auto Confirm' } satisfies Record<
      BatchFileKind,
      string
    >,
  },
}
