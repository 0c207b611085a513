import type { CarrierAccount } from '#contract/carriers.ts'
import { numberText } from '#contract/format.ts'

const CARRIERS: Record<string, string> = {
  sandbox: 'Sandbox',
  easypost: 'EasyPost',
  usps: 'USPS',
  shipengine: 'ShipEngine',
}

export const texts = {
  title: (count: number) => (count > 1 ? 'Carrier accounts' : 'Carrier account'),
  loading: 'Loading the carrier accounts…',
  failed: 'We couldn’t load the carrier accounts.',
  carrier: (key: string) => CARRIERS[key] ?? key,
  named: (name: string, carrier: string) => `${name} (${carrier})`,
  states: {
    working: 'Working',
    problem: 'Paused',
    losses: 'Paused',
    silent: 'No answer',
  } satisfies Record<CarrierAccount['state'], string>,
  modes: { sandbox: 'Test money', test: 'Test key: no postage', live: null } satisfies Record<
    CarrierAccount['mode'],
    string | null
  >,
  account: 'Account',
  balance: 'Balance',
  lasts: 'Lasts',
  calls: 'Calls per minute',
  perMinute: (calls: number) => `Up to ${numberText(calls)}`,
  noLimit: 'No limit set',
  unknown: 'Unknown',
  notReported: 'Not reported by the carrier',
  unavailable: 'We couldn’t reach the carrier',
  noPace: 'No labels in the last 14 days',
  problem: (reason: string) => `The carrier says: ${reason}`,
  losses: (reason: string) => reason,
  silent: 'Purchases get no answer. One label at a time checks whether that has changed.',
  since: 'since',
  nextTry: 'Next automatic retry:',
  tryNow: 'Try now',
  resume: 'Resume purchases',
  tryNowOf: (name: string) => `Try now: ${name}`,
  resumeOf: (name: string) => `Resume purchases of ${name}`,
  tryFailed: 'We couldn’t resume purchases.',
  only: 'All services are sold through this account. To add another, set CARRIER_ACCOUNTS in the configuration.',
  sources: {
    title: 'Accounts by service',
    about:
      'New labels go to the first account. The second takes over while the first is paused or does not answer, '
      + 'but never for a label whose last request got no answer.',
    of: (service: string) => `Carrier accounts of ${service}`,
    first: 'First',
    second: 'Second',
    none: 'None',
    save: 'Save',
    discard: 'Discard',
    saved: 'Carrier accounts saved',
    notSaved: 'We couldn’t save these accounts',
    noChange: 'Nothing has changed',
  },
}
