/** Texts of the wallet statement. */
import { countText } from '#contract/format.ts'
import type { StatementFilter } from '#contract/wallet-movements.ts'

export const texts = {
  balance: 'Balance',
  how: 'We hold the price when you order. If a label can’t be bought, the money is released.',
  topUp: 'Top up',
  file: 'Download CSV',
  workbook: 'Download Excel',
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
    about: 'Reference',
    amount: 'Amount',
    balance: 'Balance',
  },
  label: (id: string) => `Label ${id}`,
  batch: (id: string) => `Bulk order ${id}`,
  invoice: (id: string) => `Invoice ${id}`,
  after: (balance: string) => `Balance ${balance}`,
  none: 'No movements yet',
  noneText: 'Deposits and label charges appear here.',
  noneOfKind: 'No matching movements',
  noneOfKindText: 'There are no movements of this type yet.',
  showAll: 'Show all movements',
  failed: 'We couldn’t load your statement.',
}
