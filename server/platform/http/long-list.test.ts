import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBodyBudget, longLimits } from './body-budget.ts'
import { toLongList, readLongBody } from './long-list.ts'
import { Refusal } from './refusal.ts'

const budget = createBodyBudget(longLimits())
const openReceipt = () => budget.open({ userId: 1, address: '192.0.2.1' })
const RULES = {
  name: 'rows',
  maxItems: 1_000,
  tooManyItems: () => new Refusal('too_many_rows', 'at most 1,000 rows'),
  beforeList: async () => {},
}

/** In chunks of a few bytes and pages of a few items, so that everything is torn apart. */
const read = (text: string, { chunk = 7, pageBytes = 10, most = 1e6 } = {}) => {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  )
  return readLongBody(Readable.from(chunks, { objectMode: false }), RULES, {
    maxBytes: most,
    contentLength: Number.NaN,
    parse: JSON.parse,
    receipt: openReceipt(),
    pageBytes,
  })
}

/** What a body says, however it was read; null where it is no JSON. */
async function meaning(text: string, size = {}): Promise<unknown> {
  try {
    const { body, list } = await read(text, size)
    return list ? { ...(body as object), rows: [...list.pages()].flat() } : body
  } catch (error) {
    if (error instanceof SyntaxError || (error as { statusCode?: number }).statusCode === 400)
      return null
    if (error instanceof Refusal) return error.message
    throw error
  }
}
const plainly = (text: string): unknown => {
  try {
    return text === '' ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return null
  }
}
const isJson = (text: string): boolean => text.trim() === 'null' || (plainly(text) ?? null) !== null

test('the list of a body can be read in pages repeatedly, and the rest of the body as usual', async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ n, text: `"],[{ Zürich \\ ${n}` }))
  const { body, list } = await read(JSON.stringify({ id: '7', rows, more: ['x'] }, null, 1))
  expect(body).toEqual({ id: '7', rows: [], more: ['x'] })
  expect(list!.length).toBe(20)
  expect([...list!.pages()].length).toBeGreaterThan(5)
  for (const _ of [1, 2]) expect([...list!.pages()].flat()).toEqual(rows)
})

test.each([
  ['', 'nothing'],
  ['[1,2]', 'no object'],
  ['{"rows":7}', 'no list'],
  ['{"other":{"rows":[1]}}', 'a list of something else'],
  ['\ufeff{"rows":[1]}', 'a mark before it'],
  ['["rows",[1]]', 'a list of lists'],
  ['{"a":"\\"rows\\":[1]"}', 'a text that reads like a list'],
  ['\n{ "rows" : [ ] }\t', 'an empty list'],
  ['{"rows":[[1,[2]],{"rows":[3]}],"b":1}', 'lists in lists'],
  ['{"rows":[1,2}', 'no end'],
  ['{"rows":[1,2]', 'no end of it all'],
  ['{"rows":[1,2}}', 'a list that ends like an object'],
  ['{"rows":[{"a":1}},"b":2}', 'a brace too many in the list'],
  ['{"rows":[1,,2]}', 'nothing between commas'],
  ['{"rows":[1234567890,]}', 'a comma too many'],
  ['{"rows":[,1]}', 'a comma first'],
  ['{"rows":[1234567890,,1234567890]}', 'an empty page'],
  ['{"rows":[{]}]}', 'crossed brackets'],
  ['{"rows":["a]}', 'an open text'],
  ['{"rows":[1] "b":2}', 'a comma too few'],
  ['{"rows":[1]]}', 'a bracket too many'],
  ['{"rows"[1]}', 'no colon'],
])('%s means what it says (%s)', async text => {
  expect(await meaning(text)).toEqual(plainly(text))
})

