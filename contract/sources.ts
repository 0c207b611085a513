/** Where a file of bulk rows comes from. `mapped`: its columns were matched by the user. */
export const SOURCES = [
  'template',
  'amazon',
  'shopify',
  'etsy',
  'etsy-items',
  'ebay',
  'walmart',
  'tiktok',
  'woocommerce',
  'bigcommerce',
  'mapped',
] as const
export type SourceId = (typeof SOURCES)[number]

/** As shown. */
export const SOURCE_NAMES: Record<SourceId, string> = {
  template: 'Bulk template',
  amazon: 'Amazon',
  shopify: 'Shopify',
  etsy: 'Etsy',
  'etsy-items': 'Etsy',
  ebay: 'eBay',
  walmart: 'Walmart',
  tiktok: 'TikTok Shop',
  woocommerce: 'WooCommerce',
  bigcommerce: 'BigCommerce',
  mapped: 'Your columns',
}
