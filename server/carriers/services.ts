import type { CarrierOptions, CarrierService } from './port.ts'

/**
 * The postal services we sell; adapters map their names to these uids. Limits in pounds are the
 * postal service's (70 lb each); intermediaries report limits in mixed units.
 */
export const POSTAL_SERVICES = [
  { uid: 'usps:GROUND_ADVANTAGE', name: 'USPS Ground Advantage', category: 'USPS', maxWeight: 70 },
  { uid: 'usps:PRIORITY_MAIL', name: 'USPS Priority Mail', category: 'USPS', maxWeight: 70 },
  {
    uid: 'usps:PRIORITY_MAIL_EXPRESS',
    name: 'USPS Priority Mail Express',
    category: 'USPS',
    maxWeight: 70,
  },
] as const satisfies CarrierService[]

export type ServiceUid = (typeof POSTAL_SERVICES)[number]['uid']

export const findPostalService = (uid: string): (typeof POSTAL_SERVICES)[number] | undefined =>
  POSTAL_SERVICES.find(service => service.uid === uid)

/** Business days from the postal service's published delivery standards. */
const DELIVERY_DAYS: Record<ServiceUid, { from: number; to: number }> = {
  'usps:GROUND_ADVANTAGE': { from: 2, to: 5 },
  'usps:PRIORITY_MAIL': { from: 2, to: 3 },
  'usps:PRIORITY_MAIL_EXPRESS': { from: 1, to: 2 },
}

export const deliveryDaysOf = (uid: string): { from: number; to: number } | undefined =>
  findPostalService(uid) && DELIVERY_DAYS[uid as ServiceUid]

/**
 * Signature Confirmation and Adult Signature Required are sold with each of the services. The postal
 * service delivers on Saturdays and has no option for it (USPS Labels API 3, extra services).
 */
export const postalOptions = (uid: string): CarrierOptions => {
  const isKnown = findPostalService(uid) !== undefined
  return { signature: isKnown, adult: isKnown, saturday: false }
}
