import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** Bytes of the bodies on a page of a list: those of large bulk orders have megabytes each. */
export const MAX_PAGE_BYTES = 1024 * 1024

/**
 * The body of a row `d`, or null where the bodies before it in this order of ids have `mostBytes` already; so the first row always has
 * one. The length of a body is known without reading it.
 */
export const boundedBody = (
  order: RawBuilder<unknown>,
  mostBytes = MAX_PAGE_BYTES,
): RawBuilder<string | null> =>
  sql`case when sum(octet_length(d.body)) over (order by d.id ${order}) - octet_length(d.body) < ${mostBytes} then d.body end`
