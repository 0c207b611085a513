import { countText, numberText } from '#contract/format.ts'
import type { Refund, RefundState } from '#contract/refunds.ts'

export const texts = {
  title: 'Refunds',
  back: 'All orders',
  loading: 'Loading refunds…',
  failed: 'We couldn’t load your refunds.',
  figures: 'Refunds in figures',
  pending: 'Pending',
  pendingText: (count: number) =>
    count === 0
      ? 'Nothing waiting on the carrier'
      : `${countText(count, 'label')}, refunded after the carrier confirms`,
  refunded: 'Refunded',
  refundedText: (count: number) => `${countText(count, 'label')} back in your balance`,
  automatic: 'Refunded automatically',
  automaticText: (count: number) => `${countText(count, 'unused label')} voided for you`,
  refused: 'Refused',
  refusedText: (count: number) => `${countText(count, 'label')} still valid`,
  filter: 'Show',
  filterOf: (name: string, count: number | undefined) =>
    count === undefined ? name : `${name} ${numberText(count)}`,
  filters: {
    all: 'All',
    pending: 'Pending',
    refunded: 'Refunded',
    refused: 'Refused',
  } satisfies Record<RefundState | 'all', string>,
  states: {
    pending: 'Pending',
    refunded: 'Refunded',
    refused: 'Refused',
  } satisfies Record<RefundState, string>,
  columns: {
    label: 'Label',
    requested: 'Requested',
    status: 'Status',
    amount: 'Amount',
  },
  label: (id: string) => `Label ${id}`,
  unused: 'Unused label, voided for you',
  refundedSince: 'Back in your balance since',
  pendingWhy: (
    { expectedAt, inDoubt, confirmed, stopped }: Refund,
    dayOf: (at: string) => string,
  ) => {
    if (stopped)
      return 'The carrier scanned this label after its void. We check it before its price comes back.'
    if (confirmed && expectedAt !== null)
      return `Voided by the carrier, expected on ${dayOf(expectedAt)} unless the label is scanned`
    if (inDoubt)
      return (
        'The carrier refused, but it did not answer an earlier request that may have voided the label. '
        + 'We keep asking; don’t ship with it.'
      )
    return expectedAt === null
      ? 'Waiting for the carrier’s answer, usually right away'
      : `Accepted by the carrier, expected by ${dayOf(expectedAt)}`
  },
  refusedWhy: (reason: string) => `The label stays valid. The carrier says: ${reason}`,
  none: 'No refunds yet',
  noneText: 'Void a label you won’t use, and its refund shows up here.',
  noneOfState: 'No matching refunds',
  noneOfStateText: 'There are no refunds in this state.',
  showAll: 'Show all refunds',
  toLabels: 'Choose a label to void',
  toOrders: 'Go to Orders',
  how: {
    title: 'How a refund works',
    steps: [
      { name: 'You void a label', text: 'From its menu in Orders, before it is used.' },
      { name: 'The carrier confirms', text: 'Usually right away. Some carriers take days.' },
      { name: 'You get its price back', text: 'In your balance and on your wallet statement.' },
    ],
  },
  seeAll: 'See your refunds',
}
