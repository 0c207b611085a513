/** Texts of the list of orders. */
import { countText, numberText, plural } from '#contract/format.ts'

export const texts = {
  statuses: { pending: 'Pending', completed: 'Completed', cancelled: 'Cancelled' },
  voiding: 'Voiding…',
  voided: 'Voided',
  title: 'Orders List',
  loading: 'Loading orders...',
  none: 'No orders found',
  noneText: 'Every label you buy appears here, with its tracking number and PDF.',
  noneNarrowed: ({ search, ...others }: { search: string } & Record<string, string>) =>
    Object.values(others).some(Boolean)
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
  count: (count: number, more: boolean) =>
    `${numberText(count)}${more ? '+' : ''} ${plural(count, 'order')}`,
  export: 'CSV',
  exportWorkbook: 'Excel',
  refunded: 'refunded',
  notCharged: 'not charged',
  printSeveral: (count: number) => `Print ${countText(count, 'label')}`,
  tooManyToPrint: (most: number) => `You can print up to ${numberText(most)} labels at once`,
  noneToVoid: 'None of these can be voided anymore',
  status: 'Status',
  anyStatus: 'All statuses',
  parcel: 'Parcel',
  anyParcel: 'All parcels',
  anyService: 'All services',
  inBatch: (id: string) => `Bulk order ${id}`,
  clearBatch: (id: string) => `Bulk order ${id}: show orders of all`,
  dates: {
    name: 'Ordered',
    any: 'Any date',
    today: 'Today',
    week: 'Last 7 days',
    month: 'Last 30 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    choose: 'Choose dates…',
  },
  days: {
    from: 'Ordered from',
    to: 'Ordered until',
    reversed: 'The end date is before the start date',
  },
  columns: {
    service: 'Service',
    sender: 'Sender',
    receiver: 'Receiver',
    tracking: 'Tracking Number',
    price: 'Price',
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
  mayBeOnForm: 'May be on a form; have it scanned singly',
  endOfDay: 'End of day',
  notVoided: (why: string) => `Not voided: ${why}`,
}
