import { expect, test } from 'vitest'
import { INVOICE_STATUSES } from '#contract/payments.ts'
import { depositView } from './deposit-view.ts'

const PAYMENT = { hasPayment: true, hasForm: false }
const FORM = { hasPayment: false, hasForm: true }
const BOTH = { hasPayment: true, hasForm: true }
const invoice = { id: '7', status: 'New' } as const

test('without an invoice there is the form', () => {
  expect(depositView(undefined, null)).toEqual(FORM)
})

test('an invoice that waits for its payment is in the place of the form', () => {
  expect(depositView(invoice, null)).toEqual(PAYMENT)
})

test('the form comes back when another amount is wanted, and goes when a new invoice is made', () => {
  const inUse = { since: 'invoice', id: '7' } as const
  expect(depositView(invoice, inUse)).toEqual(FORM)
  expect(depositView({ ...invoice, id: '8' }, inUse)).toEqual(PAYMENT)
})

test('an invoice that is found late does not replace a form that is being filled in', () => {
  expect(depositView(invoice, { since: 'before' })).toEqual(FORM)
})

test('in every other status there are the steps and a button to pay with, also when the form was in use', () => {
  for (const status of INVOICE_STATUSES.filter(one => one !== 'New'))
    for (const inUse of [null, { since: 'invoice', id: '7' }, { since: 'before' }] as const)
      expect(depositView({ id: '7', status }, inUse), status).toEqual(BOTH)
})
