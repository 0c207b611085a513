import { numberText, plural } from '#contract/format.ts'
/** What is said where labels are printed in another way than as the PDF of their link. */
import type { LabelFormat } from '#contract/downloads.ts'
import type { SheetHalf } from './print-options.ts'

const formats: Record<LabelFormat, { text: string; hint: string; act: string }> = {
  pdf: { text: '4x6 PDF', hint: 'One label a page, for label printers', act: 'Open 4x6 PDF' },
  letter: {
    text: 'Letter PDF',
    hint: 'Two labels on a sheet of 8.5 x 11 in',
    act: 'Open Letter PDF',
  },
  zpl: { text: 'ZPL', hint: 'Commands for thermal printers, 203 dpi', act: 'Save ZPL' },
  png: { text: 'PNG', hint: 'A picture for other programs, 203 dpi', act: 'Save PNG' },
}
const halves: Record<SheetHalf, string> = { upper: 'Upper half', lower: 'Lower half' }

export const texts = {
  options: (name: string) => `Print options, ${name}`,
  title: (name: string) => `Print ${name}`,
  label: (receiver: string) => `label for ${receiver}`,
  thisLabel: 'this label',
  bulkOrder: (created: string) => `bulk order of ${created}`,
  thisBulkOrder: 'this bulk order',
  format: 'Format',
  formats,
  half: 'First label goes in',
  halves,
  only: 'Only rows',
  onlyHint: (rows: number) =>
    `Empty for ${plural(rows, 'the one row', `all ${numberText(rows)}`)}. Example: 3-7, 12`,
  test: 'Test page',
  close: 'Close',
  failed: 'The file could not be fetched. Please try again.',
  heldBack: 'Your browser did not open a new tab.',
  open: 'Open the file',
}
