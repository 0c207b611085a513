/** Exports of marketplaces, and of Shopify. */
import { HEADERS } from './seller-headers.ts'
import { fullName, itemRow, orderRow, outcome, phoneOf, pieces } from './seller-lines.ts'
import type { Cells, FileLine, Format } from './seller-lines.ts'
import type { Fate, SellerOrder } from './seller-orders.ts'

export const shopify: Format = {
  fileName: 'orders_export.csv',
  columns: HEADERS.shopify,
  lines: order =>
    order.items.map(({ sku, name, quantity }, index) => ({
      cells: {
        Name: `#${1001 + order.n}`,
        'Lineitem quantity': quantity,
        'Lineitem name': name,
        'Lineitem sku': sku,
        'Lineitem requires shipping': 'true',
        'Lineitem fulfillment status': 'pending',
        Vendor: 'Osei Goods',
        ...(index === 0 && shopifyOrder(order)),
      },
      ...outcome(
        order,
        {
          cancelled: 'cancelled',
          refunded: 'refunded',
          shipped: 'already fulfilled',
          pickup: 'no shipping address, as for local pickup',
        },
        {
          ...itemRow(order, `#${1001 + order.n}`, index),
          ...phoneOf(order),
          ToCompany: order.company,
        },
      ),
    })),
  last: [
    {
      cells: {
        Name: '#9',
        'Financial Status': 'paid',
        'Lineitem quantity': 1,
        'Lineitem name': 'Gift card',
        'Lineitem requires shipping': 'false',
        'Shipping Name': 'Ana Lee',
        'Shipping Address1': '9 Oak St',
      },
      reason: 'gift cards and items that require no shipping',
      order: '#9',
    },
  ],
}
const shopifyOrder = (order: SellerOrder): Cells => ({
  'Financial Status': order.fate === 'refunded' ? 'refunded' : 'paid',
  'Fulfillment Status': order.fate === 'shipped' ? 'fulfilled' : 'unfulfilled',
  'Cancelled at': order.fate === 'cancelled' ? '2026-09-14 10:00:00 -0400' : '',
  'Billing Name': 'Billing Person',
  'Billing Zip': "'10001",
  Notes: 'Please wrap it.\nThank you',
  ...(order.fate !== 'pickup' && {
    'Shipping Name': fullName(order),
    'Shipping Street': order.street1,
    'Shipping Address1': order.street1,
    'Shipping Address2': order.street2,
    'Shipping Company': order.company,
    'Shipping City': order.city,
    'Shipping Zip': `'${order.zip}`,
    'Shipping Province': order.state,
    'Shipping Country': 'US',
    'Shipping Phone': order.phone && `'${order.phone}`,
  }),
})

export const etsy: Format = {
  fileName: 'EtsySoldOrders2026-9.csv',
  columns: HEADERS.etsy,
  lines: order => [
    {
      cells: {
        'Order ID': 3_100_000_000 + order.n,
        'Full Name': fullName(order),
        'First Name': order.first,
        'Last Name': order.last,
        'Number of Items': pieces(order),
        'Date Shipped': order.fate === 'shipped' ? '09/14/26' : '',
        'Street 1': order.street1,
        'Street 2': order.street2,
        'Ship City': order.city,
        'Ship State': order.state,
        'Ship Zipcode': order.zip,
        'Ship Country': 'United States',
        SKU: order.items.map(({ sku }) => sku).join(','),
      },
      ...outcome(
        order,
        { shipped: 'already shipped' },
        {
          ...orderRow(order, String(3_100_000_000 + order.n)),
          PackageDescription:
            order.items.length === 1 ? '' : order.items.map(({ sku }) => sku).join(', '),
        },
      ),
    },
  ],
}

export const etsyItems: Format = {
  fileName: 'EtsySoldOrderItems2026-9.csv',
  columns: HEADERS.etsyItems,
  lines: order =>
    order.items.map(({ sku, name, quantity }, index) => ({
      cells: {
        'Item Name': name,
        Quantity: quantity,
        'Transaction ID': 4_200_000_000 + order.n * 10 + index,
        'Date Shipped': order.fate === 'shipped' ? '09/14/2026' : '',
        'Ship Name': fullName(order),
        'Ship Address1': order.street1,
        'Ship Address2': order.street2,
        'Ship City': order.city,
        'Ship State': order.state,
        'Ship Zipcode': order.zip,
        'Ship Country': 'United States',
        'Order ID': 3_100_000_000 + order.n,
        SKU: sku,
      },
      ...outcome(
        order,
        { shipped: 'already shipped' },
        {
          ...itemRow(order, String(3_100_000_000 + order.n), index),
          orderItemId: String(4_200_000_000 + order.n * 10 + index),
        },
      ),
    })),
}

