import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLongList, readLongBody } from './long-list.ts'

/** In chunks of a few bytes and pages of a few items, so that everything is torn apart. */
const read = (text: string, { chunk = 7, pageBytes = 10, most = 1e6 } = {}) => {
  const bytes = Buffer.from(text)
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, i) =>
    bytes.subarray(i * chunk, (i + 1) * chunk),
  )
  return readLongBody(Readable.from(chunks, { objectMode: false }), 'rows', {
    maxBytes: most,
    contentLength: Number.NaN,
    parse: JSON.parse,
    pageBytes,
  })
}

/** What a body says, however it was read; null where it is no JSON. */
async function meaning(text: string): Promise<unknown> {
  try {
    const { body, list } = await read(text)
    return list ? { ...(body as object), rows: [...list.pages()].flat() } : body
  } catch (error) {
    if (error instanceof SyntaxError || (error as { statusCode?: number }).statusCode === 400)
      return null
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
  ['{"ro\\u0077s":[1,2]}', 'a name in other letters'],
  ['{"rows":[1],"rows":[2]}', 'two lists'],
  ['{"rows":[1],"rows":null}', 'a list and nothing'],
  ['{"rows":[1],"ro\\u0077s":[]}', 'two lists in other letters'],
  ['{"rows":7,"rows":[1]}', 'a number and a list'],
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

test('any JSON, valid or broken, is read as if it were parsed whole', async () => {
  const rows = fc.oneof(fc.array(fc.jsonValue(), { maxLength: 12 }), fc.jsonValue())
  const body = fc.record({ a: fc.jsonValue(), rows, z: fc.jsonValue() }, { requiredKeys: [] })
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
        expect(await meaning(text)).toEqual(plainly(text))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('a body over the limit is refused at once, by its header or while it arrives', async () => {
  await expect(read('{"rows":[1,2,3]}', { most: 10 })).rejects.toMatchObject({ code: 'too_large' })
  const declared = readLongBody(Readable.from([]), 'rows', {
    maxBytes: 10,
    contentLength: 11,
    parse: JSON.parse,
  })
  await expect(declared).rejects.toMatchObject({ code: 'too_large' })
})

test('a body that is cut off is refused as a bad request, not logged as an error', async () => {
  const stream = new Readable({
    read() {
      this.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
    },
  })
  await expect(
    readLongBody(stream, 'rows', { maxBytes: 10, contentLength: 5, parse: JSON.parse }),
  ).rejects.toMatchObject({ code: 'bad_request' })
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
