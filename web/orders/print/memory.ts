/** The format that was printed last in this browser. Where storage is closed, as in private windows, it lasts as long as the page. */
import { LABEL_FORMATS } from '#contract/orders.ts'
import type { LabelFormat } from '#contract/orders.ts'

const KEY = 'evenpost.print-format'

let ofThisPage: LabelFormat = 'pdf'

export function lastFormat(): LabelFormat {
  try {
    const kept = localStorage.getItem(KEY)
    return LABEL_FORMATS.find(format => format === kept) ?? 'pdf'
  } catch {
    return ofThisPage
  }
}

export function rememberFormat(format: LabelFormat): void {
  ofThisPage = format
  try {
    localStorage.setItem(KEY, format)
  } catch {
    // Kept for this page alone.
  }
}
