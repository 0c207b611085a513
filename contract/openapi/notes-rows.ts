import { FIELDS } from '#contract/rows.ts'
import type { Field } from '#contract/rows.ts'
import { count, ordinal } from './note-parts.ts'
import type { Note, Notes } from './notes.ts'

const SIDES = { From: 'Sender: ', To: 'Receiver: ', Order: '', Package: '' }

const KIND_NOTES: Partial<Record<Field['kind'], string>> = {
  state: 'state or territory of the US, as two letters or in full',
  zip: 'ZIP code of 5 digits, or ZIP+4',
  country: 'country; US where it is empty',
  phone: 'phone number',
}

const NAME_NOTES: Record<string, string> = {
  orderId: 'Your order id; on result and confirmation files',
  orderItemId: 'Your id of the order item; confirmation files need it',
  skuNumber: 'SKU of the contents',
  quantity: 'Pieces in the parcel, 1 where it is missing',
  ServiceName: 'Service, by its uid or name',
  courier: 'Carrier; usps is the only one',
  PackageLength: 'Longest side in inches',
  PackageWidth: 'Second side in inches',
  PackageHeight: 'Third side in inches',
  PackageWeight: 'Weight in pounds: 0.5 is 8 ounces',
  PackageDescription: 'What is in the parcel',
  PackageReference1: 'Your own reference',
  PackageReference2: 'Your own reference',
}

const rowNote = ({ name, group, kind, label }: Field): Note => {
  const description =
    NAME_NOTES[name] ?? `${SIDES[group]}${KIND_NOTES[kind] ?? label.toLowerCase()}`
  return name === 'ServiceName' ? { description, minLength: 1, isRequired: true } : description
}

