import { availableServices, userServices } from '#contract/catalogue.ts'
import * as downloads from '#contract/downloads.ts'
import { labelDetails } from '#contract/order-details.ts'
import * as orders from '#contract/orders.ts'
import type { Order } from '#contract/orders.ts'
import * as priceOptions from '#contract/price-options.ts'
import type { ServiceOption } from '#contract/price-options.ts'
import * as scanForms from '#contract/scan-forms.ts'
import type { ScanForm } from '#contract/scan-forms.ts'
import { voidOrder, voidOrders } from '#contract/voids.ts'
import { exampleOf } from './example.ts'
import type { Examples } from './example.ts'

/** The user of all examples. */
export const ME = { userId: '17' }

export const SENDER = {
  sender_name: 'Mason Trading',
  sender_company: '',
  sender_phone: '512-555-0148',
  sender_address1: '100 Congress Ave',
  sender_address2: '',
  sender_city: 'Austin',
  sender_state_province: 'TX',
  sender_zip_postal: '78701',
  sender_country: 'US',
}
export const RECEIVER = {
  receiver_name: 'June Rivera',
  receiver_company: '',
  receiver_phone: '559-555-0110',
  receiver_address1: '2210 E Olive Ave',
  receiver_address2: '',
  receiver_city: 'Fresno',
  receiver_state_province: 'CA',
  receiver_zip_postal: '93701',
  receiver_country: 'US',
  receiver_email: 'june@example.com',
}
const PARCEL = { package_length: 9, package_width: 6, package_height: 3, package_weight: 1.5 }
const TRACKING_NUMBER = '9434636106000000000001'
const SERVICE_OPTION: ServiceOption = {
  uid: 'usps:GROUND_ADVANTAGE',
  name: 'USPS Ground Advantage',
  category: 'USPS',
  price: 6.5,
  maxWeight: 70,
  deliveryDays: { from: 2, to: 5 },
  reason: null,
  signature: { price: 3.7, reason: null },
  adult: { price: 9.35, reason: null },
  saturday: {
    price: null,
    reason: 'The carrier has no Saturday delivery with USPS Ground Advantage',
  },
}
const FILE_NAME = 'label-81-5f2c9a7d41be4c0f9a3e7d6b1c8f2a05.pdf'

export const ORDER: Order = {
  _id: '81',
  user_id: '17',
  service_name: 'USPS Ground Advantage',
  courier: 'usps',
  manifested: false,
  sender: SENDER,
  receiver: RECEIVER,
  package: {
    ...PARCEL,
    package_weight_unit: 'LB',
    package_description: 'Desk lamp',
    package_reference1: 1,
    package_reference2: 'LAMP-01',
  },
  tracking_number: TRACKING_NUMBER,
  pdfName: FILE_NAME,
  createdAt: '2026-11-20T15:04:05.000Z',
  status: 'completed',
  batch_id: null,
  row: null,
  price: 6.5,
  reason: null,
  void: null,
  voidSubmittedAt: null,
  tracking: {
    status: 'in_transit',
    detail: 'Arrived at USPS facility',
    at: '2026-11-21T08:12:00.000Z',
  },
  trackingPage: '/track/Zk3v0Qy7xV1mT9cRb2LwHg',
}

const VOIDED: Order = {
  ...ORDER,
  status: 'cancelled',
  void: 'voided',
  tracking: null,
  trackingPage: null,
}
const SERVICE = {
  uid: 'usps:GROUND_ADVANTAGE',
  name: 'USPS Ground Advantage',
  category: 'USPS',
  maxWeight: 70,
}

const files: Examples = {
  ...exampleOf(downloads.downloadFile, {
    params: { kind: 'v2', name: FILE_NAME },
    query: { format: 'zpl' },
  }),
  ...exampleOf(downloads.downloadLabels, { query: { ids: '81,79,12', format: 'letter' } }),
  ...exampleOf(downloads.downloadPackingSlips, { params: { orderId: '7' } }),
  ...exampleOf(downloads.downloadPickList, { params: { orderId: '7' } }),
  ...exampleOf(downloads.downloadSelectedPackingSlips, { query: { ids: '81,79' } }),
  ...exampleOf(downloads.downloadSelectedPickList, { query: { ids: '81,79' } }),
  ...exampleOf(downloads.downloadTestPage, { query: { format: 'zpl' } }),
  ...exampleOf(downloads.downloadFailedRows, {
    params: { orderId: '7' },
    query: { format: 'xlsx' },
  }),
}

const MAILED_BY = {
  name: 'Mason Trading',
  company: '',
  street1: '100 Congress Ave',
  street2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
}
const SCAN_FORM: ScanForm = {
  id: '5',
  state: 'made',
  day: '2026-11-21',
  sender: MAILED_BY,
  services: [{ name: 'USPS Ground Advantage', labels: 2 }],
  labels: 2,
  voided: 0,
  files: ['/api/orders/file/scan-form/5'],
  message: null,
  createdAt: '2026-11-21T16:40:00.000Z',
  madeAt: '2026-11-21T16:40:01.000Z',
}

