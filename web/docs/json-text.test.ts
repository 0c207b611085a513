import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'

test('what fits on a line stays on it, and the text is the same JSON', () => {
  const answer = {
    data: { orderId: '81', prices: [6.5, 8.75], note: 1 },
    message: 'Label Created Successfully!',
    empty: { list: [], object: {} },
  }
  const text = jsonText(answer)
  expect(text).toBe(`{
  "data": { "orderId": "81", "prices": [6.5, 8.75], "note": 1 },
  "message": "Label Created Successfully!",
  "empty": { "list": [], "object": {} }
}`)
  expect(JSON.parse(text)).toEqual(answer)
})