export const ROW_NOTES: Notes = {
  ...Object.fromEntries(FIELDS.map(field => [`BulkRow.${field.name}`, rowNote(field)])),
  'BulkRow.ToEmail':
    'Receiver: email address, for emails about the parcel if you switched them on; text that is no address is ignored',
  'BulkRow.signature':
    'Signature on delivery: yes or signature, adult for 21 or older, no. Its price is added; a service without it refuses the row',
  'BulkRow.saturday':
    'Saturday delivery: yes or no. Its price is added; a service without it refuses the row',
  'BulkRow.items':
    'Order items of a row that combines several; without them the row is its own item',
  'BatchItem.orderId': 'Id of the item’s order, where it is another one than of the row',
  'BatchItem.sku': 'SKU of the item',
  'BatchItem.extra': 'Columns of the source that its confirmation file repeats, at most 4 kB a row',

  'AskedRow.row': ordinal('Row in the file, from 1'),
  'AskedRow.orderId': 'Your order id; compared without # and letter case',
  'AskedRow.orderItemId': 'Your id of the order item',
  'SeenRow.row': ordinal('Row as it was asked'),
  'SeenRow.orderId': 'Id of the order of its label',
  'SeenRow.trackingNumber': 'Tracking number of its label; null until it is bought',
  'SeenRow.at': 'When the label was ordered',
  'SeenFile.batchId': 'Id of the newest bulk order of this file',
  'SeenFile.at': 'When the file was submitted',
  'SeenFile.labels': count('Labels of it that were not voided'),
  'seenRows.fileHash': 'SHA-256 of the file’s bytes in hexadecimal, to find its bulk order',
  'seenRows.failedOf':
    'Id of a bulk order whose failed rows are asked: only labels ordered since count',
  'seenRows.rows': 'Rows to look for in the request; those that have a label in the answer',
  'seenRows.file': 'The bulk order of this file; null if there is none',

  'initBatch.userId': 'Id of the user who orders: your own',
  'initBatch.orderId': 'Reserved id, for processBatch',
  'processBatch.orderId': 'Id reserved by initBatch. The same id is bought once',
  'processBatch.orderData': 'Rows, one label each',
  'processBatch.replaces': 'Ids of failed orders that these rows replace',
  'processBatch.file':
    'The file that the rows come from. With it, rows that have a label are refused',
  'processBatch.allowRepeats': 'Buy rows that have a label nevertheless',
  'processBatch.repeats': 'How many such rows you know of; more are refused',
  'processBatch.maxCost':
    'Most dollars that all rows may cost: above it nothing is bought. Left out, any price is accepted',
  'processBatch.accepted': 'Always true: the labels are being bought',
  'processBatch.totalCount': count('Number of rows'),
  'processBatch.cost': 'Total price in dollars, on hold until each label is bought',
  'processBatch.warnings': 'The first of what to check in rows; absent without any',
  'processBatch.warningCount': count('Number of all warnings; absent without any'),
  'processBatch.warnings.row': ordinal('Row, from 1'),
  'processBatch.warnings.field': 'Field of the row',
  'processBatch.warnings.code': 'Kind of the warning',
  'processBatch.warnings.message': 'What to check, as a sentence',
  'SubmittedFile.name': 'Name of the file',
  'SubmittedFile.sha256': 'SHA-256 of its bytes in hexadecimal',
  'SubmittedFile.source': 'Where the file comes from',

  'BatchPage.batches': 'Bulk orders, newest first',
  'Batch._id': 'Id of the bulk order',
  'batchStatus.orderId': 'Id of the bulk order',
  'batchFailures.orderId': 'Id of the bulk order',
  'listFailedRows.orderId': 'Id of the bulk order',
  'downloadFailedRows.orderId': 'Id of the bulk order',
  'downloadPackingSlips.orderId': 'Id of the bulk order',
  'downloadPickList.orderId': 'Id of the bulk order',
  'retryFailedLabels.orderId': 'Id of the bulk order',
  'runningBatch.running': 'The bulk order in progress; null without one',
  'runningBatch.running.orderId': 'Id of the bulk order',
  'runningBatch.running.startedAt': 'When it was submitted',
  'Batch.status': 'Status of the bulk order',
  'batchStatus.status': 'Status of the bulk order',
  'runningBatch.running.status': 'Status of the bulk order',
  'retryFailedLabels.status': 'Status of the bulk order',
  'Batch.createdAt': 'When it was submitted',
  processedCount: count('Rows whose outcome is known, bought or failed'),
  failedCount: count('Rows without a label'),
  'Batch.totalCount': count('Number of rows'),
  'batchStatus.totalCount': count('Number of rows'),
  'runningBatch.running.totalCount': count('Number of rows'),
  failedLabels: 'Rows without a label, with their reasons',
  fileName: 'Name of the file that the rows came from; null without one',
  'Batch.source': 'Where the file came from; null without a file',
  'batchStatus.source': 'Where the file came from; null without a file',
  voidedCount: count('Labels whose void is confirmed'),
  finalCost:
    'Dollars for labels that were bought and not voided; null until the bulk order has ended',
  'Batch.autoConfirmLeftOut': count(
    'Bought labels that the confirmation file leaves out: rows without an item id',
  ),
  'Batch.bulkOrderData': 'What was ordered',
  'Batch.bulkOrderData.cost': 'Price of all rows in dollars when it was submitted',
  fileData: 'Names of its files; null while there are none',
  pdfName: 'Name of the file with all labels; null while there is none',
  resultCSVName: 'Name of the result file; null while there is none',
  autoConfirmCSVName: 'Name of the confirmation file; null while there is none',
  updatedAt: 'When the progress changed last',
  expectedAt: 'When it will probably have ended; absent if that is a moment away',
  waitingFor: 'Why it cannot go on now, as a sentence; absent otherwise',
  'FailedLabel.labelId': 'Id of the order of the row',
  'FailedLabel.row': ordinal('Row, from 1'),
  'FailedLabel.receiver': 'Name of the receiver',
  'FailedLabel.address': 'Street, city, state and ZIP of the receiver',
  'FailedLabel.reason': 'Why there is no label, as a sentence',
  'FailedLabel.code': 'label_refused: nothing was charged; label_unknown: the outcome comes later',
  'FailedLabel.retryable': 'Whether retryFailedLabels tries it again',
  'BatchFailures.reasons': 'At most three reasons, the most frequent first',
  'BatchFailures.reasons.reason': 'The reason as a sentence',
  'BatchFailures.reasons.count': count('Failed labels with this reason'),
  'BatchFailures.otherCount': count('Failed labels with other reasons'),
  'BatchFailures.editableCount': count('Failed labels that can be edited or retried'),
  'BatchFailures.released': 'Dollars that are back in the balance',
  'BatchFailures.checkingCount': count('Labels that are still being checked with the carrier'),
  'BatchFailures.held': 'Dollars on hold for these',
  'listFailedRows.rows': 'Failed rows, to edit and submit again',
  'listFailedRows.rows.orderId': 'Id of the order of the row, for replaces',
  'listFailedRows.rows.row': ordinal('Row, from 1'),
  'listFailedRows.rows.reason': 'Why there is no label, as a sentence',
  'listFailedRows.rows.data': 'The row’s fields, as in a bulk row',
  'listFailedRows.rows.items': 'Order items of a combined row; absent otherwise',
  'retryFailedLabels.allowRepeats': '1 to buy rows that a later bulk order has bought',
  'retryFailedLabels.finalProcessedCount': count('Rows whose outcome is known'),
  'retryFailedLabels.finalFailedCount': count('Rows without a label'),
  'retryFailedLabels.updatedTotalCount': count('Number of rows'),
  'retryFailedLabels.newlySuccessfulCount': count('Labels bought by this retry'),
}
