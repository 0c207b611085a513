import { expect, test } from 'vitest'
import { sketchKind } from './sketch-kind.ts'
import type { PictureOrder } from './sketch-kind.ts'

const order = (some: Partial<PictureOrder>): PictureOrder => ({
  pdfName: 'SAMPLE-label-81.pdf',
  status: 'completed',
  void: null,
  sender: {},
  receiver: {},
  service_name: 'USPS Priority Mail',
  ...some,
})

test('only a label that can be printed has a picture', () => {
  expect(sketchKind(order({}))).toBeNull()
  expect(sketchKind(order({ void: 'refused' }))).toBeNull()
  expect(sketchKind(order({ void: 'requested', pdfName: null }))).toBe('void')
  expect(sketchKind(order({ void: 'voided', status: 'cancelled', pdfName: null }))).toBe('void')
  expect(sketchKind(order({ status: 'cancelled', pdfName: null }))).toBe('notBought')
  expect(sketchKind(order({ status: 'pending', pdfName: null }))).toBe('pending')
})
