import type { LabelFormat } from '#contract/downloads.ts'
import { countText, numberText, plural } from '#contract/format.ts'
import type { SheetHalf } from './print-options.ts'

const formats: Record<LabelFormat, { text: string; hint: string; action: string }> = {
  pdf: { text: '4x6 PDF', hint: 'One label per page, for label printers', action: 'Open 4x6 PDF' },
  letter: {
    text: 'Letter PDF',
    // The size stays together where the line breaks.
    hint: 'Two labels on an 8.5\u00a0x\u00a011\u00a0in sheet',
    action: 'Open Letter PDF',
  },
  zpl: { text: 'ZPL', hint: 'For thermal printers, 203 dpi', action: 'Save ZPL' },
  png: { text: 'PNG', hint: 'An image of the label', action: 'Save PNG' },
}
const halves: Record<SheetHalf, string> = { upper: 'Upper half', lower: 'Lower half' }

export const texts = {
  options: (name: string) => `Print options, ${name}`,
  title: (name: string) => `Print ${name}`,
  label: (receiver: string) => `label for ${receiver}`,
  labels: (count: number) => countText(count, 'label'),
  thisLabel: 'this label',
  bulkOrder: (id: string) => `bulk order #${id}`,
  thisBulkOrder: 'this bulk order',
  format: 'Format',
  formats,
  half: 'Start in',
  halves,
  onlyRows: 'Only rows',
  onlyRowsHint: (rows: number) =>
    `Leave blank for ${plural(rows, 'the only row', `all ${numberText(rows)}`)}. Example: 3-7, 12`,
  packing: 'For packing',
  packingHint: 'All labels, sorted by SKU',
  packingSlips: 'Packing slips',
  pickList: 'Pick list',
  testPage: 'Test page',
  close: 'Close',
  failed: 'We couldn’t get the file. Try again.',
  tabBlocked: 'Your browser blocked the new tab.',
  open: 'Open the file',
}
