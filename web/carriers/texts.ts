/** Texts of the carrier accounts. */
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
  calls: 'Calls a minute',
  perMinute: (calls: number) => `at most ${numberText(calls)}`,
  noLimit: 'no limit of yours',
  unknown: 'Not known',
  notReported: 'The carrier does not report it',
  unavailable: 'The carrier could not be reached',
  noPace: 'No labels in the last 14 days',
  problem: (reason: string) => `The carrier says: ${reason}`,
  losses: (reason: string) => reason,
  silent: 'It does not answer purchases. One label at a time tries it again.',
  since: 'since',
  nextTry: 'Next try by itself:',
  tryNow: 'Try now',
  resume: 'Resume purchases',
  tryNowOf: (name: string) => `Try now: ${name}`,
  resumeOf: (name: string) => `Resume purchases of ${name}`,
  tryFailed: 'Purchases could not be resumed.',
  only: 'Every service is sold through this account. Another one is added with CARRIER_ACCOUNTS in the configuration.',
  sources: {
    title: 'Who sells what',
    about:
      'Labels go to the first account. The second one takes new labels while the first is paused or does not answer, '
      + 'and never a label whose last request had no answer.',
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
