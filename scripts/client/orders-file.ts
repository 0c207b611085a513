/** Reads and checks a file of orders by the rules of the bulk page. */
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { listAddresses } from '#contract/addresses.ts'
import type { SavedAddress } from '#contract/addresses.ts'
import type { SubmittedFile } from '#contract/batches.ts'
import { availableServices } from '#contract/catalogue.ts'
import type { AvailableService } from '#contract/catalogue.ts'
import { hasNoErrors } from '#contract/row-rules.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { listSkus } from '#contract/skus.ts'
import { shortenText } from '#contract/text.ts'
import { combineRows } from '#web/batches/bulk/parcels/combine.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { fileHash } from '#web/batches/import/file-hash.ts'
import { readBytes } from '#web/batches/import/read-bytes.ts'
import type { FileResult } from '#web/batches/import/read-bytes.ts'
import { serviceNamed } from '#web/batches/import/sources/service-column.ts'
import { indexBySku } from '#web/skus/fill.ts'
import type { BuyOptions } from './arguments.ts'
import type { Client } from './calls.ts'
import { rowChecker } from './faulty-rows.ts'
import type { FaultyRow } from './faulty-rows.ts'

/** The file cannot be used; its message names the file and a remedy. */
export class FileProblem extends Error {}

/** `rows`: those without a fault. */
export type OrdersFile = {
  file: SubmittedFile
  rows: GridRow[]
  faulty: FaultyRow[]
  notices: string[]
}

const MAX_ROWS = 50_000

/** Throws FileProblem and ApiError. */
export async function readOrdersFile(client: Client, options: BuyOptions): Promise<OrdersFile> {
  const name = basename(options.file)
  const bytes = await readFile(options.file).catch((error: NodeJS.ErrnoException) => {
    throw new FileProblem(
      error.code === 'ENOENT'
        ? `There is no file ${options.file}.`
        : `${options.file} cannot be read (${error.code}).`,
    )
  })
  const params = { userId: client.userId }
  const services = await client.call(availableServices, { params })
  const skus = client.may('books') ? await allSkus(client) : []
  const read = await importRows(client, new Uint8Array(bytes), name, {
    skus,
    services,
    sheet: options.sheet,
  })
  const service = serviceNamed(services, options.service)?.name ?? options.service
  // Rows of different services are not combined.
  for (const row of read.rows) row.ServiceName ||= service
  const rows = combineRows(read.rows, options.oneLabelFor, indexBySku(skus))
  const errorsOf = rowChecker(services)
  const checked = rows.map(row => ({ row, errors: errorsOf(row) }))
  return {
    file: { name, sha256: fileHash(read), source: read.source },
    rows: checked.filter(({ errors }) => hasNoErrors(errors)).map(({ row }) => row),
    faulty: checked.filter(({ errors }) => !hasNoErrors(errors)),
    notices: read.notices,
  }
}

async function importRows(
  client: Client,
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  {
    skus,
    services,
    sheet,
  }: { skus: SkuMeasures[]; services: AvailableService[]; sheet: string | null },
): Promise<FileResult> {
  const addresses = client.may('books') ? await allAddresses(client) : []
  const sender = addresses.find(({ isDefault }) => isDefault) ?? addresses[0]
  const answer = await readBytes(
    bytes,
    name,
    {
      skus,
      services,
      keepsUnknownServices: true,
      senderAddress: sender,
      maxRows: MAX_ROWS,
      ...(sheet !== null && { sheet }),
    },
    {},
  )
  if ('problem' in answer) throw new FileProblem(answer.problem)
  const problem = sheetProblem(name, sheet, answer)
  if (problem !== null) throw new FileProblem(problem)
  if ('unknownColumns' in answer)
    throw new FileProblem(
      `The columns of ${name} are not known. Use the bulk template or the export of a marketplace, `
        + 'or upload the file on the Bulk Order page, where columns can be matched.',
    )
  return answer
}

/** Only one sheet is bought. If there are several, the user must name it. */
function sheetProblem(
  name: string,
  chosen: string | null,
  { sheets }: Pick<FileResult, 'sheets'>,
): string | null {
  if (!sheets) return chosen === null ? null : `${name} is not a workbook; leave out --sheet.`
  const names = sheets.map(sheet => `'${shortenText(sheet)}'`).join(', ')
  if (chosen !== null)
    return sheets.includes(chosen)
      ? null
      : `${name} has no sheet '${shortenText(chosen)}' with rows. It has ${names}.`
  return sheets.length > 1
    ? `${name} has several sheets with rows: ${names}. Name the one to buy with --sheet.`
    : null
}

async function allSkus({ call, userId }: Client): Promise<SkuMeasures[]> {
  const found: SkuMeasures[] = []
  for (let after: string | undefined; ;) {
    const page = await call(listSkus, { params: { userId }, query: { after } })
    found.push(...page.SkuData)
    if (!page.next) return found
    after = page.next
  }
}

async function allAddresses({ call, userId }: Client): Promise<SavedAddress[]> {
  const found: SavedAddress[] = []
  for (let after: string | undefined; ;) {
    const page = await call(listAddresses, { params: { userId }, query: { after } })
    found.push(...page.savedAddress)
    if (!page.next) return found
    after = page.next
  }
}
