/** Fields of labels, their files and their voids. */
import { count, measure, optionalMeasure, optionalText, ordinal } from './note-parts.ts'
import { ordinalOrNull, requiredText } from './note-parts.ts'
import type { Notes } from './notes.ts'

const STATE = 'State or territory of the US, as two letters or in full'
const ZIP = 'ZIP code of 5 digits, or ZIP+4 (97030-1234)'
const COUNTRY = 'US; empty means US'
const PHONE =
  'Phone number: digits, spaces and dashes, with an extension if there is one; zeros, -, n/a and none are read as empty'

/** An address of `placeOrder`. `side`: 'sender'. */
const addressNotes = (side: string): Notes => ({
  [`${side}_name`]: requiredText('Name of a person or company', 60),
  [`${side}_company`]: optionalText('Company, on a line of its own', 80),
  [`${side}_phone`]: optionalText(PHONE, 40),
  [`${side}_address1`]: requiredText('Street and number', 100),
  [`${side}_address2`]: optionalText('Apartment, suite or unit', 100),
  [`${side}_city`]: requiredText('City', 60),
  [`${side}_state_province`]: requiredText(STATE, 60),
  [`${side}_zip_postal`]: requiredText(ZIP, 20),
  [`${side}_country`]: optionalText(COUNTRY, 60),
})

/** Of the field of an order that names its SCAN form. */
const formOfOrderNotes = (owner: string): Notes => ({
  [`${owner}.scanForm.id`]: 'Id of the SCAN form',
  [`${owner}.scanForm.state`]:
    'asked: the carrier is being asked; made; unknown: the label may be on a form',
})

/** Of the sender of a SCAN form. */
const mailerNotes = (owner: string): Notes => ({
  [`${owner}.name`]: 'Name',
  [`${owner}.company`]: 'Company; may be empty',
  [`${owner}.street1`]: 'Street and number',
  [`${owner}.street2`]: 'Apartment, suite or unit; may be empty',
  [`${owner}.city`]: 'City',
  [`${owner}.state`]: 'Two letters of the state',
  [`${owner}.zip`]: 'ZIP code',
})

