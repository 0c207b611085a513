/** Fills the package from a saved SKU as soon as the SKU has been entered, so that it is seen before a label is bought. */
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { MEASURES } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { SkuRecord } from '#contract/skus.ts'
import { tidyText } from '#contract/text.ts'
import { enterSku, filledBefore, indexBySku, SKU_VALUES } from '#web/skus/fill.ts'
import type { SkuFill } from '#web/skus/fill.ts'
import { announce } from '#web/ui/announce.tsx'
import { useAfterPress } from '#web/ui/use-after-press.ts'
import { clampWeight, limitFill } from './form.ts'
import type { LabelForm } from './form.ts'
import { texts } from './texts.ts'

type SkuFilling = {
  /** Says what was filled in from the SKU in the form. */
  hint: string | undefined
  /** The SKU's field has got the focus. */
  begin: () => void
  /** The SKU has been entered: typed to its end, or chosen. True if that has changed the package. */
  enter: (typed: string) => boolean
  /** The SKU's field has lost the focus: its SKU has been entered. */
  leave: () => void
}

/** `skus`: undefined while they are loading; a SKU that is entered meanwhile fills when they are there. `maxWeight` in pounds. */
export function useSkuFill(
  form: LabelForm,
  skus: readonly SkuRecord[] | undefined,
  maxWeight: number,
  change: (fields: Partial<LabelForm>) => void,
): SkuFilling {
  const [lastFill, setFill] = useState(() => filledBefore(form))
  const fill = limitFill(lastFill, form, maxWeight)
  // Stays limited with a service that takes more: the form keeps that weight too.
  if (fill !== lastFill) setFill(fill)
  const before = useRef(fill.sku)
  const isWaiting = useRef(false)
  const hintOf = ({ sku, values }: SkuFill, row: BulkRow): string =>
    MEASURES.every(name => row[name] === values[name])
      ? texts.skuFilled(sku)
      : texts.skuFilledPartly(sku)

  const enter = (typed: string): boolean => {
    const sku = before.current
    isWaiting.current = !skus && tidyText(typed) !== sku
    if (!skus) return false
    const known = indexBySku(skus)
    before.current = tidyText(typed)
    // An earlier label has brought its SKU with its package, which another known SKU replaces.
    const brought: SkuFill = { sku, values: { ...form }, isFromBefore: true }
    const last = sku === fill.sku ? fill : brought
    const { row, fill: entered } = enterSku({ ...form, skuNumber: typed }, last, known)
    if (entered === last) return false
    const shown = { ...row, PackageWeight: clampWeight(row.PackageWeight, maxWeight) }
    const next = limitFill(entered, shown, maxWeight)
    setFill(next)
    const changed = SKU_VALUES.filter(name => row[name] !== form[name])
    if (changed.length === 0) return false
    if (Object.keys(next.values).length > 0) announce(hintOf(next, shown))
    change(Object.fromEntries(changed.map(name => [name, row[name]])))
    return true
  }
  const enterWaiting = useEffectEvent(() => {
    if (isWaiting.current) enter(form.skuNumber)
  })
  useEffect(() => {
    if (skus) enterWaiting()
  }, [skus])
  const leave = useAfterPress(() => {
    enter(form.skuNumber)
  })
  const begin = () => {
    // Changed again before the list was there: it still replaces the SKU before.
    if (!isWaiting.current) before.current = tidyText(form.skuNumber)
    isWaiting.current = false
  }
  const isShown =
    !fill.isFromBefore
    && fill.sku === tidyText(form.skuNumber)
    && SKU_VALUES.some(name => fill.values[name])
  return {
    hint: isShown ? hintOf(fill, form) : undefined,
    begin,
    enter,
    leave,
  }
}
