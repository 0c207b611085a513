/** Rows of a list in groups, such as the orders of a month. Pure. */

/** `key` stays when rows come or go at either end, so that a group keeps its elements, with open menus and the focus. */
type RowGroup<Row> = { key: string; name: string | null; rows: Row[] }

/** Neighbors with one name; all rows in one group without names. */
export function groupsOf<Row>(
  rows: readonly Row[],
  groupOf: ((row: Row) => string) | undefined,
): RowGroup<Row>[] {
  const groups: RowGroup<Row>[] = []
  for (const row of rows) {
    const name = groupOf?.(row) ?? null
    const last = groups.at(-1)
    if (last?.name === name) {
      last.rows.push(row)
      continue
    }
    const before = groups.filter(group => group.name === name).length
    groups.push({ key: `${before} ${name ?? ''}`, name, rows: [row] })
  }
  return groups
}
