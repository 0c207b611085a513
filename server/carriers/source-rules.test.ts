import { expect, test } from 'vitest'
import { saleScope, sellerNow, sourcesOfService } from './source-rules.ts'
import type { ServiceSource } from './source-rules.ts'

const CONNECTED = ['main', 'backup', 'third']
const stored: ServiceSource[] = [
  { serviceUid: 'ground', rank: 2, account: 'backup' },
  { serviceUid: 'ground', rank: 1, account: 'main' },
  { serviceUid: 'express', rank: 1, account: 'backup' },
  { serviceUid: 'priority', rank: 1, account: 'removed' },
  { serviceUid: 'priority', rank: 2, account: 'third' },
]
const none = () => false
const mainIsDown = (account: string) => account === 'main'

test('a service without stored sources is sold by the first account, and has no second source', () => {
  expect(sourcesOfService(stored, CONNECTED, 'other')).toEqual({ first: 'main', second: null })
  expect(sourcesOfService([], CONNECTED, 'ground')).toEqual({ first: 'main', second: null })
})

test('an account that is not connected any more leaves its services to the next source', () => {
  expect(sourcesOfService(stored, CONNECTED, 'priority')).toEqual({ first: 'third', second: null })
  expect(sourcesOfService(stored, ['main'], 'express')).toEqual({ first: 'main', second: null })
})

test('the second source sells while the first is down and it is not down itself', () => {
  const ground = sourcesOfService(stored, CONNECTED, 'ground')
  expect(sellerNow(ground, none)).toBe('main')
  expect(sellerNow(ground, mainIsDown)).toBe('backup')
  expect(sellerNow(ground, () => true)).toBe('main')
  expect(sellerNow({ first: 'main', second: null }, mainIsDown)).toBe('main')
})

test('the first account sells every service but those of others, and goes on with its own while it is down', () => {
  const scope = { all: true, listed: ['express', 'priority'] }
  expect(saleScope(stored, CONNECTED, 'main', none)).toEqual(scope)
  expect(saleScope(stored, CONNECTED, 'main', mainIsDown)).toEqual(scope)
})

test('another account sells the services that are its own, and those of one that is down', () => {
  expect(saleScope(stored, CONNECTED, 'backup', none)).toEqual({ all: false, listed: ['express'] })
  expect(saleScope(stored, CONNECTED, 'backup', mainIsDown)).toEqual({
    all: false,
    listed: ['ground', 'express'],
  })
  expect(saleScope(stored, CONNECTED, 'third', mainIsDown)).toEqual({
    all: false,
    listed: ['priority'],
  })
})
