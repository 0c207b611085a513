/** Estimates as ShipEngine shows them: a flat rate, a box of the sender's own, and one with a problem. */
export function estimates(carrierId: string, prices: Record<string, number>): object[] {
  const money = (amount: number) => ({ currency: 'usd', amount })
  const rate = (service: string, type: string, dollars: number, problems: string[] = []) => ({
    rate_type: 'shipment',
    carrier_id: carrierId,
    shipping_amount: money(dollars),
    insurance_amount: money(0),
    confirmation_amount: money(0),
    other_amount: money(0.25),
    zone: 4,
    package_type: type,
    delivery_days: 2,
    guaranteed_service: false,
    estimated_delivery_date: null,
    carrier_delivery_days: '2',
    ship_date: null,
    negotiated_rate: false,
    service_type: service,
    service_code: service,
    trackable: true,
    carrier_code: 'stamps_com',
    carrier_nickname: 'test',
    carrier_friendly_name: 'Stamps.com',
    validation_status: problems.length > 0 ? 'invalid' : 'valid',
    warning_messages: [],
    error_messages: problems,
  })
  return [
    rate('usps_ground_advantage', 'package', prices.usps_ground_advantage! / 100),
    rate('usps_priority_mail', 'flat_rate_envelope', 1),
    rate('usps_priority_mail', 'package', prices.usps_priority_mail! / 100),
    rate('usps_priority_mail_express', 'package', 3, ['Too heavy for this service']),
  ]
}
