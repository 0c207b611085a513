import { MAX_DISPUTE } from '#contract/adjustments.ts'
import { count, requiredText } from './note-parts.ts'
import type { Notes } from './notes.ts'

const MEASURES = {
  weightOz: 'Ounces',
  lengthIn: 'Inches',
  widthIn: 'Inches',
  heightIn: 'Inches',
  zone: 'Zone',
  service: 'Service, in the carrier’s words',
  package: 'Kind of package, in the carrier’s words',
}

const DISPUTE = {
  note: 'What the customer wrote',
  at: 'When',
  state: 'State of the dispute',
  answer: 'What the operator answered; null without an answer',
  answeredAt: 'When it was decided; null while open',
}

/** A field's notes do not reach what is inside of it in a schema that extends another. */
const INSIDE: Notes = Object.fromEntries(
  ['Adjustment', 'AdminAdjustment'].flatMap(owner => [
    ...['declared', 'measured'].flatMap(side =>
      Object.entries(MEASURES).map(([name, note]) => [`${owner}.${side}.${name}`, note]),
    ),
    ...Object.entries(DISPUTE).map(([name, note]) => [`${owner}.dispute.${name}`, note]),
  ]),
)

const TOTALS: Notes = Object.fromEntries(
  ['AdjustmentPreview.totals', 'applyAdjustments'].flatMap(owner => [
    [`${owner}.open`, count('Rows of a report without a final amount yet, which are not read')],
    [`${owner}.lines`, count('Lines of the file')],
    [`${owner}.repeated`, count('Lines that were read before, or are in the file twice')],
    [`${owner}.unmatched`, count('Lines without a label')],
    [`${owner}.carrierAmount`, 'Dollars by which the carrier changed its charges'],
    [`${owner}.charged`, 'Dollars taken from balances'],
    [`${owner}.waiting`, 'Dollars that balances do not cover'],
    [`${owner}.credited`, 'Dollars given to balances'],
  ]),
)

const PART: Notes = {
  'applyAdjustments.firstRow':
    'Row of the whole file in which the lines begin, for a file sent in parts',
  'applyAdjustments.rulesSeen':
    '`rulesSeen` of the preview: under other rules nothing more is applied; absent: the rules of now',
}

const RULES: Notes = Object.fromEntries(
  ['adjustmentRules', 'setAdjustmentRule'].flatMap(owner => [
    [`${owner}.all`, 'The rule of all users without one of their own'],
    [`${owner}.users`, 'Users with a rule of their own, by name'],
    [`${owner}.users.rule`, 'Who pays'],
    [`${owner}.users.limit`, 'Dollars for each label; null without a limit'],
  ]),
)

const PREVIEW: Notes = {
  'AdjustmentPreview.rulesSeen': 'Names the rules that the preview was made with',
  'AdjustmentPreview.faults': 'What is wrong with the file; with one, nothing can be applied',
  'AdjustmentPreview.faults.row': count('Row of the file from 1'),
  'AdjustmentPreview.faults.column': 'Column; null for the whole row',
  'AdjustmentPreview.faults.text': 'What is wrong, and what to do',
  'AdjustmentPreview.ignoredColumns': 'Columns that are not read',
  'AdjustmentPreview.lines': 'The first lines of the file; the totals count all',
  'AdjustmentPreview.lines.row': count('Row of the file from 1'),
  'AdjustmentPreview.lines.trackingNumber': 'Tracking number, or the shipment’s id',
  'AdjustmentPreview.lines.reason': 'Why, with what was measured otherwise than declared',
  'AdjustmentPreview.lines.carrierAmount': 'Dollars by which the carrier changed its charge',
  'AdjustmentPreview.lines.amount': 'Dollars for the customer; below zero: credited',
  'AdjustmentPreview.lines.state': 'What would become of it',
  'AdjustmentPreview.lines.wasVoided': 'Whether the label is voided: its customer pays nothing',
  'AdjustmentPreview.customers': 'Who is charged or credited, the largest change first',
  'AdjustmentPreview.customers.lines': count('Lines'),
  'AdjustmentPreview.customers.charged': 'Dollars taken from the balance',
  'AdjustmentPreview.customers.waiting': 'Dollars that the balance does not cover',
  'AdjustmentPreview.customers.credited': 'Dollars given to the balance',
  'AdjustmentPreview.totals': 'Of all lines',
}

