/** What the screens of bulk orders say beside what `contract/batch-status.ts` decides (specification, 2 and 8). */
import { countText, numberText, plural } from '#contract/format.ts'

export const texts = {
  unreachable: 'The server cannot be reached. Your labels are being bought all the same.',
  overlay: {
    name: 'Bulk order progress',
    progress: 'Labels processed',
    elapsed: 'Elapsed time',
    processed: 'Processed',
    failed: 'Failed',
    total: 'Total',
    minimise: 'Minimise',
    expand: 'Expand',
    close: 'Close',
    hint: 'You can minimise this and keep working.',
    closed: 'Everything also stays in',
    list: 'Batch Orders',
    refused: 'Nothing was bought. Your table is as it was.',
    files: { pdf: 'PDF', 'result-csv': 'Results CSV', 'auto-csv': 'Auto-Confirm' },
  },
  demo: {
    title: 'Bulk order progress',
    text: 'This is how the progress of a bulk order looks, on every page, played with 50 labels. Nothing is bought and nothing is sent.',
    taken: 'A bulk order of yours is being processed. The demo can be played when it has ended.',
    show: 'Show modal',
    hide: 'Hide modal',
    minimise: 'Minimise modal',
    maximise: 'Maximise modal',
    simulate: 'Simulate progress',
    window: 'Modal',
    windows: { hidden: 'Hidden', large: 'Shown', small: 'Minimised' },
    processed: 'Processed',
    status: 'Status',
    counts: (processed: number, total: number) => `${processed} of ${total}`,
    none: '–',
    hint: 'A demonstration: nothing is bought.',
    noFiles: 'A demonstration has no files',
    hiddenNow: 'Nothing is shown now',
  },
  list: {
    title: 'Batch Orders',
    loading: 'Loading batch orders...',
    none: 'No orders found',
    noneText: 'Each file of labels that you order appears here with its progress and its files.',
    start: 'Go to Bulk Order',
    failed: 'The batch orders could not be loaded',
    tryAgain: 'Try again',
    created: 'Created',
    price: 'Price',
    status: 'Status',
    actions: 'Actions',
    downloads: 'Downloads',
    progress: 'Show progress',
    retry: (count: number) => `Retry Failed (${count})`,
    edit: 'Edit failed rows',
    details: 'Details',
    voidUnused: 'Void unused labels…',
    counts: (processed: string, total: string) => `${processed} of ${total} labels`,
    labels: (count: number, total: string) => `${total} ${plural(count, 'label')}`,
    files: { pdf: 'PDF', 'result-csv': 'Result CSV', 'auto-csv': 'Auto Confirm' },
    leftOut: (count: number) =>
      `Auto Confirm is without ${countText(count, 'label')} of orders that are not bought whole.`,
  },
  unused: {
    title: 'Void unused labels',
    loading: 'Counting the labels...',
    unknown: 'The labels could not be counted. Please try again.',
    question: (count: number, amount: string) =>
      count === 1
        ? `1 label can be voided. ${amount} comes back to the balance when the carrier has confirmed.`
        : `${numberText(count)} labels can be voided. ${amount} comes back to the balance as the carrier confirms them.`,
    forGood: (count: number) =>
      count === 1
        ? 'It is no postage any more then: do not ship with it, printed or not.'
        : 'They are no postage any more then: do not ship with any of them, printed or not.',
    refused: (count: number, of: number) =>
      of === 1
        ? 'The carrier has refused to void it before; Orders says why.'
        : `The carrier has refused to void ${numberText(count)} of them before; Orders says why.`,
    nothing: 'There is no label left to void.',
    voiding: (count: number) =>
      `${countText(count, 'label waits', 'labels wait')} for the carrier’s answer.`,
    voided: (count: number) =>
      `${countText(count, 'label is', 'labels are')} voided and paid back.`,
    underWay: (count: number) =>
      `${countText(count, 'label is', 'labels are')} on the way and cannot be voided.`,
    keep: 'Keep',
    close: 'Close',
    confirm: (count: number) => `Void ${countText(count, 'label')}`,
    failed: 'It is not known whether that worked. Try again: nothing is voided or paid back twice.',
  },
  failures: {
    title: (count: number) => countText(count, 'failed label'),
    row: 'Row',
    item: 'Order item',
    receiver: 'Receiver',
    reason: 'Reason',
    fixed: 'Not retryable',
    more: (count: number) => `${numberText(count)} more are in the Result CSV.`,
    unpaid: 'Failed labels cost nothing: their money is back in your balance.',
    held: 'For labels still being checked it stays on hold.',
    close: 'Close',
  },
}
