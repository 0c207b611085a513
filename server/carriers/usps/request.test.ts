import { expect, test } from 'vitest'
import type { Shipment } from '#server/carriers/port.ts'
import { shipmentRefusal } from '#server/carriers/shipment-refusal.ts'
import { labelRequest, mailingDay, paymentRequest } from './request.ts'

const sender = {
  name: 'Mason Trading',
  company: '',
  phone: '(512) 555-0123 ext. 9',
  street1: '100 Congress Ave',
  street2: 'Suite 4',
  city: 'Austin',
  state: 'TX',
  zip: '78701-2744',
  country: 'US',
}
const shipment: Shipment = {
  serviceUid: 'usps:PRIORITY_MAIL',
  sender,
  receiver: {
    ...sender,
    name: 'Zoë',
    company: 'Łódź Café',
    phone: '',
    street1: '1 Peña Blvd',
    street2: '',
    city: 'Denver',
    state: 'CO',
    zip: '80249',
  },
  package: {
    length: 9,
    width: 6,
    height: 3,
    weight: 2.3,
    description: 'Mug',
    quantity: '1',
    sku: 'MUG',
  },
}
const parcel = (changes: Partial<Shipment['package']>, serviceUid = 'usps:GROUND_ADVANTAGE') =>
  labelRequest(
    { ...shipment, serviceUid, package: { ...shipment.package, ...changes } },
    '2026-11-21',
  ).packageDescription

test('a shipment becomes exactly this request', () => {
  expect(labelRequest(shipment, '2026-11-21')).toEqual({
    imageInfo: { imageType: 'PDF', labelType: '4X6LABEL', receiptOption: 'NONE' },
    fromAddress: {
      firstName: 'MASON',
      lastName: 'TRADING',
      streetAddress: '100 CONGRESS AVE',
      secondaryAddress: 'SUITE 4',
      city: 'AUSTIN',
      state: 'TX',
      ZIPCode: '78701',
      ZIPPlus4: '2744',
      phone: '5125550123',
    },
    toAddress: {
      firm: 'ZOE, LODZ CAFE',
      streetAddress: '1 PENA BLVD',
      city: 'DENVER',
      state: 'CO',
      ZIPCode: '80249',
    },
    packageDescription: {
      mailClass: 'PRIORITY_MAIL',
      rateIndicator: 'SP',
      weightUOM: 'lb',
      weight: 2.3,
      dimensionsUOM: 'in',
      length: 9,
      width: 6,
      height: 3,
      processingCategory: 'MACHINABLE',
      mailingDate: '2026-11-21',
      destinationEntryFacilityType: 'NONE',
    },
  })
})

test('express mail, large parcels and oversized ones have price tables of their own', () => {
  expect(parcel({}, 'usps:PRIORITY_MAIL_EXPRESS')).toMatchObject({
    mailClass: 'PRIORITY_MAIL_EXPRESS',
    rateIndicator: 'PA',
  })
  expect(parcel({ length: 13, width: 12, height: 12 })).toMatchObject({
    mailClass: 'USPS_GROUND_ADVANTAGE',
    rateIndicator: 'DR',
  })
  expect(parcel({ length: 12, width: 12, height: 12 }).rateIndicator).toBe('SP')
  // 60 long plus a girth of 2 x (15 + 10): 110 inches.
  expect(parcel({ width: 60, length: 15, height: 10 }).rateIndicator).toBe('OS')
})

test('a parcel that sorting machines cannot take is declared as such', () => {
  const kind = (changes: Partial<Shipment['package']>): string => parcel(changes).processingCategory
  expect([
    kind({ height: 0.2 }),
    kind({ length: 23 }),
    kind({ weight: 26 }),
    kind({ weight: 0.3 }),
  ]).toEqual(Array(4).fill('NONSTANDARD'))
  expect([kind({ weight: 25 }), kind({ length: 3, height: 9 })]).toEqual([
    'MACHINABLE',
    'MACHINABLE',
  ])
})

test('an unknown service and a foreign address are refused before any request', () => {
  expect(shipmentRefusal(shipment)).toBeNull()
  expect(shipmentRefusal({ ...shipment, serviceUid: 'usps:PIGEON' })).toMatchObject({
    kind: 'permanent',
    code: 'SERVICE_UNKNOWN',
  })
  expect(
    shipmentRefusal({ ...shipment, receiver: { ...shipment.receiver, country: 'Canada' } }),
  ).toMatchObject({
    kind: 'permanent',
    message: 'This service is for addresses in the United States, and Canada is abroad',
  })
})

test('a parcel larger than the service takes is refused before any request', () => {
  const large = { ...shipment, package: { ...shipment.package, length: 90, width: 15, height: 15 } }
  expect(shipmentRefusal(large)).toMatchObject({
    kind: 'permanent',
    message: expect.stringMatching(/^Length plus girth is 150 in; USPS .* takes at most 1\d\d in$/),
  })
})

test('the mailing date is today’s in US Eastern time', () => {
  expect(mailingDay(new Date('2026-11-22T04:59:00Z'))).toBe('2026-11-21')
  expect(mailingDay(new Date('2026-11-22T05:01:00Z'))).toBe('2026-11-22')
})

test('the operator’s account pays and owns the labels', () => {
  expect(
    paymentRequest({ crid: '1', mid: '2', manifestMid: '3', type: 'EPS', number: '4' }),
  ).toEqual({
    roles: [
      {
        roleName: 'PAYER',
        CRID: '1',
        MID: '2',
        manifestMID: '3',
        accountType: 'EPS',
        accountNumber: '4',
      },
      { roleName: 'LABEL_OWNER', CRID: '1', MID: '2', manifestMID: '3' },
    ],
  })
})

test('a signature is an extra service; Priority Mail Express has one of its own', () => {
  const extras = (serviceUid: string, signature: Shipment['signature']) =>
    labelRequest({ ...shipment, serviceUid, signature }, '2026-11-21').packageDescription
  expect(extras('usps:PRIORITY_MAIL', 'signature')).toMatchObject({ extraServices: [921] })
  expect(extras('usps:GROUND_ADVANTAGE', 'adult')).toMatchObject({ extraServices: [922] })
  expect(extras('usps:PRIORITY_MAIL_EXPRESS', 'signature')).toMatchObject({ extraServices: [981] })
  expect(extras('usps:PRIORITY_MAIL_EXPRESS', 'adult')).toMatchObject({ extraServices: [922] })
  expect(extras('usps:PRIORITY_MAIL', 'none')).not.toHaveProperty('extraServices')
})

test('Saturday delivery is refused before the carrier is asked: the postal service has no option for it', () => {
  expect(shipmentRefusal(shipment)).toBeNull()
  expect(shipmentRefusal({ ...shipment, saturday: true })).toMatchObject({
    kind: 'permanent',
    message: 'The postal service has no option for Saturday delivery',
  })
})
