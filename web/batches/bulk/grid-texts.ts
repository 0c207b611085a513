/** Texts of the grid of the bulk page: columns, selection, menus and history. */
import { countText } from '#contract/format.ts'

const cells = (count: number) => countText(count, 'cell')
const rows = (count: number) => countText(count, 'row')

export const gridTexts = {
  /** What a change did, after Undo or Redo. */
  changes: {
    other: 'last change',
    service: 'change of service',
    row: (index: number) => `edit of row ${index + 1}`,
    cell: (title: string, index: number) => `edit of ${title} in row ${index + 1}`,
    paste: (count: number) => `paste of ${cells(count)}`,
    cut: (count: number) => `cut of ${cells(count)}`,
    clear: (count: number) => `clearing of ${cells(count)}`,
    fill: (count: number) => `fill of ${cells(count)}`,
    set: (title: string, count: number) => `${title} of ${rows(count)}`,
    replace: (count: number) => `replacement in ${cells(count)}`,
    remove: (count: number) => `deletion of ${rows(count)}`,
    duplicate: (count: number) => `copy of ${rows(count)}`,
    apart: 'taking a row apart',
    split: (count: number) => `split of ${rows(count)}`,
  },
  undo: (name: string) => `Undo ${name}`,
  redo: (name: string) => `Redo ${name}`,
  undone: (name: string) => `Undone: ${name}.`,
  redone: (name: string) => `Done again: ${name}.`,
}