export const LABEL_NOTES: Notes = {
  userId: 'Id of the user whose data it is: your own. currentKey tells it',
  user_id: 'Id of the user who orders: your own',
  _id: 'Id, unique among its kind',
  message: 'What was done, as a sentence to show',
  ok: 'Always true',
  totalCount: count('Number of entries on all pages'),
  more: 'True if there are more than the 10,000 that are counted with a filter',
  page: 'Page of the list, from 1',
  limit: 'Entries on a page',
  after: 'next of the page before; lists read with it stay whole while entries are added',
  next: 'after of the next page; null on the last one',

  ...addressNotes('sender'),
  ...addressNotes('receiver'),
  receiver_email: optionalText(
    'For emails about the parcel, if you switched them on; never on the label or at the carrier',
    254,
  ),
  'placeOrder.sender': 'Where the parcel comes from, and goes back to',
  'placeOrder.receiver': 'Where the parcel goes',
  'placeOrder.package': 'Measures, weight and contents of the parcel',
  'placeOrder.service_name': requiredText('Service, by its uid or name', 120),
  service_name: 'Service, by its uid or name',
  'Order.service_name': 'Name of the service when the label was ordered',
  'Shipment.service_name': requiredText('Service, by its uid or name', 120),
  courier: 'Carrier, such as usps',
  manifested: 'Kept with the order; changes nothing about the label',

  package_length: measure('Longest side in inches', 999),
  package_width: measure('Second side in inches', 999),
  package_height: measure('Third side in inches', 999),
  package_weight: measure('Weight in pounds: 0.5 is 8 ounces', 999),
  'Shipment.package.package_length': optionalMeasure('Longest side in inches', 999),
  'Shipment.package.package_width': optionalMeasure('Second side in inches', 999),
  'Shipment.package.package_height': optionalMeasure('Third side in inches', 999),
  'Shipment.package.package_weight': optionalMeasure(
    'Weight in pounds; priced as 1 pound where it is missing',
    999,
  ),
  package_weight_unit: optionalText('Ignored: weights are in pounds', 20),
  package_description: optionalText(
    'What is in the parcel; printed where the carrier prints it',
    200,
  ),
  package_reference1: 'Quantity, where quantity is missing',
  package_reference2: optionalText('SKU or your own reference', 60),
  order_item_id: optionalText('Your id of the order item', 60),
  sku_number: optionalText('SKU of the contents', 60),
  'Package.quantity': 'Pieces in the parcel; a whole number, 1 where it is missing',
  'Shipment.package.quantity': 'Pieces in the parcel; changes no price',
  'Shipment.package': 'Measures and weight; the weight decides the price',
  'Shipment.sender': 'Ignored: it changes no price',
  'Shipment.receiver': 'Ignored: it changes no price',

  'placeOrder.data': 'The order',
  'placeOrder.data.orderId': 'Id of the order, and of its label',
  'placeOrder.data.pdfName':
    'Name of the label file for downloadFile; null until the label is bought',
  'placeOrder.data.trackingNumber': 'Tracking number; null until the label is bought',
  'placeOrder.data.price': 'Price of the label in dollars',
  'placeOrder.warnings': 'What to check in the order. The label was bought nevertheless',
  'placeOrder.warnings.field': 'Field of the request, as in errors of a refusal',
  'placeOrder.warnings.code': 'Kind of the warning',
  'placeOrder.warnings.message': 'What to check, as a sentence',

  'Order._id': 'Id of the order, and of its label',
  'Order.user_id': 'Id of the user who ordered',
  'Order.sender': 'Sender as printed, by the field names of placeOrder',
  'Order.receiver': 'Receiver as printed, by the field names of placeOrder',
  'Order.package': 'Parcel in inches and pounds, by the field names of placeOrder',
  'Order.tracking_number': 'Tracking number; null until the label is bought',
  'Order.pdfName': 'Name of the label file for downloadFile; null while there is none',
  'Order.createdAt': 'When it was ordered',
  'Order.status': 'pending: being bought; completed: bought; cancelled: not bought, or voided',
  'Order.batch_id': 'Id of the bulk order that the label belongs to; null for a single order',
  'Order.row': ordinalOrNull('Row in the bulk order, from 1; null for a single order'),
  'Order.price': 'Price in dollars',
  'Order.reason': 'Why the label was not bought or not voided, as a sentence; null otherwise',
  'Order.void':
    'requested: the carrier has not answered yet; voided: the price is refunded; refused: the label stays valid; null without a void',
  'Order.refundDueAt':
    'When the price comes back after a void that the carrier has confirmed; absent where none waits',
  'Order.voidSubmittedAt':
    'When the carrier accepted the void, to decide later; null before, and without a void',
  'Order.tracking': 'Newest tracking status; null until the carrier reports one',
  'Order.items': 'Order items of a label that combines several; absent otherwise',
  'Order.items.orderId': 'Id of the item’s order, where it is another one than of the row',
  orderItemId: 'Your id of the order item',
  quantity: 'Number of pieces',
  'Order.trackingPage':
    'Path of the parcel’s public page on this site, for its receiver; null without a valid label',
  'Tracking.status': 'Newest status of the parcel',
  'Tracking.detail': 'The carrier’s own words; null where it has none',
  'Tracking.at': 'When the carrier saw it; null where it does not say',

  'listOrders.orders': 'Orders, newest first',
  'recentOrders.recentOrders': 'Orders, newest first',
  'totalOrders.totalOrders': count('Number of orders'),
  'orderTrend.days': 'One entry for each of the last 14 days, oldest first',
  day: 'Day in the reader’s time zone (2026-11-20)',
  'orderTrend.days.orders': count('Orders of the day'),
  offset:
    'Without a known `timezone`: minutes that your clock is ahead of UTC, the same on all days',

  search:
    'Matches the end of tracking numbers and the beginning of order ids and of words in names',
  parcel: 'Bought labels by the stage of their parcels',
  service: 'Service by its uid, such as usps:PRIORITY_MAIL',
  batchId: 'Id of a bulk order',
  from: 'From this time on',
  to: 'Up to this time, inclusive',
  'listOrders.status': 'Orders in this status',
  'exportOrders.status': 'Orders in this status',

  'quotePrice.shipments': 'Shipments to price, at most 50,000',
  'quotePrice.each': 'Answer the price, or the reason for none, of each shipment',
  'quotePrice.totalPrice': 'Sum of the prices in dollars',
  'quotePrice.prices': 'Of each shipment, in their order; only with each',
  'quotePrice.prices.price': 'Price in dollars',
  'quotePrice.prices.reason': 'Why the shipment has no price, as a sentence',
  'quotePrice.prices.code': 'The reason as a code, as in codes of a refusal',

  orderId: 'Id of the order',
  'labelDetails.order': 'The order',
  'labelDetails.serviceUid': 'Uid of the service',
  'labelDetails.orderRef': 'Your order id, from the row of the bulk order; null without one',
  'labelDetails.replacedBy':
    'Id of the bulk order in which the row was ordered again, edited; null otherwise',
  'labelDetails.purchasedAt': 'When the label was bought; null if it was not',
  'labelDetails.voidedAt': 'When the void was confirmed; null without one',
  'labelDetails.voidableUntil': 'Until when the label can be voided; null without a limit',
  'labelDetails.apiKey': 'Name of the API key that ordered the label; null without one',
  'labelDetails.timeline': 'What happened to the label, oldest first',
  'LabelStep.at': 'When it happened',
  'LabelStep.kind':
    'What happened. held: the price is reserved; bought: it is charged; released: it is back in the balance',
  'LabelStep.amount': 'Dollars that the step moved; absent where it moved none',
  'LabelStep.by': 'Who requested a void; absent for other steps',
  'LabelStep.tracking': 'Status of a tracked parcel; absent for other steps',
  'LabelStep.text': 'What the carrier says about a tracked parcel; absent where it says nothing',
  'LabelStep.place': 'City and state of a tracked parcel; absent where none is told',

  'ParcelPage.origin': 'City and state of the sender',
  'ParcelPage.destination': 'City and state of the receiver',
  'ParcelPage.service': 'Name of the service',
  'ParcelPage.trackingNumber': 'Tracking number',
  'ParcelPage.isSample': 'The label is a specimen of the sandbox',
  'ParcelPage.isVoided': 'The label was voided',
  'ParcelPage.labelAt': 'When the label was made',
  'ParcelPage.status': 'Newest status of the parcel',
  'ParcelPage.expectedDay': 'When the carrier expects to deliver it; null where it does not say',
  'ParcelPage.deliveryDays':
    'Business days from the first scan to the delivery as the carrier publishes them, no promise; '
    + 'absent where it does not',
  'ParcelPage.deliveryDays.from': count('Fewest days'),
  'ParcelPage.deliveryDays.to': count('Most days'),
  'ParcelPage.seller': 'Who sent it',
  'ParcelPage.seller.name': 'Name that the seller shows, or the sender on the label',
  'ParcelPage.seller.contact': 'Contact that the seller shows; empty for none',
  'ParcelPage.events': 'What happened to the parcel, newest first',
  'ParcelEvent.at': 'When it happened',
  'ParcelEvent.status': 'Status of the parcel then',
  'ParcelEvent.text': 'The carrier’s own words; empty where it has none',
  'ParcelEvent.place': 'City and state; empty where none is told',
  'ParcelPageSettings.sellerName': 'Name on the pages; empty for the sender on the label',
  'ParcelPageSettings.contact': 'Contact on the pages; empty for none',
  'ParcelPageSettings.mailsReceivers':
    'Whether receivers whose address is known get an email at the first scan and at delivery',
  'saveParcelPageSettings.sellerName': 'Name on the pages; empty for the sender on the label',
  'saveParcelPageSettings.contact': 'Contact on the pages; empty for none',
  'saveParcelPageSettings.mailsReceivers':
    'Whether receivers whose address is known get an email at the first scan and at delivery',
  'stopParcelMails.token': 'Token of the mailed link',
  'parcelPage.link': 'End of the link to the page',

  'voidOrder.order': 'The order after the request',
  'voidOrders.orderIds': 'Ids of the orders to void',
  'voidOrders.voided': count('Labels that are voided and refunded'),
  'voidOrders.requested': count('Labels whose void the carrier has not answered yet'),
  'voidOrders.refused': count('Labels that stay valid'),
  'voidOrders.results': 'The outcome of each label, in the order of the request',
  'voidOrders.results.void':
    'requested: the carrier has not answered yet; voided: refunded; refused: the label stays valid',
  'voidOrders.results.message': 'The outcome as a sentence',
  'batchVoidSummary.orderId': 'Id of the bulk order',
  'batchVoidSummary.unused': count('Labels that can be voided'),
  'batchVoidSummary.amount': 'Their total price in dollars',
  'batchVoidSummary.refused': count('How many of them the carrier has refused to void before'),
  'batchVoidSummary.onForms': count('How many of them are on a SCAN form'),
  'batchVoidSummary.voiding': count('Labels being voided'),
  'batchVoidSummary.voided': count('Labels that are voided'),
  'batchVoidSummary.underWay': count('Labels whose parcels are in transit'),
  'voidBatch.orderId': 'Id of the bulk order',
  'voidBatch.requested': count('Labels whose void the carrier has not answered yet'),
  'voidBatch.voided': count('Labels that are voided and refunded'),
  'voidBatch.refused': count('Labels that stay valid'),
  'voidBatch.skipped': count('Labels whose parcels are in transit'),

  'Order.scanForm': 'The SCAN form that the label is on; absent without one',
  ...formOfOrderNotes('Order'),
  ...formOfOrderNotes('AdminOrder'),

  'ScanForm.id': 'Id of the SCAN form',
  'ScanForm.state':
    'asked: the carrier is asked or makes it; made; failed: refused, its labels are free again; '
    + 'unknown: the carrier does not tell whether it made the form, so have the parcels scanned singly',
  'ScanForm.day': 'Day of mailing, in US Eastern time',
  ...mailerNotes('ScanForm.sender'),
  'ScanForm.sender': 'Where the parcels come from',
  services: 'Number of labels of each service',
  'ScanForm.services.name': 'Name of the service',
  'ScanForm.services.labels': count('Labels of the service'),
  'ScanForm.labels': count('Labels of the form'),
  'ScanForm.voided': count('Labels that were voided since'),
  'ScanForm.files': 'Paths of its files, to print; empty until they are there',
  'ScanForm.message': 'Why it failed or is not known, as a sentence; else null',
  'ScanForm.createdAt': 'When it was requested',
  'ScanForm.madeAt': 'When the carrier made it; null before',
  scanForms: 'SCAN forms',
  scanFormId: 'Id of the SCAN form',
  'downloadScanForm.part': ordinal('File of the form, from 1'),
  'scanFormCandidates.day': 'Day on which the labels were bought, in US Eastern time',
  'scanFormCandidates.today': 'Today in US Eastern time',
  'scanFormCandidates.offered': 'Whether the carrier makes SCAN forms',
  'scanFormCandidates.maxLabels': count('The most labels of one form'),
  'scanFormCandidates.groups': 'Labels by sender; a form is made of each',
  ...mailerNotes('scanFormCandidates.groups.sender'),
  'scanFormCandidates.groups.sender': 'Where the parcels come from',
  'scanFormCandidates.groups.services.name': 'Name of the service',
  'scanFormCandidates.groups.services.labels': count('Labels of the service'),
  'scanFormCandidates.groups.services.ids': 'Ids of its orders',
  'scanFormCandidates.groups.ids': 'Ids of the orders',
  'scanFormCandidates.labels': count('Labels of each sender that are described'),
  'scanFormCandidates.groups.labels': 'The first labels of the sender, as many as were asked for',
  'scanFormCandidates.groups.labels.id': 'Id of the order',
  'scanFormCandidates.groups.labels.trackingNumber': 'Tracking number',
  'scanFormCandidates.groups.labels.service': 'Name of the service',
  'scanFormCandidates.groups.labels.receiver': 'Name of the receiver, else the company',
  'scanFormCandidates.groups.labels.city': 'City of the receiver',
  'scanFormCandidates.groups.labels.state': 'State of the receiver',
  'scanFormCandidates.more': 'True if there are more than the 10,000 labels that are listed',
  'createScanForms.orderIds': 'Ids of orders with a label that is on no form; or batchId',
  'createScanForms.batchId': 'Id of a bulk order: all of its labels that are on no form',
  'createScanForms.day': 'Day of mailing in US Eastern time, up to a week ahead; today without it',

  'downloadFile.kind':
    'v2 for a label, with its pdfName; pdf, result-csv or auto-csv for a bulk order, with its id',
  'downloadFile.name': 'pdfName of a label, or id of a bulk order',
  format: 'Format of the file',
  content: 'Prices, or the costs that rules price from',
  first: {
    type: 'integer',
    enum: [1, 2],
    description: 'Half of a Letter sheet for the first label: 1 upper, 2 lower',
  },
  'downloadFile.rows': 'Rows of a bulk order: 3-7,12',
  ids: 'Ids of orders with commas, at most 200: 81,79,12',
  row: ordinal('Row, from 1'),
}
