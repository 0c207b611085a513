/**
 * Every text from outside is read in time linear to its length: each field of each call, each cell
 * of a row, each record, each file, with the worst texts known.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AddressForm } from '#contract/addresses.ts'
import { csvCell, readCsvCell } from '#contract/csv.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { labelNotice, labelText, latinText } from '#contract/label-text.ts'
import { itemsProblem } from '#contract/row-items.ts'
import { cellError } from '#contract/row-rules.ts'
import { FIELDS, isUs, parseItems, TEMPLATE_HEADERS, tidyPhone, tidyZip } from '#contract/rows.ts'
import { SKU_FIELDS } from '#contract/sku-rules.ts'
import { stateCode } from '#contract/states.ts'
import { normalizeText, tidyText } from '#contract/text.ts'
import { emailFault, emailKey, passwordFault, personNameFault } from '#server/accounts/rules.ts'
import { describeDevice } from '#server/accounts/user-agent.ts'
import { parseAddress } from '#server/addresses/rules.ts'
import { checkRows, createContentHash, parseRows } from '#server/batches/rules.ts'
import { readSeenKeys } from '#server/batches/seen-rules.ts'
import { parseTracking } from '#server/carriers/usps/tracking.ts'
import { indexServicesWithPrices, parseServiceName, quoteParcels } from '#server/catalogue/rules.ts'
import { parseSearch, searchWordsOf } from '#server/orders/search.ts'
import { tokenOf } from '#server/platform/http/caller-token.ts'
import { acceptsEncoding } from '#server/platform/http/compressed-file.ts'
import { validateShape } from '#server/platform/http/request-validation.ts'
import { SkuList } from '#server/skus/rules.ts'
import { anyCharacter } from '#tests/support/any-character.ts'
import { row } from '#tests/support/rows.ts'
import { sellerFile } from '#tests/support/seller-files.ts'
import type { SellerFormat } from '#tests/support/seller-files.ts'
import { projectFiles, ROOT } from '#tests/support/source.ts'
import {
  costGrowth,
  MOST_GROWTH,
  textPlaces,
  valueWith,
  WORST_TEXTS,
} from '#tests/support/text-cost.ts'
import { applyPaste, parseClipboard } from '#web/batches/bulk/grid/paste.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import type { ImportContext } from '#web/batches/import/import-file.ts'
import { decodeText } from '#web/client/decode-text.ts'
import { headerKey } from '#web/client/delimited-text.ts'
import { parseSkuFile } from '#web/skus/sku-file.ts'

const contract = await Promise.all(
  projectFiles('contract/*.ts')
    .filter(path => !path.endsWith('.test.ts'))
    .map(path => import(join(ROOT, path)) as Promise<Record<string, unknown>>),
)
const calls = contract
  .flatMap(exports => Object.values(exports))
  .filter((value): value is Endpoint => (value as Partial<Endpoint> | null)?.access !== undefined)

type Readers = Record<string, (text: string) => unknown>

/** What costs more for each character of a longer text. */
function costlyTexts(readers: Readers): string[] {
  return Object.entries(readers).flatMap(([name, read]) =>
    Object.entries(WORST_TEXTS).flatMap(([kind, make]) => {
      const growth = costGrowth(quietly(read), make)
      return growth > MOST_GROWTH ? [`${name}, ${kind}: ${growth.toFixed(1)} times`] : []
    }),
  )
}

/** A refusal is an answer too. */
const quietly = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text)
  } catch (error) {
    return error
  }
}

const prices = indexServicesWithPrices([])
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const ADDRESS_FIELDS = Object.keys(AddressForm.shape) as (keyof AddressForm)[]

const TEXT_READERS: Readers = {
  normalizeText: text => normalizeText(text),
  'normalizeText for searches': text => normalizeText(text, 'NFKD'),
  tidyText,
  tidyPhone,
  tidyZip,
  latinText,
  labelText,
  labelNotice,
  csvCell,
  readCsvCell,
  stateCode,
  isUs,
  headerKey,
  searchWordsOf: text => searchWordsOf([text]),
  parseSearch,
  emailKey,
  emailFault,
  passwordFault: text => passwordFault(text, 'ana@example.com'),
  personNameFault,
  parseServiceName: text => parseServiceName(text, []),
  quoteParcels: text => quoteParcels(prices, [{ service: text, weight: text }]),
}

/** Looks from each sixteenth character through what is before it. */
function readQuadratically(text: string): number {
  let spaces = 0
  for (let end = 0; end < text.length; end += 16)
    for (let at = 0; at < end; at += 16) if (text[at] === ' ') spaces++
  return spaces
}

test('a function that takes quadratic time is noticed', () => {
  expect(costGrowth(readQuadratically, WORST_TEXTS.spaces!)).toBeGreaterThan(MOST_GROWTH)
})

test('each function that reads text takes time linear to its length', () => {
  expect(costlyTexts(TEXT_READERS)).toEqual([])
})

const filled = <Name extends string>(names: readonly Name[], text: string) =>
  Object.fromEntries(names.map(name => [name, text])) as Record<Name, string>

test('headers of a request are read in time linear to their length', () => {
  expect(
    costlyTexts({
      'Accept-Encoding': text => acceptsEncoding(`a${text}b`, 'br'),
      Authorization: text => tokenOf({ headers: { authorization: `Bearer a${text}b` } }),
      'User-Agent': text => describeDevice(text),
    }),
  ).toEqual([])
})

