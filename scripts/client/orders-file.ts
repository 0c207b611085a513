/** Reads and checks a file of orders by the rules of the bulk page. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { listAddresses } from '#contract/addresses.ts'
import type { SavedAddress } from '#contract/addresses.ts'
import type { SubmittedFile } from '#contract/batches.ts'
import { availableServices } from '#contract/catalogue.ts'
import { hasNoErrors, withGroupName } from '#contract/row-rules.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import { FIELDS } from '#contract/rows.ts'
import type { SkuMeasures } from '#contract/sku-rules.ts'
import { listSkus } from '#contract/skus.ts'
import { faultyRowsCsv } from '#web/batches/bulk/checks/faulty-file.ts'
import { rowValidatorFor } from '#web/batches/bulk/checks/validation.ts'
import { combineRows } from '#web/batches/bulk/parcels/combine.ts'
import { indexBySku } from '#web/batches/bulk/parcels/sku-fill.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { readBytes } from '#web/batches/import/read-bytes.ts'
import type { FileResult } from '#web/batches/import/read-bytes.ts'
import type { BuyOptions } from './arguments.ts'
import type { Client } from './calls.ts'

/** The file cannot be used; its message names the file and a remedy. */
export class FileProblem extends Error {}

/** `faults`: a sentence for each faulty row; `faultyCsv`: those rows as a file to correct. */
export type OrdersFile = {
  file: SubmittedFile
  rows: GridRow[]
  faults: string[]
  faultyCsv: string
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
  const read = await importRows(client, new Uint8Array(bytes), name, skus)
  const rows = combineRows(read.rows, options.oneLabelFor, indexBySku(skus)).map(row =>
    row.ServiceName === '' ? { ...row, ServiceName: options.service } : row,
  )
  const validate = rowValidatorFor(services, true)
  const isValid = (row: GridRow) => hasNoErrors(validate(row))
  const faulty = rows.filter(row => !isValid(row))
  return {
    file: {
      name,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      source: read.source,
    },
    rows: rows.filter(isValid),
    faults: faulty.map(row => faultText(row, validate(row))),
    faultyCsv: faultyRowsCsv(faulty, validate),
    notices: [...read.notices, ...read.leftOut.map(leftOutText)],
  }
}

const leftOutText = ({ reason, lines }: FileResult['leftOut'][number]): string =>
  `${lines} ${lines === 1 ? 'line is' : 'lines are'} left out: ${reason}`

async function importRows(
  client: Client,
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  skus: SkuMeasures[],
): Promise<FileResult> {
  const addresses = client.may('books') ? await allAddresses(client) : []
  const sender = addresses.find(({ isDefault }) => isDefault) ?? addresses[0]
  const answer = await readBytes(
    bytes,
    name,
    { skus, senderAddress: sender, maxRows: MAX_ROWS },
    {},
  )
  if ('problem' in answer) throw new FileProblem(answer.problem)
  if ('unknownColumns' in answer)
    throw new FileProblem(
      `The columns of ${name} are not known. Use the bulk template or the export of a marketplace, `
        + 'or upload the file on the Bulk Order page, where columns can be matched.',
    )
  return answer
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

/** 'Line 4, Receiver 4: To Zip is required'. */
function faultText(row: GridRow, errors: RowErrors): string {
  const texts = FIELDS.flatMap(({ name }) =>
    errors[name] === undefined ? [] : [withGroupName(name, errors[name])],
  )
  const receiver = row.ToRecipientName === '' ? '' : `, ${row.ToRecipientName}`
  return `Line ${row.line}${receiver}: ${texts.join('; ')}`
}
