/** Real requests and answers of the calls for keys; a test parses each with its schema. */

import type { Examples } from './example.ts'
import { BOOK_EXAMPLES } from './examples-books.ts'
import { BULK_EXAMPLES } from './examples-bulk.ts'
import { LABEL_EXAMPLES } from './examples-labels.ts'
import { MONEY_EXAMPLES } from './examples-money.ts'
import { WEBHOOK_EXAMPLES } from './examples-webhooks.ts'

/** By the name of the operation. */
export const EXAMPLES: Examples = {
  ...LABEL_EXAMPLES,
  ...BULK_EXAMPLES,
  ...MONEY_EXAMPLES,
  ...BOOK_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
}
