/** What the list of orders says (specification, 2). */
import { numberText, plural } from '#contract/format.ts'

export const texts = {
  statuses: { pending: 'Pending', completed: 'Completed', cancelled: 'Cancelled' },
  voiding: 'Voiding…',
  voided: 'Voided',
  title: 'Orders List',
  loading: 'Loading orders...',
  none: 'No orders found',
  noneText: 'Every label you buy appears here, with its tracking number and its PDF.',
  noneNarrowed: ({ search, status, parcel }: { search: string; status: string; parcel: string }) =>
    status || parcel
      ? 'No order fits all of what the list is narrowed to.'
      : `Nothing matches “${search}”. Search finds tracking numbers, order ids and names.`,
  start: 'Go to Order Label',
  all: 'Show all orders',
  failed: 'The orders could not be loaded',
  tryAgain: 'Try again',
  search: 'Search orders',
  searchHint: 'Tracking number, order id, name',
  found: (count: number, more: boolean) =>
    `${numberText(count)}${more ? '+' : ''} ${plural(count, 'order')} found`,
  status: 'Status',
  anyStatus: 'All statuses',
  parcel: 'Parcel',
  anyParcel: 'All parcels',
  columns: {
    service: 'Service',
    sender: 'Sender',
    receiver: 'Receiver',
    tracking: 'Tracking Number',
    added: 'Added',
    download: 'Download',
  },
  download: 'PDF',
  downloadName: (receiver: string) => `PDF, label for ${receiver}`,
  actions: 'Actions',
  waiting: 'Waiting for the carrier',
  voidWaits: 'Waiting for the carrier to confirm',
  voidTaken: (day: string) => `The carrier took the void on ${day} and decides later`,
  notVoided: (why: string) => `Not voided: ${why}`,
}
