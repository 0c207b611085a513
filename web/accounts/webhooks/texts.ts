import { countText } from '#contract/format.ts'
import {
  DELIVERY_DAYS,
  LOW_BALANCE_DOLLARS,
  MAX_WEBHOOKS,
  OLD_SECRET_HOURS,
} from '#contract/webhooks.ts'
import type { DeliveryState, OffReason, TryOutcome, WebhookType } from '#contract/webhooks.ts'
import type { Tone } from '#web/ui/tone.ts'

/** When a message of each type is sent, of the types that a webhook is made for here. */
export const TYPE_TEXTS: Partial<Record<WebhookType, string>> = {
  'label.bought': 'A label was bought',
  'label.failed': 'A label was not bought',
  'label.voided': 'A label was voided and refunded',
  'parcel.updated': 'The carrier sent a tracking update',
  'batch.completed': 'A bulk order finished',
  'deposit.settled': 'A deposit was credited',
  'balance.low': `The balance fell below $${LOW_BALANCE_DOLLARS}`,
}

export const OUTCOME_TEXTS: Record<TryOutcome, string> = {
  delivered: 'Delivered',
  refused: 'Error response',
  gone: 'Status 410: asked for no more messages',
  redirected: 'Redirect, which we don’t follow',
  timed_out: 'No response within 15 seconds',
  unreachable: 'No connection',
  address_not_allowed: 'The address is private or local',
  secret_unreadable: 'We can’t read the signing secret. Contact support.',
}

export const STATE_TEXTS: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  canceled: 'Canceled',
}

export const STATE_TONES: Record<DeliveryState, Tone> = {
  waiting: 'blue',
  delivered: 'green',
  failed: 'red',
  canceled: 'neutral',
}

export const OFF_TEXTS: Record<OffReason, string> = {
  user: 'Switched off',
  gone: 'Switched off: it responded with status 410',
  dead: 'Switched off: nothing was delivered for three days',
}

export const texts = {
  failed: 'Something went wrong. Please try again.',
  section: {
    name: 'Webhooks',
    title: 'Events for your software',
    intro: 'We send a signed message to your URL when a label, a parcel or your balance changes.',
    docs: 'Webhook documentation',
    docsPath: '/docs/api#webhooks',
    none: 'No webhooks yet',
    noneText:
      'Add a URL and choose its events: labels, parcels, bulk orders, deposits and your balance.',
    count: (count: number) => countText(count, 'webhook'),
    create: 'Add webhook',
    full: `You have ${MAX_WEBHOOKS} webhooks. Delete one to add another.`,
    createOfUser: 'Only the user can add webhooks.',
    loadFailed: 'We couldn’t load your webhooks.',
  },
  row: {
    on: 'On',
    failing: 'Failing',
    off: 'Off',
    easypost: 'EasyPost format',
    events: 'Events',
    lastFailure: 'Last failure',
    failingSince: 'Failing since',
    nextTry: 'Next try',
    bulkRows: 'including each row of a bulk order',
    added: 'Added',
    test: 'Send test',
    deliveries: 'Deliveries',
    actionsOf: (url: string) => `Actions of ${url}`,
    edit: 'Edit',
    secret: 'Change secret',
    switchOff: 'Switch off',
    switchOn: 'Switch on',
    remove: 'Delete',
    switchedOff: 'Webhook switched off',
    switchedOn: 'Webhook switched on',
    secretOfUser: 'Only the user can change the secret.',
    secretOfEasypost: 'Its secret is changed through /v2/webhooks.',
  },
  events: {
    title: 'Events you can receive',
    columns: { type: 'Event', when: 'Sent when', receivers: 'Sent to' },
    receivers: (count: number) => (count === 0 ? 'No webhook' : countText(count, 'webhook')),
  },
  form: {
    createTitle: 'Add a webhook',
    editTitle: 'Edit webhook',
    url: 'URL',
    urlHint: 'Where your software receives events',
    urlOfUser: 'Only the user can change the URL.',
    urlExample: 'https://example.com/webhooks',
    urlRequired: 'URL is required',
    types: 'Events',
    allTypes: (count: number) => `All events (${count})`,
    typesRequired: 'Choose at least one',
    bulkRows: 'Also send label.bought and label.failed for each row of a bulk order',
    bulkRowsHint: 'A bulk order of 10,000 rows then sends 10,000 messages.',
    secret: 'Next you’ll get a signing secret. It is shown only once.',
    create: 'Add webhook',
    save: 'Save',
    saved: 'Webhook saved',
  },
  secret: {
    title: 'Copy the secret',
    text: 'This is the only time you’ll see this secret. Your software uses it to verify the signature of each message.',
    changedText: `This is the only time you’ll see this secret. The old one also signs messages for ${OLD_SECRET_HOURS} hours.`,
    label: 'Secret',
    saved: 'I have saved this secret',
    saveFirst: 'Save the secret first',
    done: 'Done',
  },
  change: {
    question: 'Change the secret?',
    text: (url: string) =>
      `Messages to ${url} are signed with a new secret. For ${OLD_SECRET_HOURS} hours the old one signs them too, `
      + 'so you have time to update your software.',
    confirm: 'Change secret',
  },
  remove: {
    question: 'Delete webhook?',
    text: (url: string) => `${url} receives no more messages. Its deliveries are deleted too.`,
    confirm: 'Delete webhook',
  },
  test: {
    title: 'Test message',
    sending: 'Sending a test message…',
    done: 'Close',
  },
  deliveries: {
    title: 'Deliveries',
    show: 'Show',
    all: 'All',
    none: 'No deliveries',
    noneText: 'Send a test, or wait for the next message.',
    noneOfState: 'No deliveries have this status.',
    kept: `Deliveries are kept for ${DELIVERY_DAYS} days.`,
    more: 'Show more',
    loadFailed: 'We couldn’t load the deliveries.',
    moreFailed: 'We couldn’t load more deliveries.',
    nextTry: 'Next try',
    tries: 'Tries',
    untried: 'Not sent yet',
    replayed: 'Sent again by you',
    answer: 'Response',
    emptyAnswer: 'Empty response',
    body: 'Message',
    replay: 'Send again',
    replaying: (outcome: string) => `Sent again: ${outcome}`,
    status: (status: number) => `HTTP ${status}`,
    ms: (ms: number) => `${ms.toLocaleString('en-US')} ms`,
  },
}
