/**
 * The format that was printed last in this browser. Without storage (private windows) it lasts as
 * long as the page.
 */
import { LABEL_FORMATS } from '#contract/downloads.ts'
import type { LabelFormat } from '#contract/downloads.ts'

const STORAGE_KEY = 'evenpost.print-format'

let formatOfThisPage: LabelFormat = 'pdf'

export function getLastFormat(): LabelFormat {
  try {
    const saved = localStorage.getItem(STORAGE_KEY)
    return LABEL_FORMATS.find(format => format === saved) ?? 'pdf'
  } catch {
    return formatOfThisPage
  }
}

export function saveLastFormat(format: LabelFormat): void {
  formatOfThisPage = format
  try {
    localStorage.setItem(STORAGE_KEY, format)
  } catch {
    // Remembered by this page only.
  }
}