test.each([
  ['{"ro\\u0077s":[1,2]}', 'Write the name rows without escapes such as \\u0041'],
  ['{"rows":[1],"rows":[2]}', 'rows occurs twice. Send it once'],
  ['{"rows":[1],"rows":null}', 'rows occurs twice. Send it once'],
  ['{"rows":[1],"ro\\u0077s":[]}', 'Write the name rows without escapes such as \\u0041'],
  ['{"rows":7,"rows":[1]}', 'rows occurs twice. Send it once'],
  [
    `{"rows":[1,${'['.repeat(9)}${']'.repeat(9)}]}`,
    'Entry 2 of rows is nested more than 8 levels deep',
  ],
  [`{"id":${'['.repeat(9)}${']'.repeat(9)}}`, 'The body is nested more than 8 levels deep'],
  [
    `{"rows":[{"a":"${'x'.repeat(40_000)}"}]}`,
    'Entry 1 of rows has more than 32 KB, most of it in a',
  ],
  [`{"rows":[${'{},'.repeat(5_000)}{}]}`, 'at most 1,000 rows'],
  [
    `{"id":[${'{},'.repeat(100_000)}{}]}`,
    'The body has more than 250,000 values. Send them in parts',
  ],
])('a body is refused while it is scanned, and its memory is free: %#', async (text, reason) => {
  const before = budget.levels()
  expect(await meaning(text, { chunk: 1_000 })).toBe(reason)
  expect(budget.levels()).toEqual(before)
})

test('a list that is refused by the fields before it is not read', async () => {
  let received = 0
  const endless = Readable.from(
    (function* () {
      yield Buffer.from('{"id":"7","rows":[')
      for (; received < 500; received++) yield Buffer.from('{},')
    })(),
    { objectMode: false, highWaterMark: 1 },
  )
  const seen: unknown[] = []
  const reading = readLongBody(
    endless,
    {
      ...RULES,
      beforeList: async fields => {
        seen.push({ ...fields }, received)
        throw new Refusal('batch_unknown', 'no such order')
      },
    },
    { maxBytes: 1e6, contentLength: Number.NaN, parse: JSON.parse, receipt: openReceipt() },
  )
  await expect(reading).rejects.toMatchObject({ code: 'batch_unknown' })
  expect(seen).toEqual([{ id: '7', rows: [] }, expect.toSatisfy(count => (count as number) < 10)])
})

test('any JSON, valid or broken, is read as if it were parsed whole', async () => {
  const value = fc.jsonValue({ maxDepth: 5 })
  const rows = fc.oneof(fc.array(value, { maxLength: 12 }), value)
  const body = fc.record({ a: value, rows, z: value }, { requiredKeys: [] })
  const slip = fc.constantFrom(...'[]{},:"\\ 1\n', 'null', '')
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.boolean(),
      fc.option(fc.tuple(fc.nat(), fc.nat(2), slip)),
      async (value, airy, broken) => {
        let text = JSON.stringify(value, null, airy ? 1 : 0)
        if (broken) {
          const at = broken[0] % text.length
          text = text.slice(0, at) + broken[2] + text.slice(at + broken[1])
        }
        // Broken JSON may look too deep before it looks broken.
        if (isJson(text)) expect(await meaning(text)).toEqual(JSON.parse(text))
        else expect(await meaning(text)).toBeOneOf([null, undefined, expect.any(String)])
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a body over the limit is refused at once, by its header or while it arrives', async () => {
  await expect(read('{"rows":[1,2,3]}', { most: 10 })).rejects.toMatchObject({
    code: 'body_too_large',
  })
  const declared = readLongBody(Readable.from([]), RULES, {
    maxBytes: 10,
    contentLength: 11,
    parse: JSON.parse,
    receipt: openReceipt(),
  })
  await expect(declared).rejects.toMatchObject({ code: 'body_too_large' })
})

test('a body that is cut off is refused as a bad request, not logged as an error', async () => {
  const stream = new Readable({
    read() {
      this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    },
  })
  await expect(
    readLongBody(stream, RULES, {
      maxBytes: 10,
      contentLength: 5,
      parse: JSON.parse,
      receipt: openReceipt(),
    }),
  ).rejects.toMatchObject({ code: 'body_incomplete' })
})

test('a released list is not taken for an empty one', async () => {
  const { list, release } = await read('{"rows":[1,2]}')
  release()
  expect(() => [...list!.pages()]).toThrow('released')
})

test('a list in memory is one page', () => {
  expect([...toLongList([1, 2]).pages()]).toEqual([[1, 2]])
  expect([...toLongList([]).pages()]).toEqual([])
})
