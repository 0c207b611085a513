import { countText, numberText, plural } from '#contract/format.ts'

export const texts = {
  service: 'Service',
  servicePlaceholder: 'Choose a service',
  noServices: 'No services are available right now.',
  sender: 'Sender address',
  senderHint: 'Used for marketplace files and files without sender columns',
  template: 'Bulk Template CSV',
  setup: (facts: string) => `Sender and files: ${facts}`,
  /** In the line of a phone that opens them. */
  checks: {
    title: 'Checks',
    seen: (rows: number) => `${countText(rows, 'row')} with a label`,
    causes: (causes: number) => `${numberText(causes)} causes of errors`,
    warnings: (rows: number) => `${countText(rows, 'row')} with a warning`,
    oneLabelFor: (what: string) => `One label for each ${what.toLowerCase()}`,
    leftOut: (lines: number) => `${countText(lines, 'line')} left out`,
    notes: (notes: number) => countText(notes, 'note'),
  },
  uploadWarning: (rows: number) =>
    `${rows} row(s) have validation errors. Please check the table and fix them.`,
  drop: {
    bold: 'Click or Drag & drop',
    rest: ' to upload Amazon file / CSV',
    reading: 'Reading the file…',
    here: 'Drop the file here',
  },
  title: 'Bulk Order Items',
  tableMenu: 'Draft and reset',
  grid: 'Rows of this bulk order',
  rowsHint: (rows: number) => `${countText(rows, 'row')}. Paste from a spreadsheet with Ctrl+V`,
  empty: {
    title: 'Your orders become labels',
    checked: 'We check and price every row before you buy anything.',
    shops: 'Amazon, Shopify, Etsy, eBay, Walmart, TikTok Shop, WooCommerce, BigCommerce',
    anyTable:
      'Any other table with addresses works too: .csv, .txt, .tsv or .xlsx, or cells pasted from a spreadsheet.',
    sample: 'Try a sample file',
    wait: 'Wait until the file is read',
  },
  files: {
    name: 'Files of this table',
    read: (rows: number, ms: number) => `${countText(rows, 'row')} read in ${readTime(ms)}`,
    show: 'Show',
    showAll: 'Show all rows',
    showName: (name: string) => `Show only rows of ${name}`,
    sheetOf: (name: string) => `Sheet of ${name}`,
    columns: 'Columns',
    columnsName: (name: string) => `Columns of ${name}`,
    columnsAsOn: (day: string) => `Columns read as on ${day}`,
    change: 'Change columns',
    changeName: (name: string) => `Change columns of ${name}`,
    notRemembered: 'We couldn’t save these columns for the next file.',
    replace: 'Replace',
    replaceName: (name: string) => `Replace ${name}`,
    add: 'Add file',
    added: 'added file',
    readAgain: 'change of columns',
    wait: 'Wait until the file is read',
    leftOutName: 'Lines left out',
    leftOut: (lines: number, orders: number, reason: string) =>
      `${countText(lines, 'line')}${orders > 0 ? ` (${countText(orders, 'order')})` : ''} left out: ${reason}`,
  },
  drafts: {
    button: 'Drafts',
    saveAs: 'Save draft as…',
    title: 'Drafts',
    list: 'Saved drafts',
    name: 'Name of this draft',
    nameMissing: 'Enter a name for this draft',
    save: 'Save draft',
    saveAgain: 'Replace draft',
    saved: (name: string) => `Saved as ${name}.`,
    savedOn: (day: string) => `saved ${day}`,
    none: 'You have no saved drafts.',
    hint: 'Drafts stay in this browser until you log out. A draft is deleted once it is submitted.',
    open: 'Open',
    openName: (name: string) => `Open ${name}`,
    deleteName: (name: string) => `Delete ${name}`,
    confirmDelete: 'Delete this draft?',
    deleteText: (name: string) => `This deletes ${name} and all its rows from this browser.`,
    opened: 'Draft opened.',
    failed:
      'This browser can’t store drafts. Check that site data is allowed and that there is space.',
    unread:
      'We couldn’t open your drafts. We haven’t changed or deleted them. Try again, or reload the page.',
    gone: (name: string) => `${name} is no longer saved in this browser.`,
    tooMany: (most: number) => `You can save up to ${most} drafts. Delete one first.`,
  },
  reading: {
    text: (name: string) => `Reading ${name}…`,
    progress: 'Progress of reading',
    firstRows: 'First rows. You can edit them when the whole file is read.',
  },
  actions: 'Actions',
  edit: 'Edit',
  save: 'Save',
  cancel: 'Cancel',
  remove: 'Delete',
  reset: 'Reset',
  undo: 'Undo',
  rowName: (index: number) => `Row ${index + 1}`,
  errorCount: (errors: number) => countText(errors, 'error'),
  parcel: (measures: string, weight: string) => `${measures} in, ${weight} lb`,
  errorWord: (errors: number) => plural(errors, 'error'),
  editSheet: (index: number) => `Edit row ${index + 1}`,
  finishEditing: 'Save or cancel the row you are editing first',

  confirmDelete: 'Are you sure you want to delete this item?',
  deleteText: (name: string) => `Delete ${name}?`,
  confirmReset: 'Are you sure you want to reset the table?',
  resetText: (rows: number) =>
    `This removes ${countText(rows, 'row')} and all changes from this page. Nothing has been bought.`,
  lostText: (rows: number) =>
    `This removes ${countText(rows, 'row')} from this page. We got no answer to your last Submit. `
    + 'Check Batch Orders before ordering them again.',
  confirmReplace: 'Replace the rows in the table?',
  confirmReplaceFile: 'Replace the rows of this file?',
  replaceText: (rows: number) =>
    `This replaces ${countText(rows, 'row')} and your changes to them.`,
  replace: 'Replace',
  addToTable: 'Add to the table',

  updated: 'Row updated successfully!',
  deleted: 'Row deleted successfully!',
  uploaded: 'File Uploaded successfully.',
  wasReset: 'File reset successfully.',
  updateFailed: 'Failed to update the row.',
  deleteFailed: 'Failed to delete the row.',
  copied: (rows: number, sku: string) =>
    `Size and weight copied to ${countText(rows, 'other row')} with SKU ${sku}.`,
  skuFailed: 'Your changes are saved, but the SKU record wasn’t updated.',
  pasted: (rows: number) => `Pasted into ${countText(rows, 'row')}.`,
  pastedNothing: 'The copied cells are already in the table.',
  pastedDropped: (cells: number) => `${countText(cells, 'pasted cell')} didn’t fit in the table.`,

  servicesFailed: 'Error loading services',
  dataFailed: 'Error loading initial data',
  parseFailed: 'Error parsing file',
  fileFailed: 'File processing failed',
  toAddresses: 'Add an address',
  tryAgain: 'Try again',
  failedRowsFailed: 'We couldn’t load the failed rows.',
  noFailedRows: 'This bulk order has no failed rows to edit.',

  causes: {
    sender: 'no sender',
    noMeasures: (sku: string) => `${sku} has no measures`,
    skuHas: (sku: string, missing: string) => `${sku} has ${missing}`,
    missing: (labels: readonly string[]) =>
      labels.length === 4 ? 'no size and weight' : `no ${labels.join(', ')}`,
    example: (remedy: string) => `for example, ${remedy}`,
    chip: (rows: number, text: string) => `${countText(rows, 'row')}: ${text}`,
    enterOnce: 'Enter once',
    addZeros: 'Add the zeros',
    useSender: (name: string) => `Use ${name}`,
    more: (causes: number) => `${countText(causes, 'more cause')}`,
    fewer: 'Fewer causes',
  },
  faults: {
    name: 'Errors in the table',
    only: 'Only rows with errors',
    place: (place: number, total: number) => `${numberText(place)} of ${numberText(total)}`,
    back: 'Back',
    backName: 'Back to the previous error',
    next: 'Next',
    nextName: 'Next error',
    download: 'Download rows with errors',
    downloadShort: 'Rows with errors',
    downloadName: (table: string) => `${table}-faulty-rows.csv`,
  },
  enterOnce: {
    title: (what: string) => `Enter once: ${what}`,
    text: (rows: number) => `Fills ${countText(rows, 'row')}.`,
    forSku: (sku: string) =>
      `Fills the empty cells of every row with SKU ${sku}, and is saved in SKU Management.`,
    fill: (rows: number) => `Fill ${countText(rows, 'row')}`,
    change: (rows: number) => `entry for ${countText(rows, 'row')}`,
    filled: (rows: number) => `Filled ${countText(rows, 'row')}.`,
    fromSkus: (rows: number) => `Filled ${countText(rows, 'row')} from SKU Management.`,
  },
  balance: {
    title: 'Your balance is too low',
    missing: (rows: number, total: string, balance: string, missing: string) =>
      `${countText(rows, 'label costs', 'labels cost')} ${total}. `
      + `Your balance is ${balance}, so you are ${missing} short. Nothing was bought.`,
    covered: (rows: number, amount: string, others: number, rest: string) =>
      `Your balance covers the first ${rows === 1 ? 'row' : countText(rows, 'row')} of the table for ${amount}. `
      + `The other ${countText(others, 'row')} for ${rest} ${plural(others, 'stays', 'stay')} in the table.`,
    coversNothing: 'Your balance does not cover the first row of the table.',
    submitCovered: 'Submit what the balance covers',
    topUp: 'Top up',
  },

  repeats: {
    title: 'Rows that already have a label',
    text: 'Nothing has been sent. Leave these rows out, or buy a second label for each of them.',
  },

  count: 'Count',
  price: 'Price',
  noPrice: '–',
  pricePending: '…',
  priceFailed: 'Price calculation failed',
  priceNeedsService: { action: 'Choose a service', rest: 'to see the price.' },
  priceNeedsFile: 'Upload a file to see the price.',
  noServiceYet: 'Choose a service',
  pricedAsOnePound: 'Priced as 1 lb until you enter the weight',
  balanceAfter: 'Balance afterwards',
  pricePart: (rows: number, service: string, price: string) =>
    `${numberText(rows)} × ${service} ${price}`,
  otherParts: (rows: number, amount: string) => `+ ${countText(rows, 'other')} ${amount}`,
  unpriced: (rows: number) => `${countText(rows, 'row')} without a price.`,
  short: (amount: string) => `${amount} short. `,
  topUp: 'Top up to submit.',
  groupingChange: 'change of labels',
  groupingNotSaved: 'We couldn’t save this choice for the next file.',
  submit: 'Submit',
  nothingToSubmit: 'Upload a file first',
  initFailed: 'Failed to initialize bulk order',
  nothingSent: 'Nothing was ordered. Check your connection.',
  nothingOrdered: 'Nothing was ordered. Try again.',
  processFailed: 'Failed to process bulk order',
  lost: 'No answer from the server. Try again. You won’t be charged twice.',
  sendAgain: 'Try again. You won’t be charged twice.',
  changed:
    'The table changed while it was being submitted. Nothing was sent. Check it and submit again.',
  priceChanged: 'The price has changed since it was shown. Nothing was bought.',
  priceRose: (labels: number, now: string, before: string, isCovered: boolean) =>
    `The price has changed: ${countText(labels, 'label now costs', 'labels now cost')} ${now}, not ${before}. `
    + `Nothing was bought. ${isCovered ? 'Submit again to buy at the new price.' : 'Your balance doesn’t cover the new price.'}`,
  priceIsNow: (labels: number, now: string, isCovered: boolean) =>
    `Nothing was bought yet. ${countText(labels, 'label costs', 'labels cost')} ${now}. `
    + (isCovered ? 'Submit again to buy at this price.' : 'Your balance doesn’t cover this price.'),
  checkNewPrices:
    'The price has changed since it was shown. Nothing was bought. '
    + 'Check the prices of the rows, then submit again.',
  pricesMissing: (rows: number) =>
    `${countText(rows, 'row has', 'rows have')} no price. Nothing was bought. Check the prices of the rows, then submit again.`,
  pricesPending: (rows: number) =>
    `We’re still getting the price of ${countText(rows, 'row')}, so nothing was sent. `
    + 'Submit again when the price is shown, or choose another service.',
  pricesFailed: (rows: number) =>
    `We couldn’t get the price of ${countText(rows, 'row')}, so nothing was sent. `
    + 'Submit again to retry.',
  askPricesAgain: 'Get prices again',
  askingPrices: 'Getting prices…',
  unsaved:
    'This browser can’t save this table, so a reload loses it. Check that site data is allowed and that there is space.',
  unread: {
    title: 'We couldn’t open your saved table',
    text: 'We haven’t changed or deleted it. Try again, or reload the page. If you start a new table instead, that one won’t be saved.',
    begin: 'Start a new table',
  },
  submissionUnread:
    'We couldn’t check whether this table was submitted before. Nothing was sent. Try again, or reload the page.',
  lostBefore:
    'We got no answer to your last Submit. Try again. You won’t be charged twice. '
    + 'You can change the table again after that.',
  conflict: 'This table has already been submitted. Later changes are not included.',
  submittedElsewhere: 'This table was submitted in another tab.',
  acceptedWarnings: (rows: number, first: string) =>
    rows === 1
      ? `Accepted with a warning: ${first}`
      : `Accepted with ${countText(rows, 'warning')}. The first one: ${first}`,
  partSubmittedElsewhere: 'Some rows of this table were submitted in another tab.',
  openBatchOrders: 'Open Batch Orders',

  invalidTitle: 'Validation Errors',
  moreRows: (more: number) => `and ${countText(more, 'more row')}`,
  fix: 'Go to the first error',
  close: 'Close',
  unavailable: 'Service is not available right now. Choose another from the dropdown',
}

const readTime = (ms: number): string =>
  ms < 1000 ? `${numberText(Math.max(1, Math.round(ms)))} ms` : `${(ms / 1000).toFixed(1)} s`
