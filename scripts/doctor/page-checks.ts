/** The doctor's check of the pages and the address that customers look for. */
import type { PageSummary } from '#contract/support.ts'
import { missingSupport } from '#server/support/rules.ts'
import type { Finding } from './data-checks.ts'

type SiteFacts = {
  mode: 'sandbox' | 'live'
  pages: readonly PageSummary[]
  supportEmail: string | undefined
}

/** In a sandbox the examples are in order. */
export function checkSupportPages({ mode, pages, supportEmail }: SiteFacts): Finding[] {
  const missing = missingSupport(pages, supportEmail)
  if (missing.length === 0)
    return [{ isOk: true, text: 'Pages: terms, privacy and refunds are yours; support is named' }]
  if (mode === 'sandbox')
    return [{ isOk: true, text: 'Pages: examples, or none, are in order in a sandbox' }]
  return missing.map(problem => ({ isOk: false, text: `Pages: ${problem}` }))
}
