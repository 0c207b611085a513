import { expect, test } from 'vitest'
import { invoiceStatusFrom } from './btcpay.ts'

test('a message about an invoice is news, as an event or bare', () => {
  expect(invoiceStatusFrom({ data: { invoiceId: 'abc', status: 'Settled' } })).toEqual({
    invoiceId: 'abc',
    status: 'Settled',
  })
  expect(invoiceStatusFrom({ invoiceId: 'abc', status: 'Expired' })).toEqual({
    invoiceId: 'abc',
    status: 'Expired',
  })
})

test('everything else the dialog says is no news', () => {
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
