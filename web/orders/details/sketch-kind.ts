import type { Order } from '#contract/orders.ts'
import type { texts } from './texts.ts'

export type PictureOrder = Pick<
  Order,
  'pdfName' | 'status' | 'void' | 'sender' | 'receiver' | 'service_name'
>
export type SketchKind = keyof typeof texts.picture.sketch

/** Why there is no picture; null if the label can be printed. */
export function sketchKind({ pdfName, status, void: voidStatus }: PictureOrder): SketchKind | null {
  if (voidStatus === 'requested' || voidStatus === 'voided') return 'void'
  if (status === 'cancelled') return 'notBought'
  if (status === 'pending') return 'pending'
  return pdfName === null ? 'missing' : null
}
