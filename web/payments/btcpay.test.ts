import { expect, test } from 'vitest'
import { invoiceStatusFrom } from './btcpay.ts'

test('an invoice message is recognized, as an event or bare', () => {
  expect(invoiceStatusFrom({ data: { invoiceId: 'abc', status: 'Settled' } })).toEqual({
    invoiceId: 'abc',
    status: 'Settled',
  })
  expect(invoiceStatusFrom({ invoiceId: 'abc', status: 'Expired' })).toEqual({
    invoiceId: 'abc',
    status: 'Expired',
  })
})

test('other messages of the dialog are ignored', () => {
  const data = { invoiceId: 7, status: 'Settled' }
  const others = [
    null,
    undefined,
    'close',
    { data: 'loaded' },
    { data: null },
    { data },
    { status: 'Settled' },
  ]
  expect(others.map(invoiceStatusFrom)).toEqual(others.map(() => null))
})