test('what a carrier tells of a parcel is read in time linear to its length', () => {
  const found = (text: string) => ({
    trackingNumber: '1',
    status: text,
    statusCategory: text,
    trackingEvents: [{ eventType: text, eventTimestamp: '2026-11-18T18:31:00', eventCity: text }],
  })
  const answer = { status: 200, headers: new Headers(), bytes: new Uint8Array() }
  expect(
    costlyTexts({ USPS: text => parseTracking({ ...answer, body: found(text) }, '1') }),
  ).toEqual([])
})

test('rows, SKU records and addresses are read in time linear to their length', () => {
  const names = FIELDS.map(({ name }) => name)
  expect(
    costlyTexts({
      'a bulk row': text => {
        const rows = parseRows([filled(names, text)])
        const content = createContentHash([])
        content.add(rows)
        return [checkRows(rows, prices), content.hash()]
      },
      'order items of a row': text => {
        const item = { ...filled(['orderId', 'orderItemId', 'sku', 'quantity'], text) }
        const items = [item, { ...item, extra: { [text]: text } }]
        return [itemsProblem(items), parseItems(items), parseRows([{ ...row(), items }])]
      },
      'rows that may have a label': text =>
        readSeenKeys([{ row: 1, orderId: text, orderItemId: text }], 0),
      'the cells of the table': text => names.map(name => cellError(name, text, row())),
      'a SKU record': text => {
        const names = SKU_FIELDS.map(({ name }) => name)
        const list = new SkuList()
        list.add([filled(names, text)])
        return list.records()
      },
      'an address': text => parseAddress(filled(ADDRESS_FIELDS, text)),
    }),
  ).toEqual([])
})

/** Reads an export of one order with the text in one column: a list, which is taken apart. */
function listReader(format: SellerFormat, column: string, context: ImportContext) {
  const { header, records, text, fileName } = sellerFile(format, 1)
  const cellsWith = (cell: string) =>
    records.map(cells => cells.map((old, at) => (header[at] === column ? cell : old)))
  return (cell: string) => importFile(bytes(text(header, cellsWith(cell))), fileName, context)
}

test('the page reads every file in time linear to its length', () => {
  const SENDER = { name: 'Ana', street: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' }
  const header = TEMPLATE_HEADERS.join(',')
  const context = { senderAddress: SENDER, skus: [], maxRows: 50_000 }
  const amazon =
    'order-id\torder-item-id\trecipient-name\tship-address-1\tship-city\tship-state\tship-postal-code\tbuyer-phone-number'
  const sku = 'sku,maxQty,weight,length,width,height,description'
  expect(
    costlyTexts({
      decodeText: text => decodeText(bytes(text)),
      'a file of nothing else': text => importFile(bytes(text), 'a.csv', context),
      'a cell': text => importFile(bytes(`${header}\n${text},b,c\n`), 'a.csv', context),
      'a quoted cell': text => importFile(bytes(`${header}\n"${text}",b,c\n`), 'a.csv', context),
      'an order': text =>
        importFile(bytes(`${amazon}\n1\t2\t${text}\t${text}\n`), 'a.txt', context),
      'a phone': text =>
        importFile(bytes(`${amazon}\n1\t2\ta\tb\tc\tTX\t78701\t${text}\n`), 'a.txt', context),
      'a SKU file': text => parseSkuFile(bytes(`${sku}\n${text},1,1,1,1,1,${text}`), 'a.csv'),
      'a list of SKUs': listReader('etsy', 'SKU', context),
      'a list of products': listReader('bigcommerce', 'Product Details', context),
      'an item': listReader('customerOrderExport', 'order_item_1', context),
      'a copied range': text =>
        applyPaste([row()], { row: 0, column: 0 }, parseClipboard(`${text}\t${text}`), ['ToCity']),
    }),
  ).toEqual([])
})

test('each text of each call is checked in time linear to its length', () => {
  const readers = new Map<object, [name: string, read: (text: string) => unknown]>()
  for (const call of calls)
    for (const part of ['params', 'query', 'body'] as const) {
      const whole = call[part]
      for (const { path, schema } of whole ? textPlaces(whole) : [])
        // An id is the same everywhere.
        readers.set(schema, [
          `${call.method} ${call.path} ${part} ${path.join('.')}`,
          text => validateShape(whole!, valueWith(path, text), part),
        ])
    }
  expect(readers.size).toBeGreaterThan(40)
  expect(costlyTexts(Object.fromEntries(readers.values()))).toEqual([])
})

test('every repetition of a few characters is read in time linear to its length', () => {
  const piece = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '\u0301',
          '\u0316',
          '\uff9e',
          '\u034f',
          '\u200d',
          '\u00a0',
          '\u1161',
          '\ufdfa',
        ),
        fc.constantFrom(' ', '"', ',', '\t', '\n', '=', "'", 'x', 'ext', '@', '.', '0'),
        anyCharacter,
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map(parts => parts.join(''))
  const all: Readers = {
    ...TEXT_READERS,
    row: text => checkRows(parseRows([row(1, { ToStreet1: text, ToPhone: text })]), prices),
    file: text =>
      importFile(bytes(`${TEMPLATE_HEADERS.join(',')}\n${text}`), 'a.csv', {
        skus: [],
        maxRows: 50_000,
      }),
  }
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(all)), piece, (name, text) => {
      const repeat = (length: number) => text.repeat(Math.ceil(length / text.length))
      expect(costGrowth(quietly(all[name]!), repeat)).toBeLessThanOrEqual(MOST_GROWTH)
    }),
    { numRuns: 100 },
  )
})
