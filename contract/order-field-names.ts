import type { RowField } from './rows.ts'

export type FieldNames = Partial<Record<RowField, string>>

export const SENDER_FIELD_NAMES = {
  FromSenderName: 'sender_name',
  FromPhone: 'sender_phone',
  FromCompany: 'sender_company',
  FromStreet1: 'sender_address1',
  FromStreet2: 'sender_address2',
  FromCity: 'sender_city',
  FromStateProvince: 'sender_state_province',
  FromZipPostal: 'sender_zip_postal',
  FromCountry: 'sender_country',
} as const satisfies FieldNames

export const RECEIVER_FIELD_NAMES = {
  ToRecipientName: 'receiver_name',
  ToPhone: 'receiver_phone',
  ToCompany: 'receiver_company',
  ToStreet1: 'receiver_address1',
  ToStreet2: 'receiver_address2',
  ToCity: 'receiver_city',
  ToStateProvince: 'receiver_state_province',
  ToZipPostal: 'receiver_zip_postal',
  ToCountry: 'receiver_country',
} as const satisfies FieldNames

export const PACKAGE_FIELD_NAMES = {
  PackageLength: 'package_length',
  PackageWidth: 'package_width',
  PackageHeight: 'package_height',
  PackageWeight: 'package_weight',
  PackageDescription: 'package_description',
  PackageReference1: 'package_reference1',
  PackageReference2: 'package_reference2',
  orderItemId: 'order_item_id',
  quantity: 'quantity',
  skuNumber: 'sku_number',
} as const satisfies FieldNames
