/** Exports of WooCommerce and BigCommerce. */
import { HEADERS } from './seller-headers.ts'
import { itemRow, orderRow, outcome, phoneOf, pieces } from './seller-lines.ts'
import type { Format } from './seller-lines.ts'
import type { Fate } from './seller-orders.ts'

const WOOCOMMERCE_STATES: Partial<Record<Fate, string>> = {
  cancelled: 'cancelled',
  shipped: 'completed',
  refunded: 'refunded',
  unpaid: 'on-hold',
}
const WOOCOMMERCE_REASONS = {
  cancelled: 'cancelled',
  shipped: 'already shipped',
  refunded: 'refunded',
}

export const advancedOrderExport: Format = {
  fileName: 'orders-2026-09-14.csv',
  columns: HEADERS.advancedOrderExport,
  lines: order =>
    order.items.map(({ sku, name, quantity }, index) => ({
      cells: {
        'Order Number': 5000 + order.n,
        'Order Status': WOOCOMMERCE_STATES[order.fate] ?? 'Processing',
        'First Name (Billing)': 'Billing',
        'Postcode (Billing)': '10001',
        'Phone (Billing)': order.phone,
        'First Name (Shipping)': order.first,
        'Last Name (Shipping)': order.last,
        'Address 1&2 (Shipping)': order.street1,
        'City (Shipping)': order.city,
        'State Code (Shipping)': order.state,
        'Postcode (Shipping)': order.zip,
        'Country Code (Shipping)': 'US',
        SKU: sku,
        'Item #': index + 1,
        'Item Name': name,
        'Quantity (- Refund)': quantity,
      },
      ...outcome(
        order,
        { ...WOOCOMMERCE_REASONS, unpaid: 'status on-hold' },
        {
          ...itemRow(order, String(5000 + order.n), index),
          ...phoneOf(order),
          ToStreet2: '',
        },
      ),
    })),
}

export const customerOrderExport: Format = {
  fileName: 'customer-order-csv-export.csv',
  delimiter: ';',
  columns: HEADERS.customerOrderExport,
  lines: order => [
    {
      cells: {
        order_id: 900 + order.n,
        order_number_formatted: `WC-${900 + order.n}`,
        order_number: 900 + order.n,
        status: WOOCOMMERCE_STATES[order.fate] ?? 'processing',
        billing_first_name: 'Billing',
        billing_phone: order.phone,
        shipping_first_name: order.first,
        shipping_last_name: order.last,
        shipping_company: order.company,
        shipping_address_1: order.street1,
        shipping_address_2: order.street2,
        shipping_postcode: order.zip,
        shipping_city: order.city,
        shipping_state: order.state,
        shipping_country: 'US',
        ...Object.fromEntries(
          order.items.map(({ sku, name, quantity }, index) => [
            `order_item_${index + 1}`,
            `name:${name}|product_id:7|sku:${sku}|quantity:${quantity}|total:9.00`,
          ]),
        ),
      },
      ...outcome(
        order,
        { ...WOOCOMMERCE_REASONS, unpaid: 'status on-hold' },
        { ...orderRow(order, `WC-${900 + order.n}`), ...phoneOf(order), ToCompany: order.company },
      ),
    },
  ],
}

const BIGCOMMERCE_STATES: Partial<Record<Fate, string>> = {
  cancelled: 'Cancelled',
  shipped: 'Shipped',
  refunded: 'Refunded',
  pickup: 'Awaiting Pickup',
  unpaid: 'Pending',
}
export const bigcommerce: Format = {
  fileName: 'orders-2026-09-14.csv',
  columns: HEADERS.bigcommerce,
  lines: order => [
    {
      cells: {
        'Order ID': 700 + order.n,
        'Customer Name': 'Billing Person',
        'Order Status': BIGCOMMERCE_STATES[order.fate] ?? 'Awaiting Fulfillment',
        'Total Quantity': pieces(order),
        'Shipping First Name': order.first,
        'Shipping Last Name': order.last,
        'Shipping Company': order.company,
        'Shipping Street 1': order.street1,
        'Shipping Street 2': order.street2,
        'Shipping City': order.city,
        'Shipping State': order.stateName,
        'Shipping Zip Code': order.zip,
        'Shipping Country': 'United States',
        'Shipping Phone': order.phone,
        'Product Details': order.items
          .map(
            ({ sku, name, quantity }) =>
              `Product ID: 7, Product Qty: ${quantity}, Product SKU: ${sku}, Product Name: ${name}, Product Weight: 1.0000`,
          )
          .join('|'),
      },
      ...outcome(
        order,
        {
          cancelled: 'cancelled',
          shipped: 'already shipped',
          refunded: 'refunded',
          pickup: 'local pickup',
          unpaid: 'status Pending',
        },
        { ...orderRow(order, String(700 + order.n)), ...phoneOf(order), ToCompany: order.company },
      ),
    },
  ],
}