const forms: Examples = {
  ...exampleOf(scanForms.scanFormCandidates, {
    params: ME,
    query: { labels: 1 },
    response: {
      day: '2026-11-21',
      today: '2026-11-21',
      offered: true,
      maxLabels: 40_000,
      groups: [
        {
          sender: MAILED_BY,
          services: [{ name: 'USPS Ground Advantage', labels: 2, ids: ['81', '82'] }],
          ids: ['81', '82'],
          labels: [
            {
              id: '81',
              trackingNumber: '9400100000000000000814',
              service: 'USPS Ground Advantage',
              receiver: 'June Rivera',
              city: 'Fresno',
              state: 'CA',
            },
          ],
        },
      ],
      more: false,
    },
  }),
  ...exampleOf(scanForms.createScanForms, {
    params: ME,
    body: { orderIds: ['81', '82'] },
    response: { scanForms: [SCAN_FORM] },
  }),
  ...exampleOf(scanForms.listScanForms, {
    params: ME,
    query: { limit: 20 },
    response: { scanForms: [SCAN_FORM], next: null },
  }),
  ...exampleOf(scanForms.downloadScanForm, { params: { scanFormId: '5' } }),
}

export const LABEL_EXAMPLES: Examples = {
  ...files,
  ...forms,
  ...exampleOf(orders.placeOrder, {
    body: {
      user_id: '17',
      service_name: 'usps:GROUND_ADVANTAGE',
      sender: SENDER,
      receiver: RECEIVER,
      package: { ...PARCEL, package_description: 'Desk lamp' },
    },
    response: {
      data: { pdfName: FILE_NAME, orderId: '81', trackingNumber: TRACKING_NUMBER, price: 6.5 },
      message: 'Label Created Successfully!',
    },
  }),
  ...exampleOf(orders.quotePrice, {
    body: {
      userId: '17',
      shipments: [
        { service_name: 'usps:GROUND_ADVANTAGE', package: { package_weight: 1.5 } },
        { service_name: 'usps:PRIORITY_MAIL', package: { package_weight: 3 } },
      ],
      each: true,
    },
    response: { totalPrice: 15.25, prices: [{ price: 6.5 }, { price: 8.75 }] },
  }),
  ...exampleOf(priceOptions.priceOptions, {
    params: ME,
    query: { weight: '1.5', fromZip: '78701', toZip: '93701' },
    response: { options: [SERVICE_OPTION] },
  }),
  ...exampleOf(priceOptions.priceParcelOptions, {
    params: ME,
    body: { weight: 1.5, length: 9, width: 6, height: 3, fromZip: '78701', toZip: '93701' },
    response: { options: [SERVICE_OPTION] },
  }),
  ...exampleOf(priceOptions.priceTotals, {
    params: ME,
    body: { parcels: [{ weight: 1.5, count: 3 }, { weight: 71 }] },
    response: {
      services: [
        {
          uid: 'usps:GROUND_ADVANTAGE',
          name: 'USPS Ground Advantage',
          deliveryDays: { from: 2, to: 5 },
          total: 19.5,
          labels: 3,
          reason: { code: 'weight_above_limit', text: 'Weight must be at most 70 lb' },
        },
      ],
      cheapest: { total: 19.5, labels: 3, choices: [0, null] },
    },
  }),
  ...exampleOf(orders.listOrders, {
    params: ME,
    query: { limit: 50, status: 'completed' },
    response: { orders: [ORDER], totalCount: 1, more: false },
  }),
  ...exampleOf(orders.recentOrders, {
    params: ME,
    query: { limit: 10 },
    response: { recentOrders: [ORDER] },
  }),
  ...exampleOf(orders.totalOrders, { params: ME, response: { totalOrders: 1284 } }),
  ...exampleOf(orders.orderTrend, {
    params: ME,
    query: { timezone: 'America/New_York' },
    response: { days: [{ day: '2026-11-20', orders: 42 }] },
  }),
  ...exampleOf(orders.exportOrders, {
    params: ME,
    query: { from: '2026-11-01T00:00:00Z', format: 'csv' },
  }),
  ...exampleOf(labelDetails, {
    params: { orderId: '81' },
    response: {
      order: ORDER,
      serviceUid: SERVICE.uid,
      orderRef: null,
      replacedBy: null,
      purchasedAt: '2026-11-20T15:04:06.000Z',
      voidedAt: null,
      apiKey: 'Warehouse',
      voidableUntil: '2026-12-20T15:04:06.000Z',
      timeline: [
        { at: '2026-11-20T15:04:05.000Z', kind: 'ordered' },
        { at: '2026-11-20T15:04:05.000Z', kind: 'held', amount: 6.5 },
        { at: '2026-11-20T15:04:06.000Z', kind: 'bought', amount: 6.5 },
      ],
    },
  }),
  ...exampleOf(voidOrder, {
    params: { orderId: '81' },
    response: {
      ok: true,
      message: 'The label was voided: $6.50 went back to the balance',
      order: VOIDED,
    },
  }),
  ...exampleOf(voidOrders, {
    body: { orderIds: ['81', '79'] },
    response: {
      voided: 1,
      requested: 0,
      refused: 1,
      results: [
        { orderId: '81', void: 'voided', message: 'This label is voided already' },
        { orderId: '79', void: 'refused', message: 'There is no such order' },
      ],
    },
  }),
  ...exampleOf(availableServices, {
    params: ME,
    response: [{ ...SERVICE, deliveryDays: { from: 2, to: 5 } }],
  }),
  ...exampleOf(userServices, {
    params: ME,
    response: [
      {
        ...SERVICE,
        _id: '3',
        status: true,
        enabled: true,
        prices: [
          { fromWeight: 1, toWeight: 20, price: 6.5 },
          { fromWeight: 21, toWeight: 70, price: 9.5 },
        ],
        table: null,
        rule: null,
      },
    ],
  }),
}
