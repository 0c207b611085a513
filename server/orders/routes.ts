import type * as z from 'zod'
import { downloadBulkTemplate } from '#contract/downloads.ts'
import { hasOptions } from '#contract/label-options.ts'
import { dollars, sum, ZERO } from '#contract/money.ts'
import * as calls from '#contract/orders.ts'
import type { ShipmentPrice } from '#contract/orders.ts'
import { PRODUCT } from '#contract/product.ts'
import { TEMPLATE_CSV } from '#contract/rows.ts'
import { tableFileType } from '#contract/table-files.ts'
import type { TableFormat } from '#contract/table-files.ts'
import { optionsOfAccounts } from '#server/carriers/service.ts'
import type { CarrierContext } from '#server/carriers/service.ts'
import { withQuotesFor } from '#server/catalogue/live-prices.ts'
import { readOptions } from '#server/catalogue/option-prices.ts'
import type { ParcelInput, ParcelQuote } from '#server/catalogue/rules.ts'
import { quoteEachShipment, quoteShipments } from '#server/catalogue/service.ts'
import type { AskCarrier } from '#server/catalogue/service.ts'
import type { Context } from '#server/platform/context.ts'
import { asFile } from '#server/platform/http/file-answer.ts'
import { nextWire, rangeAfter } from '#server/platform/http/list-range.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import { parseEntries } from '#server/platform/http/request-validation.ts'
import type { ApiRequest, Router } from '#server/platform/http/router.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import type { Sink } from '#server/platform/storage/port.ts'
import { writeWorkbook } from '#server/platform/xlsx.ts'
import { countOrders } from './lists-store.ts'
import {
  countOrdersByDay,
  exportOrdersOf,
  findNamedOrderIds,
  findOrderIds,
  findOrderIdsAfter,
  findOrdersInOrder,
} from './lists.ts'
import { csvHead, csvLines, sheetCells } from './order-columns.ts'
import { orderFileColumns } from './orders-file.ts'
import type { FileOrder } from './orders-file.ts'
import { orderWire } from './wire.ts'

export function registerOrderRoutes(
  router: Router,
  ctx: CarrierContext,
  answers: LongAnswers,
): void {
  const { db } = ctx.database
  const sandbox = ctx.config.mode === 'sandbox'

  registerQuoteRoute(router, ctx, answers)
  registerExportRoute(router, ctx, answers)

  router.handle(calls.recentOrders, async ({ params, query }) => {
    const { ids } = await findOrderIds(db, Number(params.userId), {
      offset: 0,
      limit: query.limit,
    })
    const orders = await findOrdersInOrder(db, ids)
    return { recentOrders: orders.map(order => orderWire(order, sandbox)) }
  })

  router.handle(calls.totalOrders, async ({ params }) => ({
    totalOrders: await countOrders(db, Number(params.userId)),
  }))

  router.handle(calls.orderTrend, async ({ params, query }) => ({
    days: await countOrdersByDay(db, Number(params.userId), query),
  }))

  router.handle(calls.listOrders, async request => {
    const { page, limit, after, ids: named, ...filter } = request.query
    const userId = Number(request.params.userId)
    const offset = (page - 1) * limit
    const range = named ? null : rangeAfter(request.caller, { after, page, limit })
    const { ids, total, more, next } = range
      ? await findOrderIdsAfter(db, userId, range, filter)
      : {
          ...(named
            ? await findNamedOrderIds(db, userId, named.split(',').map(Number), { offset, limit })
            : await findOrderIds(db, userId, { offset, limit }, filter)),
          next: undefined,
        }
    return answers.list(calls.listOrders, request, {
      count: ids.length,
      pages: pagesOf(ids, some => findOrdersInOrder(db, some)),
      listName: 'orders',
      wrap: orders => ({
        orders: orders.map(order => orderWire(order, sandbox)),
        totalCount: total,
        more,
        ...(next !== undefined && { next: nextWire(next) }),
      }),
    })
  })

  router.handle(downloadBulkTemplate, async ({ reply }) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="evenpost-bulk-template.csv"')
      .send(TEMPLATE_CSV),
  )
}

