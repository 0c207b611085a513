import { countText, numberText, plural } from '#contract/format.ts'

export const texts = {
  shortOptions: { signature: 'Signature', adult: 'Adult signature', saturday: 'Saturday' },
  unreachable: 'Connection lost. Your labels are still being bought.',
  overlay: {
    titles: {
      processing: 'Processing Bulk Order',
      finalizing: 'Finalizing Order...',
      completed: 'Order Processed Successfully!',
      completedWithErrors: (failed: number) => `Order Processed With ${failed} Failed Label(s)`,
      failed: 'Order Processing Failed!',
      statusFailed: 'Status Update Failed',
      retrying: (failed: number) => `Retrying ${failed} Failed Label(s)...`,
    },
    minutesLeft: (minutes: number) =>
      minutes < 1
        ? 'Less than a minute left'
        : `About ${minutes} ${plural(minutes, 'minute')} left`,
    hoursLeft: (hours: number) => `About ${hours} hours left`,
    retry: (failed: number) => `Retry ${failed} Failed Label(s)`,
    retrying: 'Retrying...',
    closeDisabled: 'Please wait for processing to complete',
    orderFailed: 'An error occurred while processing your order.',
    failedLabels: (failed: number) =>
      `${failed} label(s) failed to process. Please check the error logs.`,
    retryFailed: 'An error occurred during the retry attempt.',
    partlyRecovered: (recovered: number, failed: number) =>
      `${recovered} labels recovered. ${failed} still failed.`,
    initialError: (reason: string) => `Initial Processing Error: ${reason}`,
    statusError: (reason: string) => `Status Update Error: ${reason}`,
    name: 'Bulk order progress',
    progress: 'Labels processed',
    elapsed: 'Elapsed',
    failed: 'Failed',
    print: 'Print',
    took: (time: string) => `Took ${time}`,
    processed: 'Processed',
    counts: (processed: number, total: number) =>
      `${numberText(processed)} of ${numberText(total)}`,
    cost: (charged: string, left: string) => `${charged} charged, ${left} left`,
    minimise: 'Minimise',
    expand: 'Expand',
    close: 'Close',
    done: 'Done',
    ready: (labels: number, total: number) =>
      labels === total
        ? `${countText(labels, 'label')} ready`
        : `${numberText(labels)} of ${countText(total, 'label')} ready`,
    rowOf: (row: number, orderItemId: string) =>
      // A row without an item of its own has 'item-3'.
      orderItemId && !/^item-\d+$/.test(orderItemId)
        ? `Row ${numberText(row)} · ${orderItemId}`
        : `Row ${numberText(row)}`,
    retryRepeats: 'Retry all and buy them again',
    confirmRepeats: 'Buy labels a second time?',
    repeatsCost: 'Each of them is bought and charged again.',
    buyAgain: 'Buy them again',
    boughtSince:
      'Fix rows marks the ones that have a label. A retry of all buys a second label for each of them.',
    reasons: 'Reasons',
    reasonCount: (labels: number) => countText(labels, 'label'),
    otherReasons: 'Other reasons',
    checking: 'Being checked with the carrier',
    released: (amount: string) => `${amount} is back in your balance.`,
    held: (amount: string, labels: number) =>
      `${amount} stays on hold while ${countText(labels, 'label is', 'labels are')} being checked.`,
    hint: 'You can minimise this and keep working.',
    findLater: 'You can find this later in',
    batchOrders: 'Batch Orders',
    refused: 'Nothing was bought. Your table is unchanged.',
    files: { pdf: 'PDF', 'result-csv': 'Results CSV', 'auto-csv': 'Auto-Confirm' },
  },
  demo: {
    title: 'Watch a bulk order run',
    text: 'Follow 50 sample labels in the progress window. Nothing is bought or charged.',
    realOrderRunning:
      'One of your bulk orders is being processed. You can run the demo when it is finished.',
    realOrderShown: 'Close the window of your bulk order first. The order stays in Batch Orders.',
    simulate: 'Simulate progress',
    controls: 'Progress window',
    /** What the buttons do now, and why two of them do nothing. */
    controlHints: {
      hidden:
        'Show opens it large, Minimise as a small card in the corner. Maximise and Hide need an open window.',
      large: 'It is open. Minimise makes it a small card in the corner, Hide closes it.',
      small: 'It is a small card in the corner. Maximise makes it large, Hide closes it.',
    },
    /** `text` on the button, `name` for screen readers. */
    show: { text: 'Show', name: 'Show modal' },
    hide: { text: 'Hide', name: 'Hide modal' },
    minimise: { text: 'Minimise', name: 'Minimise modal' },
    maximise: { text: 'Maximise', name: 'Maximise modal' },
    shownNow: 'The window is already open',
    hiddenNow: 'The window is already hidden',
    smallNow: 'The window is already minimised',
    notSmall: 'The window is not minimised',
    sampleOrder: 'Sample order',
    processed: (processed: number, total: number) =>
      `${numberText(processed)} of ${countText(total, 'label')}`,
    windows: { hidden: 'Hidden', large: 'Shown', small: 'Minimised' },
    notStarted: 'Not started',
    storyTitle: 'From order to print',
    story: [
      {
        name: 'Your labels are bought',
        text: 'The window counts them while you watch.',
      },
      { name: 'You keep working', text: 'Minimised, it keeps the count on every page.' },
      {
        name: 'You print',
        text: 'All in one PDF. A failed label costs nothing.',
      },
    ],
    hint: 'This is a demo. Nothing is bought.',
    noFiles: 'The demo has no files',
  },
  list: {
    title: 'Batch Orders',
    loading: 'Loading batch orders...',
    none: 'No orders found',
    noneText: 'Upload a file of orders. Each one appears here with its progress and its labels.',
    start: 'Upload a file',
    trySample: 'Try a sample file',
    how: {
      title: 'From file to labels',
      steps: [
        { name: 'You upload a file', text: 'From a spreadsheet or your marketplace.' },
        { name: 'We check every row', text: 'You fix what is wrong and see the price.' },
        { name: 'Labels arrive here', text: 'One PDF to print. Failed labels cost nothing.' },
      ],
    },
    endOfDay: 'End of day',
    failed: 'We couldn’t load your batch orders',
    failedText: 'Your labels are safe. Check your connection and try again.',
    created: 'Created',
    price: 'Price',
    status: 'Status',
    actions: 'Actions',
    downloads: 'Downloads',
    progress: 'Show progress',
    retry: 'Retry Failed',
    /** The status says how many failed: a number only where fewer can be edited. */
    fix: (count: number, failed: number) =>
      count === failed ? 'Fix rows' : `Fix rows (${numberText(count)})`,
    details: 'Show failed labels',
    seeLabels: 'Show labels',
    voidUnused: 'Void unused labels…',
    number: (id: string) => `· #${id}`,
    noFileName: (id: string) => `Bulk order #${id}`,
    ordered: (amount: string) => `of ${amount} ordered`,
    shares: {
      bought: (count: string) => `${count} bought`,
      boughtOf: (count: string, total: string) => `${count} of ${total} bought`,
      /** Stays together where the line breaks. */
      voided: (count: string) => `${count}\u00a0voided`,
    },
    failedRows: { csv: 'Failed rows as CSV', xlsx: 'Failed rows as Excel' },
    result: { csv: 'Result CSV', xlsx: 'Result as Excel' },
    packingSlips: 'Packing slips',
    pickList: 'Pick list',
    fileFailed: 'We couldn’t get the file. Try again.',
    more: (name: string) => `More actions, ${name}`,
    countsAndShares: (counts: string, shares: string) => `${counts}: ${shares}`,
    counts: (processed: string, total: string) => `${processed} of ${total} labels`,
    labels: (count: number, total: string) => `${total} ${plural(count, 'label')}`,
    files: { pdf: 'PDF', 'result-csv': 'Result CSV', 'auto-csv': 'Auto Confirm' },
    printOptions: 'Print options',
    count: (count: number) => countText(count, 'bulk order'),
    leftOut: (count: number) =>
      `Auto Confirm leaves out ${countText(count, 'label')} from partially purchased orders.`,
  },
  unused: {
    title: 'Void unused labels',
    loading: 'Counting the labels...',
    unknown: 'We couldn’t count the labels. Try again.',
    question: (count: number, amount: string) =>
      count === 1
        ? `1 label can be voided. You get ${amount} back once the carrier confirms.`
        : `${numberText(count)} labels can be voided. You get ${amount} back as the carrier confirms them.`,
    permanent: (count: number) =>
      count === 1
        ? 'The label becomes invalid. Don’t ship with it, even if it is printed.'
        : 'The labels become invalid. Don’t ship with them, even if they are printed.',
    refused: (count: number, of: number) =>
      of === 1
        ? 'The carrier has already refused to void it. See Orders for the reason.'
        : `The carrier has already refused to void ${numberText(count)} of them. See Orders for the reasons.`,
    nothing: 'There are no labels left to void.',
    voiding: (count: number) =>
      `${countText(count, 'label is', 'labels are')} waiting for the carrier to confirm.`,
    voided: (count: number) => `${countText(count, 'label is', 'labels are')} voided and refunded.`,
    underWay: (count: number) =>
      `${countText(count, 'label is', 'labels are')} in transit and can’t be voided.`,
    keep: 'Keep',
    close: 'Close',
    confirm: (count: number) => `Void ${countText(count, 'label')}`,
    failed: 'We couldn’t confirm that. Try again. Nothing is voided or refunded twice.',
  },
  failures: {
    title: (count: number) => countText(count, 'failed label'),
    row: 'Row',
    rowOf: (row: number) => `Row ${numberText(row)}`,
    item: 'Order item',
    receiver: 'Receiver',
    address: 'Address',
    notRetryable: 'Can’t be retried',
    noName: 'no name',
    more: (count: number) => `${numberText(count)} more are in the Result CSV.`,
    notCharged: 'You are not charged for failed labels.',
    returned: (amount: string) => `${amount} was returned to your balance.`,
    close: 'Close',
  },
}