export const ADJUSTMENT_NOTES: Notes = {
  ...INSIDE,
  ...TOTALS,
  ...PART,
  ...RULES,
  ...PREVIEW,
  'Adjustment.trackingNumber': 'Tracking number, or the shipment’s id where the file has no other',
  'Adjustment.day': 'Day of the correction as the carrier tells it; null for none',
  'Adjustment.reason': 'Why, with what was measured otherwise than declared',
  'AdminAdjustment.carrierAmount':
    'Dollars by which the carrier changed its charge; below zero: a credit',
  'Adjustment.amount': 'Dollars that the customer is charged; below zero: credited',
  'Adjustment.waiting':
    'Dollars of `amount` that the balance did not cover. They are collected, oldest first, when money comes in',
  'Adjustment.creditedBack': 'Dollars of `amount` that were given back',
  'Adjustment.state':
    'unmatched: without a label. absorbed: the operator pays. charged, or waiting in part. credited: a credit of the carrier was '
    + 'passed on. credited_back: given back',
  'Adjustment.declared': 'What was declared, where the carrier tells it',
  'Adjustment.measured': 'What the carrier measured, where it tells it',
  'Adjustment.dispute': 'Null without one',
  'Adjustment.createdAt': 'When it was applied',
  'listRefunds.state': 'Only labels in this state',
  'listRefunds.refunds': 'Labels whose void was requested, the newest request first',
  'listRefunds.pending': 'Labels whose void the carrier has not confirmed',
  'listRefunds.refunded': 'Labels whose price is back in the balance',
  'listRefunds.refused': 'Labels that the carrier refused to void',
  'listRefunds.automatic': 'Those of `refunded` that were unused and voided without a request',
  ...Object.fromEntries(
    ['pending', 'refunded', 'refused', 'automatic'].flatMap(sum => [
      [`listRefunds.${sum}.count`, count('Labels')],
      [`listRefunds.${sum}.amount`, 'Their dollars'],
    ]),
  ),
  'Refund.trackingNumber': 'Tracking number',
  'Refund.service': 'Name of the service',
  'Refund.receiver': 'Name of the receiver; null for a key without the scope `labels:read`',
  'Refund.amount': 'Dollars that come back, came back or stay charged',
  'Refund.state': 'State of the refund',
  'Refund.requestedAt': 'When the void was requested',
  'Refund.expectedAt': 'When the price is expected back; null where it is not known',
  'Refund.refundedAt': 'When the price came back; null before',
  'Refund.automatic': 'Whether the label was voided because it was unused',
  'Refund.inDoubt':
    'Whether the carrier refused after a request that had no answer, so that the label may be void',
  'Refund.confirmed':
    'The carrier has voided the label, and the refund waits for its day; false once it is back',
  'Refund.stopped':
    'The carrier scanned the label after its void: the refund waits for a decision of the operator',
  'Refund.reason': 'Why the carrier refused; null otherwise',
  'refundsDue.accounts': 'Carrier accounts with open voids',
  'refundsDue.accounts.account': 'Carrier account; unknown where it was not recorded',
  'refundsDue.accounts.count': count('Labels'),
  'refundsDue.accounts.carrierOwes': 'Dollars that the carrier charged for them',
  'refundsDue.accounts.unknownCosts': count('Labels of unknown cost, not in the sum'),
  'refundsDue.accounts.customersGet': 'Dollars that customers get back',
  'refundsDue.accounts.oldest': 'When the oldest void was requested',
  'refundsDue.accounts.ages': 'The same by days since the request',
  'refundsDue.accounts.ages.fromDays': count('Days since the request at least'),
  'refundsDue.accounts.ages.count': count('Labels'),
  'refundsDue.accounts.ages.carrierOwes': 'Dollars that the carrier charged for them',
  'returnVoidedScanCharge.reason': 'Kept in the audit',
  'returnVoidedScanCharge.given': 'Dollars given back',
  'chargeVoidedScan.charged': 'Dollars charged back',
  'chargeVoidedScan.waiting': 'Of these, what waits for money of the customer',
  'listAdjustments.adjustments': 'Corrections, newest first',
  'listAdjustments.orderId': 'Only of this label',
  'listAdjustments.waiting': 'What waits for money of this user',
  'listAdjustments.waiting.count': count('Charges'),
  'listAdjustments.waiting.amount': 'Dollars',
  'AdminAdjustment.carrier': 'Carrier in the words of the file',
  'AdminAdjustment.account': 'Carrier account that bought the label; null where it is not known',
  'AdminAdjustment.fileName': 'Name of the file',
  'AdminAdjustment.rule': 'Rule by which it was applied; null without a label',
  'AdminAdjustment.limit': 'Dollars of the rule for each label; null without a limit',
  'AdminAdjustment.wasVoided': 'Whether the label was voided when it was applied',
  'AdminAdjustment.user': 'The customer; null without a label',
  'AdjustmentRule.rule': 'Who pays',
  'AdjustmentRule.limit': 'Dollars for each label; null without a limit',
  'previewAdjustments.rows': 'Cells as text; the first row names the columns',
  'applyAdjustments.rows': 'Cells as text; the first row names the columns',
  'listAllAdjustments.show': 'Which ones',
  'listAllAdjustments.adjustments': 'Corrections, newest first',
  'listAllAdjustments.disputed': count('Open disputes'),
  'listAllAdjustments.disputedAmount': 'Dollars that customers were charged in open disputes',
  'listAllAdjustments.lastDays': 'Sums of the newest corrections; below zero: credits',
  'listAllAdjustments.lastDays.days': count('Days that they are of'),
  'listAllAdjustments.lastDays.passedOn': 'Dollars that customers pay of them',
  'listAllAdjustments.lastDays.paid': 'Dollars that the operator pays of them',
  'listAllAdjustments.unmatched': count('Corrections without a label'),
  'listAllAdjustments.waiting': 'What waits for money of all users',
  'listAllAdjustments.waiting.count': count('Charges'),
  'listAllAdjustments.waiting.amount': 'Dollars',
  'declineDispute.answer': requiredText('Why; the customer reads it', MAX_DISPUTE),
  'setAdjustmentRule.rule': 'Who pays; null removes the rule of the user',
  'setAdjustmentRule.limit': 'Dollars for each label, with the rule limit; else null',
  'setAdjustmentRule.seen':
    'The rule as you saw it, null for a user without one; 409 if it has changed since',
  'setAdjustmentRule.seen.rule': 'Who pays',
  'setAdjustmentRule.seen.limit': 'Dollars for each label, with the rule limit; else null',
  'disputeAdjustment.note': requiredText('Why it is wrong', MAX_DISPUTE),
}
