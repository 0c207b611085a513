import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrDrawing } from './qr-drawing.ts'

test('the drawing has every dark module of the QR code and no other', () => {
  const uri = 'otpauth://totp/Evenpost:dana%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Evenpost'
  const { size, path } = qrDrawing(uri)
  const drawn = Array.from({ length: size }, () => Array<boolean>(size).fill(false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    drawn[Number(y)]!.fill(true, Number(x), Number(x) + Number(width))
  expect(drawn).toEqual(encode(uri, { ecc: 'M', border: 2 }).data)
})
