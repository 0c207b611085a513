/** Texts about an uploaded file: why it can't be read, and what to check in it. */
import { countText, numberText, plural } from '#contract/format.ts'

const UNSHIPPED_REPORT_HINT =
  'Download the "Unshipped orders" report from Seller Central (Orders, Order Reports) and upload that file.'

const columns = (names: readonly string[]): string =>
  `${plural(names.length, 'the column', 'the columns')} ${names.join(', ')}`

export const texts = {
  /** What other programs call the columns of signature and Saturday delivery. */
  optionHeaders: {
    signature: [
      'Signature confirmation',
      'Signature required',
      'Signature on delivery',
      'Require signature',
    ],
    saturday: ['Saturday', 'Deliver on Saturday'],
  },
  senderMissing: 'Please add an address first',
  unnamedFile: 'This file',
  fileProblem: (file: string, problem: string) => `${file}: ${problem}`,
  wrongExtension: (file: string) =>
    `${file} is not accepted: only .csv, .txt, .tsv and .xlsx files are. Save the rows as one of these.`,
  skuFile: (file: string) => `${file} is a SKU file. Upload it in SKU Management.`,
  unknownColumns: (file: string) =>
    `We don’t recognize the columns in ${file}. Upload an export from your store, or use the Bulk Template CSV.`,
  unknownUnit: (file: string, column: string, known: string) =>
    `We don’t know the unit of the column ${column} in ${file}. Use ${known}.`,
  tooManyRows: (file: string, rows: number, most: number) =>
    `${file} has ${numberText(rows)} rows. A bulk order takes up to ${numberText(most)}. Split the file.`,
  noRows: (file: string) =>
    `${file} has a header line but no rows. Add rows, or export the file again.`,
  nothingToShip: (file: string, leftOut: string) =>
    `Nothing in ${file} is left to ship. ${leftOut} Export the orders that you want to ship.`,
  serviceUnmatched: (service: string) =>
    `Service '${service}' has no match; the service chosen on the page applies.`,
  mangledPhone: (phone: string) => `Phone '${phone}' was changed by a spreadsheet and is left out.`,
  maskedPhone: (phone: string) => `Phone '${phone}' is masked and is left out.`,
  phoneWithoutDigits: (phone: string) => `Phone '${phone}' has no digits and is left out.`,
  phoneExtension: (phone: string) => `The carrier gets the phone '${phone}' without its extension.`,
  mangledItemId: (id: string) => `Item ID '${id}' was changed by a spreadsheet and is left out.`,
  emailUnread: (text: string) =>
    `'${text}' is not an email address, so the receiver gets no emails about this parcel.`,
  itemsUnread: 'The order items of this row could not be read, so it counts as one item.',
  roundedOrderId: (id: string) => `Order ID '${id}' was changed by a spreadsheet and is left out.`,
  measureRead: (label: string, note: string) => `${label}: ${note}.`,
  zipCompleted: (label: string, zip: string, complete: string) =>
    `${label} ${zip} read as ${complete}: a spreadsheet drops leading zeros.`,
  leftOut: (lines: number, orders: string, reason: string, named: string) =>
    `${countText(lines, 'line')}${orders} ${plural(lines, 'was', 'were')} left out: ${reason} (${plural(lines, 'line')} ${named}).`,
  reasons: {
    noOrder: 'without an order',
    explanation: 'explanations of the columns',
    parent: 'totals above the items of an order',
    cancelled: 'cancelled',
    refunded: 'refunded',
    voided: 'voided',
    fulfilled: 'already fulfilled',
    shipped: 'already shipped',
    shippedByMarketplace: 'shipped by the marketplace',
    unpaid: 'not paid',
    nothingToShip: 'nothing left to ship',
    needsNoShipping: 'gift cards and items that require no shipping',
    pickup: 'local pickup',
    inPerson: 'sold in person',
    noAddress: 'no shipping address, as for local pickup',
    status: (status: string) => `status ${status}`,
  },
  linesJoined: (label: string) => `The lines of ${label} were combined into one.`,
  line2MovedUp: 'Address line 1 was empty, so line 2 was moved up.',
  line3Joined: (line3: string) => `Address line 3 ('${line3}') was added to line 2.`,
  lineTooWide: (cells: number, width: number) =>
    `This line has ${cells} cells, but the header has ${width}. Check that no value is in the wrong column.`,
  duplicateItem: (line: number) => `Line ${line} has the same order item. Both would get a label.`,
  severalItems: (orders: number, lines: number) =>
    `${countText(orders, 'order')} with several items: each of the ${lines} lines gets its own label.`,
  csv: {
    missingColumns: (file: string, names: readonly string[]) =>
      `${file} is missing ${columns(names)}. Download the Bulk Template CSV to see all columns.`,
    ignoredColumns: (names: string) => `Ignored columns: ${names}.`,
    senderFilled: 'The file has no sender columns, so your saved address is used.',
    emptySenderFilled: (rows: number, all: number) =>
      rows === all
        ? 'The sender columns are empty, so your saved address is used.'
        : `${countText(rows, 'row has', 'rows have')} empty sender columns, so your saved address is used there.`,
    extraCells:
      'This row has more cells than the header. A value with a comma needs quotation marks around it.',
    hasLabel: (tracking: string) => `This row already has a label: ${tracking}.`,
  },
  amazon: {
    allOrders: (file: string) =>
      `${file} is the "All orders" report, which has no street addresses. ${UNSHIPPED_REPORT_HINT}`,
    confirmation: (file: string) =>
      `${file} is a shipping confirmation, not a list of orders. ${UNSHIPPED_REPORT_HINT}`,
    missingColumns: (file: string, names: readonly string[]) =>
      `${file} is missing ${columns(names)}. ${UNSHIPPED_REPORT_HINT}`,
    partlyShipped: (left: string, bought: string) =>
      `${left} of ${bought} items are still to ship.`,
    extensionsDropped: (rows: number, example: string) =>
      `${countText(rows, 'phone number')} had an extension, such as '${example}', which is left out: the carrier takes the number only.`,
  },
  partlyRefunded: 'This order was partly refunded. Check that this item is still to be shipped.',
  partlySent: 'This order is partly shipped. Check that this item is still to be shipped.',
  awaitsPayment: 'This order is not paid yet.',
  extraTooLong: (names: string) =>
    `Too long for the confirmation file, so left out there: ${names}.`,
}
