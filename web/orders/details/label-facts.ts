/** Details of a label as text. */
import { kindsOf, OPTION_NAMES } from '#contract/label-options.ts'
import type { LabelOptions } from '#contract/label-options.ts'
import { texts } from './texts.ts'

type FactName = keyof typeof texts.names
type FactValue = string | number | null | undefined

const hasValue = (value: FactValue): value is string | number =>
  value !== null && value !== undefined && String(value).trim() !== ''

/** Of every address that the product ships from or to: only another one is worth a line. */
const HOME_COUNTRY = 'US'

/** An address as printed; empty parts and the country of all addresses are left out. */
export function addressLines(side: Record<string, string>, name: 'sender' | 'receiver'): string[] {
  const part = (field: string): string => side[`${name}_${field}`]?.trim() ?? ''
  const cityLine = [
    part('city'),
    [part('state_province'), part('zip_postal')].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', ')
  return [
    part('name'),
    part('company'),
    part('address1'),
    part('address2'),
    cityLine,
    part('country') === HOME_COUNTRY ? '' : part('country'),
    part('phone'),
  ].filter(Boolean)
}

/** 'Signature on delivery, Saturday delivery'; '' for a label without options. */
export const optionNames = ({ signature = 'none', saturday = false }: Partial<LabelOptions>) =>
  kindsOf({ signature, saturday })
    .map(kind => OPTION_NAMES[kind])
    .join(', ')

/** The known facts of the package. */
export function parcelFacts(
  parcel: Record<string, FactValue>,
): { name: FactName; value: string }[] {
  const text = (field: string): string =>
    hasValue(parcel[field]) ? String(parcel[field]).trim() : ''
  const sides = ['package_length', 'package_width', 'package_height'].map(text)
  const weight = text('package_weight')
  const facts: { name: FactName; value: string }[] = [
    { name: 'weight', value: weight && texts.pounds(weight) },
    { name: 'size', value: sides.every(Boolean) ? texts.inches(sides) : '' },
    { name: 'quantity', value: text('package_reference1') },
    { name: 'sku', value: text('package_reference2') },
    { name: 'item', value: text('order_item_id') },
    { name: 'contents', value: text('package_description') },
  ]
  return facts.filter(({ value }) => value !== '')
}
