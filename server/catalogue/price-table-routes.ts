import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { PRICE_COLUMNS, priceRows } from '#contract/price-file.ts'
import { ruleWire } from '#contract/price-rules.ts'
import * as calls from '#contract/price-tables.ts'
import { PRODUCT } from '#contract/product.ts'
import { tableFileType } from '#contract/table-files.ts'
import type { TableFormat } from '#contract/table-files.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import type { Router } from '#server/platform/http/router.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import type { SheetCell } from '#server/platform/xlsx.ts'
import { selectCosts } from './costs-store.ts'
import type { CostRecord } from './costs-store.ts'
import type { PriceChangeRecord } from './price-changes-store.ts'
import {
  cancelPriceChange,
  changePrices,
  listPriceChanges,
  replaceZoneMatrix,
} from './price-changes.ts'
import { assertQuotable, listPricedServices } from './price-drafts.ts'
import { pricesOf, tableWire } from './rules.ts'
import type { Service } from './rules.ts'
import { selectZoneMatrix } from './zones-store.ts'
import type { ZoneMatrixRecord } from './zones-store.ts'

export function registerPriceTableRoutes(router: Router, ctx: CarrierContext): void {
  const { db } = ctx.database

  router.handle(calls.priceTableFile, async ({ query, reply }) => {
    const { format, userId, content } = query
    const services = await listPricedServices(db, ownerOf(userId))
    const priced = content === 'prices' ? services : withCosts(services, await selectCosts(db))
    const rows = priced.flatMap(priceRows)
    const today = new Date().toISOString().slice(0, 10)
    const name = `${PRODUCT.toLowerCase()}-${content}-${userId ? `user-${userId}-` : ''}${today}.${format}`
    const file = await priceFile(rows, format)
    return asFile(reply, { type: tableFileType(format), name }).send(file)
  })

  router.handle(calls.changePrices, async ({ body, caller }) => {
    const { userId, ...confirmed } = body
    assertQuotable(ctx.carrier, body.source)
    return changeWire(await changePrices(ctx, ownerOf(userId), confirmed, caller.userId))
  })
  router.handle(calls.priceChanges, async ({ query }) =>
    (await listPriceChanges(db, ownerOf(query.userId))).map(changeWire),
  )
  router.handle(calls.cancelPriceChange, async ({ params, caller }) =>
    changeWire(await cancelPriceChange(ctx, Number(params.id), caller.userId)),
  )

  router.handle(calls.serviceCosts, async () => (await selectCosts(db)).map(costsWire))

  router.handle(calls.zoneMatrix, async () => ({ matrix: matrixWire(await selectZoneMatrix(db)) }))
  router.handle(calls.setZoneMatrix, async ({ body, caller }) => ({
    matrix: matrixWire(await replaceZoneMatrix(ctx, body, caller.userId)),
  }))
}

export const ownerOf = (userId: string | undefined): number | null =>
  userId === undefined ? null : Number(userId)

async function priceFile(rows: readonly string[][], format: TableFormat): Promise<Buffer> {
  if (format === 'csv')
    return Buffer.from(BYTE_ORDER_MARK + [[...PRICE_COLUMNS], ...rows].map(csvLine).join(''))
  const chunks: Uint8Array[] = []
  async function* cells(): AsyncGenerator<SheetCell[][]> {
    yield rows.map(row => row.map(sheetCell))
  }
  const columns = PRICE_COLUMNS.map(header => ({
    header,
    width: TEXT_COLUMNS.has(header) ? 30 : 10,
  }))
  await writeWorkbook(
    { write: chunk => void chunks.push(chunk) },
    { name: 'Prices', columns },
    cells(),
  )
  return Buffer.concat(chunks)
}

const TEXT_COLUMNS: ReadonlySet<string> = new Set(['service', 'name'])

/** Numbers are numbers, so that they can be computed with. */
const sheetCell = (text: string, at: number): SheetCell =>
  text === '' || TEXT_COLUMNS.has(PRICE_COLUMNS[at]!) || PRICE_COLUMNS[at] === 'unit'
    ? text
    : Number(text)

const personWire = ({ id, name }: { id: number; name: string }) => ({ _id: String(id), name })

/** Services without costs have no rows. */
const withCosts = (services: readonly Service[], costs: readonly CostRecord[]) =>
  services.flatMap(service => {
    const cost = costs.find(({ uid }) => uid === service.uid)
    return cost ? { ...service, ranges: cost.ranges, table: cost.table } : []
  })

const costsWire = ({ uid, version, ranges, table, reason, setBy, createdAt }: CostRecord) => ({
  uid,
  version,
  prices: pricesOf(ranges),
  table: tableWire(table),
  reason,
  setBy: personWire(setBy),
  createdAt: createdAt.toISOString(),
})

const changeWire = (change: PriceChangeRecord) => ({
  _id: String(change.id),
  state: change.state,
  services: change.content.map(({ uid }) => uid),
  kind: change.kind,
  fileName: change.fileName,
  rule: ruleOf(change),
  reason: change.reason,
  startsAt: change.startsAt.toISOString(),
  setBy: personWire(change.setBy),
  createdAt: change.createdAt.toISOString(),
  endedAt: change.endedAt?.toISOString() ?? null,
  canceledBy: change.endedBy && personWire(change.endedBy),
  failure: change.failure,
})

function ruleOf({ content }: PriceChangeRecord) {
  const rule = content.length === 1 ? content[0]!.rule : null
  return rule ? ruleWire(rule) : null
}

const matrixWire = (matrix: ZoneMatrixRecord | null) =>
  matrix && {
    pairs: matrix.pairs,
    reason: matrix.reason,
    setBy: personWire(matrix.setBy),
    createdAt: matrix.createdAt.toISOString(),
  }
