/** Texts of the list of orders. */
import { numberText, plural } from '#contract/format.ts'

export const texts = {
  statuses: { pending: 'Pending', completed: 'Completed', cancelled: 'Cancelled' },
  voiding: 'Voiding…',
  voided: 'Voided',
  title: 'Orders List',
  loading: 'Loading orders...',
  none: 'No orders found',
  noneText: 'Every label you buy appears here, with its tracking number and PDF.',
  noneNarrowed: ({ search, status, parcel }: { search: string; status: string; parcel: string }) =>
    status || parcel
      ? 'No orders match these filters.'
      : `No orders match “${search}”. You can search by tracking number, order ID or name.`,
  start: 'Go to Order Label',
  all: 'Show all orders',
  failed: 'We couldn’t load your orders',
  tryAgain: 'Try again',
  search: 'Search orders',
  searchHint: 'Tracking number, order ID, name',
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
  voidSubmitted: (day: string) =>
    `The carrier accepted the request on ${day} and will confirm later`,
  notVoided: (why: string) => `Not voided: ${why}`,
}
