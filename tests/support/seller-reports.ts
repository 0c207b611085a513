/** Amazon’s report and the bulk template. */
import { TEMPLATE_HEADERS } from '#contract/rows.ts'
import { HEADERS } from './seller-headers.ts'
import { fullName, itemRow, outcome, phoneOf, receiver } from './seller-lines.ts'
import type { Format } from './seller-lines.ts'

export const amazon: Format = {
  fileName: '12345678901.txt',
  delimiter: '\t',
  columns: HEADERS.amazon,
  lines: order =>
    order.items.map(({ sku, name, quantity }, index) => {
      const item = String(15_899_383_000_000 + order.n * 10 + index)
      return {
        cells: {
          'order-id': `112-${1_000_000 + order.n}-0555322`,
          'order-item-id': item,
          'buyer-phone-number': order.phone && `${order.phone} ext. 98965`,
          sku,
          'product-name': `"${name}`,
          'quantity-purchased': quantity,
          'quantity-to-ship': order.fate === 'shipped' ? 0 : quantity,
          'recipient-name': fullName(order),
          'ship-address-1': order.street1,
          'ship-address-2': order.street2,
          'ship-city': order.city,
          'ship-state': order.state.toLowerCase(),
          'ship-postal-code': order.zip,
          'ship-country': 'US',
        },
        ...outcome(
          order,
          { shipped: 'nothing left to ship' },
          {
            ...itemRow(order, `112-${1_000_000 + order.n}-0555322`, index),
            ...phoneOf(order),
            orderItemId: item,
          },
        ),
      }
    }),
}

export const template: Format = {
  fileName: 'bulk-template.csv',
  columns: TEMPLATE_HEADERS.join(','),
  lines: order => [
    {
      cells: {
        'FROM NAME': 'Wanda Osei',
        'FROM ADDRESS 1': '1 Mill Rd',
        'FROM CITY': 'Roseburg',
        'FROM STATE': 'OR',
        'FROM ZIP': '97470',
        'TO NAME': fullName(order),
        'TO COMPANY': order.company,
        'TO PHONE': order.phone,
        'TO ADDRESS 1': order.street1,
        'TO ADDRESS 2': order.street2,
        'TO CITY': order.city,
        'TO STATE': order.stateName,
        'TO ZIP': order.zip,
        LENGTH: 9,
        WIDTH: 6,
        HEIGHT: 3,
        WEIGHT: 1.5,
      },
      row: {
        ...receiver(order),
        ...phoneOf(order),
        ToCompany: order.company,
        PackageWeight: '1.5',
      },
    },
  ],
}
