import { expect, test } from 'vitest'
import { loggablePath } from './loggable-path.ts'

test('a log has the path of a request without its query', () => {
  expect(loggablePath('/api/orders/:userId', '/api/orders/7?search=Ana')).toBe('/api/orders/7')
  expect(loggablePath(undefined, '/nowhere?token=abc')).toBe('/nowhere')
})

test('a log has no link that opens without a sign-in', () => {
  expect(loggablePath('/api/track/:link', '/api/track/abc')).toBe('/api/track/:link')
  expect(loggablePath('/v2/labels/:name', '/v2/labels/17.sig.png')).toBe('/v2/labels/:name')
})
