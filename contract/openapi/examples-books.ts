import * as addresses from '#contract/addresses.ts'
import type { SavedAddress } from '#contract/addresses.ts'
import * as skus from '#contract/skus.ts'
import { exampleOf } from './example.ts'
import type { Examples } from './example.ts'
import { ME } from './examples-labels.ts'

const ADDRESS = {
  address_id: 'Warehouse',
  name: 'Mason Trading',
  street: '100 Congress Ave',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
}
const SAVED: SavedAddress = {
  ...ADDRESS,
  _id: '4',
  company: '',
  phone: '512-555-0148',
  street2: '',
  country: 'US',
  isDefault: true,
}
const SKU = { sku: 'LAMP-01', maxQty: 4, weight: 1.5, length: 9, width: 6, height: 3 }
const RECORD = { ...SKU, _id: '12', description: 'Desk lamp' }

export const BOOK_EXAMPLES: Examples = {
  ...exampleOf(addresses.listAddresses, { params: ME, response: { savedAddress: [SAVED] } }),
  ...exampleOf(addresses.saveAddress, {
    params: ME,
    body: { formData: ADDRESS },
    response: { ok: true, message: 'Address added successfully!', address: SAVED },
  }),
  ...exampleOf(addresses.updateAddress, {
    params: { ...ME, addressRecordId: '4' },
    body: { formData: { ...ADDRESS, phone: '512-555-0148' } },
    response: { ok: true, message: 'Address updated successfully!', address: SAVED },
  }),
  ...exampleOf(addresses.deleteAddress, {
    params: ME,
    body: { id: '4' },
    response: { ok: true, message: 'Address deleted successfully!', id: '4' },
  }),
  ...exampleOf(addresses.setDefaultAddress, {
    params: ME,
    body: { id: '4' },
    response: { ok: true, message: 'Default sender saved', id: '4' },
  }),
  ...exampleOf(skus.listSkus, { params: ME, response: { SkuData: [RECORD] } }),
  ...exampleOf(skus.addSkus, {
    params: ME,
    body: { parsedData: [{ ...SKU, description: 'Desk lamp' }] },
    response: { ok: true, message: 'New SKU Data Added', SkuData: [RECORD] },
  }),
  ...exampleOf(skus.updateSku, {
    params: { ...ME, skuId: '12' },
    body: { skuData: { ...SKU, maxQty: 6 } },
    response: { ok: true, message: 'Row updated successfully!', sku: { ...RECORD, maxQty: 6 } },
  }),
  ...exampleOf(skus.deleteSku, {
    params: { skuId: '12' },
    response: { ok: true, message: 'Row deleted successfully!', id: '12' },
  }),
}