export const ebay: Format = {
  fileName: 'eBay-OrdersReport.csv',
  above: '\r\n',
  columns: HEADERS.ebay,
  lines(order) {
    const id = `27-${String(10_000 + order.n)}-55555`
    const reasons = { shipped: 'already shipped', unpaid: 'not paid' }
    const address = {
      'Ship To Name': fullName(order),
      'Ship To Phone': order.phone,
      'Ship To Address 1': order.street1,
      'Ship To Address 2': order.street2,
      'Ship To City': order.city,
      'Ship To State': order.state,
      'Ship To Zip': order.zip,
      'Ship To Country': 'United States',
      'Paid On Date': order.fate === 'unpaid' ? '' : 'Oct-05-26',
      'Shipped On Date': order.fate === 'shipped' ? 'Oct-06-26' : '',
    }
    const shared = { 'Order Number': id, 'Buyer Name': 'Billing Person', 'Buyer Zip': '10001' }
    const isCombined = order.items.length > 1
    const items = order.items.map(({ sku, name, quantity }, index): FileLine => {
      const item = String(10_038_000_000_000 + order.n * 10 + index)
      return {
        cells: {
          ...shared,
          ...(!isCombined && address),
          'Item Number': 110_000_000_000 + index,
          'Item Title': name,
          'Custom Label': sku,
          Quantity: quantity,
          'Transaction ID': item,
        },
        ...outcome(order, reasons, {
          ...itemRow(order, id, index),
          ...phoneOf(order),
          orderItemId: item,
        }),
      }
    })
    const parent = { ...shared, ...address, Quantity: pieces(order), 'Total Price': '$9.00' }
    const reason = 'totals above the items of an order'
    return isCombined ? [{ cells: parent, reason, order: id }, ...items] : items
  },
  last: [
    { cells: { 'Sales Record Number': '200 record(s) downloaded' }, reason: 'without an order' },
  ],
}

export const walmart: Format = {
  fileName: 'PO_Data.csv',
  columns: HEADERS.walmart,
  lines: order =>
    order.items.map(({ sku, name, quantity }, index) => ({
      cells: {
        'PO#': 108_000_000_000_000 + order.n,
        'Order#': 200_000_000_000_000 + order.n,
        'Customer Name': fullName(order),
        'Customer Shipping Address': `${order.street1}, ${order.city}`,
        'Customer Phone Number': order.phone,
        'Ship to Address 1': order.street1,
        'Ship to Address 2': order.street2,
        City: order.city,
        State: order.state,
        Zip: order.zip,
        'Line#': index + 1,
        Status:
          order.fate === 'cancelled'
            ? 'Cancelled'
            : order.fate === 'shipped'
              ? 'Shipped'
              : 'Acknowledged',
        'Item Description': name,
        Qty: quantity,
        SKU: sku,
        'Fulfillment Entity': 'Seller Fulfilled',
      },
      ...outcome(
        order,
        { cancelled: 'cancelled', shipped: 'already shipped' },
        {
          ...itemRow(order, String(108_000_000_000_000 + order.n), index),
          ...phoneOf(order),
          orderItemId: String(index + 1),
        },
      ),
    })),
}

export const tiktok: Format = {
  fileName: 'To Ship order-2026-09-14.csv',
  above: '\ufeff',
  columns: HEADERS.tiktok,
  first: [
    {
      cells: {
        'Order ID': 'Platform unique order ID.',
        'Order Status': 'Order status.',
        Quantity: 'SKU sold quantity in the order.',
        Recipient: 'Recipient name.',
        Zipcode: 'Zip code.',
      },
      reason: 'explanations of the columns',
    },
  ],
  lines: order =>
    order.items.map(({ sku, name, quantity }, index) => {
      const id = `57738471928374${String(6100 + order.n)}`
      return {
        cells: {
          'Order ID': `${id}\t`,
          'Order Status': order.fate === 'cancelled' ? 'Canceled' : 'To ship',
          'Order Substatus': TIKTOK_STATES[order.fate] ?? 'Awaiting shipment',
          'SKU ID': `17293847561029384${index}\t`,
          'Seller SKU': sku,
          'Product Name': name,
          Quantity: quantity,
          'Fulfillment Type': 'Fulfillment by seller',
          Recipient: fullName(order),
          'Phone #': order.phone && `(+1)503555${String(1000 + order.n)}`,
          Country: 'United States',
          State: order.stateName,
          City: order.city,
          Zipcode: order.zip,
          'Address Line 1': order.street1,
          'Address Line 2': order.street2,
          'Weight(kg)': '0.5',
        },
        ...outcome(
          order,
          { cancelled: 'cancelled', shipped: 'already shipped', unpaid: 'status On hold' },
          {
            ...itemRow(order, id, index),
            ToPhone: order.phone && `(+1)503555${String(1000 + order.n)}`,
            PackageWeight: '1.1023',
          },
        ),
      }
    }),
}
const TIKTOK_STATES: Partial<Record<Fate, string>> = {
  cancelled: 'Canceled',
  shipped: 'In transit',
  unpaid: 'On hold',
}
