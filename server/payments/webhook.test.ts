import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasValidSignature, readDelivery, signatureOf } from './webhook.ts'

const body = Buffer.from(
  '{\n  "deliveryId": "Dlv1",\n  "type": "InvoiceSettled",\n  "storeId": "Store1",\n  "invoiceId": "Inv1"\n}',
)

test('the signature covers the bytes as sent, not their meaning', () => {
  // Made with another program: printf '%s' … | openssl dgst -sha256 -hmac Jefe
  const known = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(signatureOf('Jefe', Buffer.from('what do ya want for nothing?'))).toBe(known)
  const signature = signatureOf('s3cret', body)
  expect(hasValidSignature('s3cret', body, signature)).toBe(true)
  const others = [
    Buffer.from(JSON.stringify(JSON.parse(body.toString()))),
    Buffer.concat([body, Buffer.from('\n')]),
    body.subarray(1),
  ]
  expect(others.map(bytes => hasValidSignature('s3cret', bytes, signature))).toEqual([
    false,
    false,
    false,
  ])
})

test('a signature that is missing, cut, in upper case, without its prefix or of another secret is invalid', () => {
  const signature = signatureOf('s3cret', body)
  const wrong = [
    undefined,
    '',
    'sha256=',
    signature.slice(7),
    signature.slice(0, -1),
    `${signature}0`,
    signature.toUpperCase(),
    signatureOf('other', body),
    `${signature}, ${signature}`,
    'sha256=' + 'é'.repeat(32),
  ]
  expect(wrong.map(header => hasValidSignature('s3cret', body, header))).toEqual(
    wrong.map(() => false),
  )
})

test('only delivery, store, invoice and our reference are read from a webhook', () => {
  const told = (more: object): unknown =>
    readDelivery(Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...more })))
  const plain = {
    id: 'Dlv1',
    storeId: 'Store1',
    invoiceId: 'Inv1',
    reference: null,
  }
  expect(readDelivery(body)).toEqual(plain)
  expect(told({ amount: '500', metadata: { orderId: 'dep_1' } })).toEqual(plain)
  const orderId = '3b0f3a52-98f0-4a21-9f5a-0e86c3a50a11'
  expect(told({ metadata: { orderId } })).toEqual({ ...plain, reference: orderId })
  expect(told({ type: 7, metadata: 'x' })).toEqual(plain)
})

test('a webhook without an invoice, or malformed, is ignored', () => {
  const told = (more: object): unknown =>
    readDelivery(Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...more })))
  const nothings = [
    { invoiceId: undefined },
    { invoiceId: '' },
    { invoiceId: 'a\u0000b' },
    { invoiceId: { $ne: '' } },
    { deliveryId: 'x'.repeat(101) },
    { storeId: undefined },
  ]
  expect(nothings.map(told)).toEqual(nothings.map(() => null))
  for (const text of ['', 'null', '[]', '"x"', '{', '\u0000', '[[[[[['])
    expect(readDelivery(Buffer.from(text))).toBeNull()
})

type Vector = { name: string; rawBodyBase64: string; signature: string; valid: boolean }
const PUBLISHED = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  'shared',
  'contracts',
  'btcpay',
  'webhook-vectors.json',
)

test.runIf(existsSync(PUBLISHED))(
  'messages that were signed elsewhere are told from those that were tampered with',
  () => {
    const { secret, vectors } = JSON.parse(readFileSync(PUBLISHED, 'utf8')) as {
      secret: string
      vectors: Vector[]
    }
    expect(vectors.length).toBeGreaterThan(10)
    for (const { name, rawBodyBase64, signature, valid } of vectors) {
      const bytes = Buffer.from(rawBodyBase64, 'base64')
      expect([name, hasValidSignature(secret, bytes, signature)]).toEqual([name, valid])
      if (valid)
        expect(readDelivery(bytes), name).toMatchObject({
          storeId: 'Store1',
          invoiceId: expect.stringMatching(/^Inv/),
        })
    }
  },
)