function registerExportRoute(router: Router, ctx: Context, answers: LongAnswers): void {
  const { db } = ctx.database
  router.handle(calls.exportOrders, async request => {
    const { format, ...filter } = request.query
    const { userId } = request.params
    const body = await answers.stream(request, sink =>
      writeOrdersFile(
        sink,
        format,
        orderFileColumns(ctx.config.publicUrl),
        exportOrdersOf(db, Number(userId), filter, request.recheckAccess),
      ),
    )
    const today = new Date().toISOString().slice(0, 10)
    const name = `${PRODUCT.toLowerCase()}-orders-${today}.${format}`
    return asFile(request.reply, { type: tableFileType(format), name }).send(body)
  })
}

async function writeOrdersFile(
  sink: Sink,
  format: TableFormat,
  columns: ReturnType<typeof orderFileColumns>,
  chunks: AsyncIterable<FileOrder[]>,
): Promise<void> {
  if (format === 'xlsx') {
    async function* cells() {
      for await (const orders of chunks) yield sheetCells(columns, orders)
    }
    return writeWorkbook(sink, { name: 'Orders', columns }, cells())
  }
  await sink.write(Buffer.from(csvHead(columns)))
  for await (const orders of chunks) await sink.write(Buffer.from(csvLines(columns, orders)))
}

function registerQuoteRoute(router: Router, ctx: CarrierContext, answers: LongAnswers): void {
  const { db } = ctx.database
  const quote = async (request: ApiRequest<typeof calls.quotePrice>) => {
    const { body, longList, caller } = request
    const parcels: ParcelInput[] = []
    for (const page of longList.pages()) {
      const shipments = parseEntries(calls.Shipment, page, 'shipments', parcels.length)
      parcels.push(...shipments.map(parcelOf))
      await yieldToOthers()
    }
    const ask: AskCarrier = async (listed, some) => {
      const needsOptions = some.some(({ options }) => options && hasOptions(options))
      const prices = needsOptions
        ? { ...listed, optionsOf: await readOptions(db, optionsOfAccounts(ctx)) }
        : listed
      return withQuotesFor(ctx, caller.userId, prices, some)
    }
    if (body.each !== true)
      return { totalPrice: dollars(await quoteShipments(db, caller.userId, parcels, ask)) }
    const quotes = await quoteEachShipment(db, caller.userId, parcels, ask)
    const totalPrice = dollars(sum(quotes.map(one => ('price' in one ? one.price : ZERO))))
    return answers.list(calls.quotePrice, request, {
      count: quotes.length,
      pages: pagesOf(quotes, async some => some),
      listName: 'prices',
      wrap: some => ({ totalPrice, prices: some.map(shipmentPriceWire) }),
    })
  }
  router.handle(calls.quotePrice, quote, { list: { maxItems: calls.MAX_QUOTED_SHIPMENTS } })
}

const parcelOf = (shipment: z.output<typeof calls.Shipment>): ParcelInput => ({
  service: shipment.service_name,
  weight: shipment.package?.package_weight,
  length: shipment.package?.package_length,
  width: shipment.package?.package_width,
  height: shipment.package?.package_height,
  fromZip: zipOf(shipment.sender, 'sender_zip_postal'),
  toZip: zipOf(shipment.receiver, 'receiver_zip_postal'),
  options: { signature: shipment.signature ?? 'none', saturday: shipment.saturday ?? false },
})

/** A quote may leave the addresses out. */
function zipOf(side: unknown, name: string): string | undefined {
  const given = (side as Record<string, unknown> | null | undefined)?.[name]
  return typeof given === 'string' ? given.trim() : undefined
}

const shipmentPriceWire = (quote: ParcelQuote): ShipmentPrice =>
  'price' in quote ? { price: dollars(quote.price) } : quote
