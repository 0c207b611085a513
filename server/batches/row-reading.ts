import type { FieldFault } from '#contract/faults.ts'
import { sum } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { invalidRowsText } from '#contract/row-rules.ts'
import type { ZipPlaces } from '#contract/zip-places.ts'
import type { PriceList } from '#server/catalogue/rules.ts'
import type { NewOrder } from '#server/orders/rules.ts'
import { Refusal, unlistedFieldsText } from '#server/platform/http/refusal.ts'
import { checkRows, createContentHash, parseRows } from './rules.ts'
import { createSeenKeys } from './seen-rules.ts'
import { createWarnings } from './warnings.ts'
import type { BatchWarnings } from './warnings.ts'

/** Keeps the response to 50,000 wrong rows smaller than the request. */
const MAX_FIELD_ERRORS = 20_000

/** Of all rows together. */
const MAX_ITEMS = 200_000

/** `refusal`: set if any row is wrong. `hash`: of the content of all rows. */
export type RowReadingResult = BatchWarnings & {
  hash: string
  cost: Cents
  refusal: Refusal | null
  seen: SeenKeys
}

type SeenKeys = ReturnType<ReturnType<typeof createSeenKeys>['found']>

/** `places`: undefined if they could not be loaded. `findsSeen`: the keys of rows are collected. */
type RowReadingOptions = {
  replaces: readonly string[]
  prices: PriceList
  places: ZipPlaces | undefined
  findsSeen: boolean
}

/**
 * Hashes, validates and prices submitted rows a page at a time. `read` returns the orders of a page, or null if a row of it is wrong;
 * throws Refusal 422 for too many items. `cost`: of the correct pages so far. `found`: after the last page, once.
 */
export function createRowReading({ replaces, prices, places, findsSeen }: RowReadingOptions): {
  read(page: readonly unknown[]): NewOrder[] | null
  cost(): Cents
  found(): RowReadingResult
} {
  const warnings = createWarnings(places)
  const content = createContentHash(replaces)
  const seenKeys = createSeenKeys()
  const named: [field: string, fault: FieldFault][] = []
  let cost = sum([])
  let [before, items, wrongRows, wrongFields] = [0, 0, 0, 0]
  const refusal = (): Refusal | null =>
    wrongRows === 0
      ? null
      : new Refusal(
          'rows_invalid',
          invalidRowsText(wrongRows) + unlistedFieldsText(wrongFields - named.length),
          { fields: Object.fromEntries(named) },
        )
  return {
    read(page) {
      const rows = parseRows(page)
      content.add(rows)
      if (findsSeen) seenKeys.add(rows, before)
      items += rows.reduce((count, row) => count + (row.items?.length ?? 0), 0)
      if (items > MAX_ITEMS) throw tooManyItems()
      const checked = checkRows(rows, prices, before)
      const isCorrect = 'cost' in checked
      if (isCorrect) {
        cost = sum([cost, checked.cost])
        warnings.add(rows, before)
      } else {
        wrongRows += checked.wrongRows
        wrongFields += checked.faults.length
        named.push(...checked.faults.slice(0, MAX_FIELD_ERRORS - named.length))
      }
      before += rows.length
      return isCorrect ? checked.orders : null
    },
    cost: () => cost,
    found: () => ({
      ...warnings.found(),
      hash: content.hash(),
      cost,
      refusal: refusal(),
      seen: seenKeys.found(),
    }),
  }
}

const tooManyItems = (): Refusal =>
  new Refusal(
    'too_many_rows',
    `A bulk order may have at most ${MAX_ITEMS.toLocaleString('en-US')} order items; this one has more`,
  )
