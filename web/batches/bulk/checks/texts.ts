import type { FieldCode } from '#contract/faults.ts'
import { countText, numberText, plural } from '#contract/format.ts'
import type { RowGrouping } from '#contract/imports.ts'
import type { WarningCode } from '#contract/warnings.ts'

const rows = (count: number) => countText(count, 'row')

/** What is to be checked, by cause. */
const CAUSES: Record<WarningCode, string> = {
  zip_not_in_state: 'ZIP is in another state',
  city_not_of_zip: 'city is not the ZIP’s usual one',
  zip_unknown: 'ZIP is not in our list',
  receiver_twice: 'same receiver as another order',
  quantity_over_max: 'quantity is more than one package holds',
  weight_from_parts: 'weight is a sum; check the weight',
  bought_before: 'same label ordered here in the last 24 hours',
}

/** What a cell of the table has room for. */
export const SHORT_FAULTS: Partial<Record<FieldCode, string>> = {
  required: 'Required',
  too_long: 'Too long',
  character_not_printable: 'Can’t be printed',
  masked: 'Masked',
  changed_by_spreadsheet: 'Digits lost',
  zip_malformed: 'Not a ZIP',
  state_unknown: 'Not a state',
  country_not_supported: 'US only',
  phone_malformed: 'Not a phone',
  not_a_whole_number: 'Not a count',
  measure_not_positive: 'Not above 0',
  weight_above_limit: 'Too heavy',
  weight_too_low: 'Too light',
  size_too_large: 'Too large',
  service_not_available: 'Not available',
  option_not_offered: 'Option not sold',
}

const GROUPINGS: Record<RowGrouping, string> = {
  line: 'Line',
  order: 'Order',
  address: 'Address',
}

export const warningTexts = {
  list: 'Warnings',
  count: (count: number) => `${rows(count)} to check.`,
  noStop: 'Warnings don’t stop Submit.',
  cause: (count: number, code: WarningCode, group: string) =>
    `${rows(count)}: ${group === 'From' ? `sender ${CAUSES[code]}` : CAUSES[code]}`,
  notes: (count: number, files: number) =>
    `${countText(count, 'note')} on ${files === 0 ? 'these rows' : files === 1 ? 'this file' : 'these files'}`,
  moreNotes: (count: number) => `and ${countText(count, 'more note')}, marked in the table`,
  show: 'Show',
  showAll: 'Show all rows',
  take: (count: number) => `Use ${numberText(count)} likely ${plural(count, 'value')}`,
  takeOne: (value: string, count: number) => (count === 1 ? value : `${value} in ${rows(count)}`),
  taken: (count: number) => `Corrected ${rows(count)}.`,
  split: 'Split into parcels',
}

export const groupingTexts = {
  legend: 'One label for each',
  names: GROUPINGS,
  labels: (count: number) => countText(count, 'label'),
  noPrice: 'no price yet',
  unpriced: (count: number) => `${numberText(count)} without a price`,
  tooLarge: (lines: number, labels: number) =>
    `These ${countText(lines, 'line')} are too many for one label and make ${countText(labels, 'label')}.`,
}

export const seenTexts = {
  bar: (seen: number, total: number) =>
    `${numberText(seen)} of ${numberText(total)} rows already have a label`,
  refused: 'Rows of this file already have a label',
  file: (name: string, day: string, labels: number) =>
    `${name} was submitted on ${day}: ${countText(labels, 'label')}.`,
  leaveOut: 'Leave them out',
  keep: 'Keep them',
  unknownRows:
    'The rows have no order ids, so we can’t tell which of them have a label. Check Batch Orders and delete those rows.',
  which: 'Which rows',
  row: (index: number) => `Row ${numberText(index + 1)}`,
  pending: 'label is being bought',
  more: (count: number) => `and ${countText(count, 'more row')}`,
  change: 'rows with a label left out',
  leftOut: (left: { rows: number; items: number }) => {
    const parts = [
      left.rows > 0 && rows(left.rows),
      left.items > 0 && countText(left.items, 'order item'),
    ].filter(Boolean)
    const one = left.rows + left.items === 1
    return `Left out ${parts.join(' and ')} that already ${one ? 'has' : 'have'} a label.`
  },
  itemsLeftOut: (count: number) =>
    `Left out ${countText(count, 'order item')} that already ${plural(count, 'has', 'have')} a label. Check the weight.`,
}
