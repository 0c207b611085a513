/** Columns of signature and Saturday delivery, which a file may have beside the template's. */
import { OPTION_HEADERS } from '#contract/faulty-rows.ts'
import { OPTION_FIELDS } from '#contract/label-options.ts'
import type { OptionField } from '#contract/label-options.ts'
import { headerKey } from '#web/client/header-key.ts'
import { texts } from './texts.ts'

/** What our files and other programs call them, as they are compared. */
export const OPTION_HEADER_KEYS: Record<OptionField, readonly string[]> = {
  signature: [OPTION_HEADERS.signature, ...texts.optionHeaders.signature].map(headerKey),
  saturday: [OPTION_HEADERS.saturday, ...texts.optionHeaders.saturday].map(headerKey),
}

/** The option that a column asks for; `key`: its name, as it is compared. */
export const optionOfHeader = (key: string): OptionField | undefined =>
  OPTION_FIELDS.find(field => OPTION_HEADER_KEYS[field].includes(key))
