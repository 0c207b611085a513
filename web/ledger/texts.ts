/** What the wallet statement says, in one place, so that languages can be added. */
import { countText } from '#contract/format.ts'
import type { StatementFilter } from '#contract/wallet-movements.ts'

export const texts = {
  balance: 'Balance',
  how: 'Money for a label is held when you order it. It is given back when the label cannot be bought, and stays spent when it is.',
  topUp: 'Top up',
  file: 'Download CSV',
  title: 'Movements',
  loading: 'Loading movements...',
  filter: 'Show',
  filters: {
    all: 'All movements',
    deposit: 'Deposits',
    hold: 'Held for labels',
    release: 'Released',
    refund: 'Refunds',
    adjustment: 'Adjustments',
  } satisfies Record<StatementFilter, string>,
  found: (count: number) => countText(count, 'movement'),
  columns: {
    at: 'Date & Time',
    reason: 'Reason',
    about: 'About',
    amount: 'Amount',
    balance: 'Balance',
  },
  label: (id: string) => `Label ${id}`,
  batch: (id: string) => `Bulk order ${id}`,
  invoice: (id: string) => `Invoice ${id}`,
  after: (balance: string) => `Balance ${balance}`,
  none: 'No movements yet',
  noneText: 'What you pay in and what your labels cost appears here.',
  noneOfKind: 'No such movements',
  noneOfKindText: 'Nothing of this kind has moved your balance.',
  showAll: 'Show all movements',
  failed: 'Your statement could not be loaded.',
  tryAgain: 'Try again',
}
