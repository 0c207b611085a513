/** Fields of price tables, their previews and changes, and of the zone matrix. */
import { MAX_REASON } from '#contract/price-tables.ts'
import { count, requiredText } from './note-parts.ts'
import type { Notes } from './notes.ts'

const FIGURES: Notes = Object.fromEntries(
  ['services', 'customers', 'totals'].flatMap(list => [
    [`PricePreview.${list}.labels`, count('Labels that are in the sums')],
    [`PricePreview.${list}.before`, 'Dollars by the prices of now'],
    [`PricePreview.${list}.after`, 'Dollars by the new prices'],
    [`PricePreview.${list}.unsold`, count('Labels that the new prices sell no more')],
  ]),
)

const ROWS: Notes = Object.fromEntries(
  ['faults', 'warnings'].flatMap(list => [
    [`PricePreview.${list}.row`, count('Row of the file from 1; 0 without a file')],
    [`PricePreview.${list}.column`, 'Column; null for the whole row'],
    [`PricePreview.${list}.text`, 'What is wrong, and what to do'],
  ]),
)

const RULES: Notes = Object.fromEntries(
  ['ConfiguredService', 'PriceVersion', 'PriceChange'].flatMap(owner => [
    [`${owner}.rule.percent`, 'Added to the cost, in percent with at most two decimals'],
    [`${owner}.rule.fixed`, 'Dollars added after the percent'],
    [`${owner}.rule.floor`, 'Dollars of the lowest price'],
    [`${owner}.rule.rounding`, 'Up to the cent, to 5 cents, or to a price that ends in 9 cents'],
  ]),
)

export const PRICE_NOTES: Notes = {
  ...FIGURES,
  ...RULES,
  'serviceCosts.version': count('Version of the costs'),
  'serviceCosts.prices': 'Dollars that the carrier charges, by whole pounds',
  'serviceCosts.table': 'The same by ounces, zones or size; null where the whole pounds are all',
  'serviceCosts.reason': 'Why they were set',
  'serviceCosts.setBy': 'Who set them',
  'serviceCosts.setBy.name': 'Name of the administrator',
  'serviceCosts.createdAt': 'When they were set',
  'PricePreview.costs': 'New costs; empty for prices',
  'PricePreview.costs.name': 'Name of the service',
  'PricePreview.costs.before': 'Costs of now as text; none without any',
  'PricePreview.costs.after': 'New costs as text',
  'PricePreview.kind': 'Prices, or costs with the prices that follow them',
  'PricePreview.services.owner': 'Whose own service it is; null for the services previewed',
  ...ROWS,
  'ConfiguredService.table': 'Prices by ounces, zones or size; null where the price ranges are all',
  'ConfiguredService.rule':
    'That prices follow from costs; null where they are set by hand or from a file',
  'PriceVersion.rule': 'That the prices follow; null where they were set by hand or from a file',
  'PriceVersion.table': 'Prices by ounces, zones or size; null where the price ranges are all',
  'PriceVersion.reason': 'Why, of prices from a file; null for others',
  'PriceTableWire.steps': 'Weights, lightest first',
  'PriceTableWire.steps.toOz': 'Heaviest weight of the step in ounces',
  'PriceTableWire.steps.prices':
    'Dollars: at 0 for any zone, at 1 to 9 for the zones; null for none',
  'PriceTableWire.dimDivisor': 'Cubic inches per pound of dimensional weight; null without one',
  'PriceChange.state': 'State of the change',
  'PriceChange.services': 'Keys of the services',
  'PriceChange.kind': 'Whether it sets prices, or costs with the prices that follow them',
  'PriceChange.rule': 'The rule that it sets; null without one',
  'PriceChange.fileName': 'Name of the file; null for a rule and for earlier prices',
  'PriceChange.reason': 'Why',
  'PriceChange.startsAt': 'From when on the prices count',
  'PriceChange.setBy': 'Who set them',
  'PriceChange.setBy.name': 'Name of the administrator',
  'PriceChange.createdAt': 'When they were confirmed',
  'PriceChange.endedAt': 'When they were applied, canceled or refused; null while scheduled',
  'PriceChange.canceledBy': 'Who canceled them; null for no one',
  'PriceChange.canceledBy.name': 'Name of the administrator',
  'PriceChange.failure': 'Why they were not applied; null otherwise',
  'PricePreview.faults': 'What is wrong with the file; with one, nothing can be confirmed',
  'PricePreview.warnings': 'What is allowed and seldom meant',
  'PricePreview.services': 'The services that the new prices name',
  'PricePreview.services.name': 'Name of the service',
  'PricePreview.services.changes': 'Whether its prices differ from those of now',
  'PricePreview.services.pricesBefore': 'The prices of now as text',
  'PricePreview.services.pricesAfter': 'The new prices as text',
  'PricePreview.services.needsZones': 'Whether the new prices depend on the zone',
  'PricePreview.services.marginBefore': 'Dollars by the prices of now; null without a known cost',
  'PricePreview.services.marginAfter': 'Dollars by the new prices; null without a known cost',
  'PricePreview.services.steps': 'The weights of the new prices with their labels',
  'PricePreview.services.steps.fromOz': 'Ounces, exclusive',
  'PricePreview.services.steps.toOz': 'Ounces, inclusive',
  'PricePreview.services.steps.labels': count('Labels'),
  'PricePreview.services.steps.after': 'Dollars by the new prices',
  'PricePreview.services.steps.margin': 'Dollars; null without a known cost',
  'PricePreview.customers': 'Who pays what, those with the largest difference first',
  'PricePreview.omittedCustomers': count('Customers that are not listed'),
  'PricePreview.totals': 'Of all labels',
  'PricePreview.isSample': 'Whether older labels of the last 30 days were left out',
  'PricePreview.usersWithOwnPrices': count('Users with services of their own'),
  'PricePreview.hasZoneMatrix': 'Whether a zone matrix is in use',
  'PricePreview.seen': 'To be sent with the confirmation',
  'previewPrices.source': 'Where the new prices come from',
  'changePrices.source': 'Where the new prices come from',
  'changePrices.seen': '`seen` of the preview',
  'changePrices.requestId': 'A new UUID for each confirmation',
  'changePrices.reason': requiredText('Why, for the record', MAX_REASON),
  'changePrices.startsAt': 'From when on the prices count; without it at once',
  'ZoneMatrix.pairs': count('Pairs with a zone'),
  'ZoneMatrix.reason': 'Why, or where it is from',
  'ZoneMatrix.setBy': 'Who uploaded it',
  'ZoneMatrix.setBy.name': 'Name of the administrator',
  'ZoneMatrix.createdAt': 'When it was uploaded',
  'zoneMatrix.matrix': 'The matrix in use; null without one',
  'setZoneMatrix.matrix': 'The matrix in use',
  'setZoneMatrix.origins': 'Digits of 1,000 destinations, by origin',
  'setZoneMatrix.dropsPairs':
    'Whether pairs may lose the zone that they have now; refused otherwise',
  'setZoneMatrix.reason': requiredText('Why, for the record', MAX_REASON),
}
