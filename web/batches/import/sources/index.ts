import { amazon } from './amazon.ts'
import { bigcommerce } from './bigcommerce.ts'
import { ebay } from './ebay.ts'
import { etsy, etsyItems } from './etsy.ts'
import { shopify } from './shopify.ts'
import type { Source } from './source.ts'
import { template } from './template.ts'
import { tiktok } from './tiktok.ts'
import { walmart } from './walmart.ts'
import { advancedOrderExport, customerOrderExport } from './woocommerce.ts'

/** Every source that is read without a question. */
export const FILE_SOURCES: readonly Source[] = [
  template,
  amazon,
  shopify,
  etsy,
  etsyItems,
  ebay,
  walmart,
  tiktok,
  advancedOrderExport,
  customerOrderExport,
  bigcommerce,
]
