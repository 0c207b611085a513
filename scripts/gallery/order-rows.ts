/** Rows of bulk orders with the receivers of a shop. */
import type { BulkRow } from '#contract/rows.ts'
import { receiverFor } from '#scripts/seed/receivers.ts'
import { rows } from '#tests/support/rows.ts'

/** `first`: number of the first receiver; `change` makes single rows, counted from 1, what a place wants. */
export const orderRows = (
  count: number,
  first: number,
  change: (n: number) => Partial<BulkRow> = () => ({}),
): BulkRow[] =>
  rows(count, n => {
    const { name, street, city, state, zip } = receiverFor(first + n)
    return {
      ToRecipientName: name,
      ToStreet1: street,
      ToCity: city,
      ToStateProvince: state,
      ToZipPostal: zip,
      ...change(n),
    }
  })
