import { expect, test } from 'vitest'
import { routableUrl } from './browser-requests.ts'

const routed = (url: string, accept = 'text/html,application/xhtml+xml,*/*;q=0.8') =>
  routableUrl({ url, headers: { accept } })

test('a browser’s path that cannot be decoded is taken as it is written, its query untouched', () => {
  expect(routed('/track/%E0%A4%A?from=%20')).toBe('/track/%25E0%25A4%25A?from=%20')
  expect(routed('/%')).toBe('/%25')
})

test('other paths, and those of programs and of the API, stay', () => {
  for (const url of ['/track/a%20b', '/main/orders?search=%', '/api/orders/%E0%A4%A', '/v2/%'])
    expect(routed(url)).toBe(url)
  expect(routed('/%', 'application/json')).toBe('/%')
  expect(routableUrl({ url: '/%', headers: {} })).toBe('/%')
})
