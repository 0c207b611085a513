import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ENDPOINTS } from '#contract/openapi/calls.ts'
import { isForKeys } from '#contract/openapi/document.ts'
import { isRefusalCode, REFUSALS } from '#contract/refusals.ts'
import { WEBHOOK_TYPES } from '#contract/webhooks.ts'
import { guides } from './content.ts'
import { fieldRows } from './fields.ts'
import { render } from './render.tsx'
import { sections } from './sections.ts'
import { curlSnippet, nodeSnippet, pythonSnippet } from './snippets.ts'
import { CALL_TITLES } from './texts.ts'

const { body } = render()

test('the page names every call for keys, with its path, scope and snippets', () => {
  for (const { endpoint } of ENDPOINTS.filter(isForKeys)) {
    const start = body.indexOf(`id="${endpoint.name}"`)
    expect(start, endpoint.name).toBeGreaterThan(0)
    const section = body.slice(start, body.indexOf('</article>', start))
    expect(section).toContain(endpoint.path.replace(/:(\w+)/g, '{$1}'))
    for (const language of ['curl', 'node', 'python'])
      expect(section).toContain(`data-language="${language}"`)
  }
  expect(body).not.toContain('id="deleteUser"')
})

test('the contents name each call in two or three words, no two alike beside one method', () => {
  const { tags } = sections()
  for (const { calls } of tags) {
    const names = calls.map(({ method, title }) => `${method} ${title}`)
    expect(new Set(names).size).toBe(calls.length)
    for (const { name, title } of calls) {
      expect(CALL_TITLES[name], name).toBe(title)
      expect(title).toMatch(/^\S+( \S+){1,2}$/)
      expect(title.length, title).toBeLessThanOrEqual(22)
    }
  }
  const documented = tags.flatMap(({ calls }) => calls.map(({ name }) => name))
  expect(Object.keys(CALL_TITLES).toSorted()).toEqual(documented.toSorted())
})

test('long answers are folded, with a button that counts their lines; requests are not', () => {
  const start = body.indexOf('id="listOrders"')
  const section = body.slice(start, body.indexOf('</article>', start))
  expect(section.match(/data-folded/g)).toHaveLength(1)
  expect(section).toContain('Show all 62 lines')
  const buy = body.slice(body.indexOf('id="placeOrder"'))
  expect(buy.slice(0, buy.indexOf('</article>'))).not.toContain('data-folded')
})

test('the page tells every code, every type of message and every guide', () => {
  for (const code of Object.keys(REFUSALS)) expect(body).toContain(`<code>${code}</code>`)
  for (const type of WEBHOOK_TYPES) expect(body).toContain(`<code>${type}</code>`)
  for (const { id } of guides) expect(body).toContain(`id="${id}"`)
})

test('every link of the page leads to a place on it', () => {
  const places = new Set(Array.from(body.matchAll(/ id="([^"]+)"/g), ([, id]) => id))
  const links = Array.from(body.matchAll(/href="#([^"]+)"/g), ([, id]) => id!)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(id => !places.has(id))).toEqual([])
})

test('the refusal that the errors guide shows has a code of the list', () => {
  const shown = guides.find(({ id }) => id === 'errors')!.blocks.find(block => 'code' in block)!
  expect(isRefusalCode((JSON.parse(shown.code) as { code: string }).code)).toBe(true)
})

test('the page stays small', () => {
  expect(gzipSync(body, { level: 9 }).length).toBeLessThan(52_000)
})

const order = {
  method: 'POST',
  path: '/api/things/{thingId}',
  isFile: false,
  example: { params: { thingId: '7' }, query: { ids: '1,2' }, body: { name: "Ana's", ok: true } },
}

test('a curl snippet quotes for a shell', () => {
  expect(curlSnippet(order)).toBe(
    String.raw`curl -X POST '{{url}}/api/things/7?ids=1,2' \
  -H "Authorization: Bearer $EVENPOST_KEY" \
  -H 'Content-Type: application/json' \
  -d '{
  "name": "Ana'\''s",
  "ok": true
}'`,
  )
})

test('Node and Python snippets are code of their language', () => {
  const node = nodeSnippet(order)
  expect(() => new Function(`return async () => {${node}}`)).not.toThrow()
  expect(pythonSnippet(order)).toContain('"ok": True')
  expect(pythonSnippet({ ...order, isFile: true })).toContain('file = response.content')
})

test('fields of objects without a name stand below their object', () => {
  const rows = fieldRows({
    type: 'object',
    required: ['data'],
    properties: {
      data: {
        type: 'object',
        description: 'The order',
        properties: { price: { type: 'number', minimum: 1, description: 'Dollars' } },
      },
      orders: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
    },
  })
  expect(rows).toEqual([
    expect.objectContaining({ name: 'data', isRequired: true, text: 'The order' }),
    expect.objectContaining({ name: 'data.price', type: 'number', limits: 'from 1' }),
    expect.objectContaining({ name: 'orders', type: 'list of object', object: 'Order' }),
  ])
})
