/** What a webhook last failed with, and when it is tried again. Pure. */
import type { Delivery, WebhookTry } from '#contract/webhooks.ts'
import { OUTCOME_TEXTS, texts } from './texts.ts'

/** The newest failed try of some deliveries; null without one. */
export const lastFailure = (deliveries: readonly Delivery[]): WebhookTry | null =>
  deliveries
    .flatMap(({ tries }) => tries)
    .filter(({ outcome }) => outcome !== 'delivered')
    .reduce<WebhookTry | null>(
      (last, made) => (last === null || Date.parse(made.at) > Date.parse(last.at) ? made : last),
      null,
    )

/** When the next of some deliveries is tried; null without one, and while it is being tried. `now` in ms. */
export const nextTry = (deliveries: readonly Delivery[], now: number): string | null =>
  deliveries
    .flatMap(delivery => delivery.nextTry ?? [])
    .filter(at => Date.parse(at) > now)
    .reduce<string | null>(
      (next, at) => (next === null || Date.parse(at) < Date.parse(next) ? at : next),
      null,
    )

/** 'Error response (HTTP 500)'. A status that the sentence names is not repeated. */
export const failureText = ({ outcome, status }: WebhookTry): string =>
  status === null || outcome === 'gone'
    ? OUTCOME_TEXTS[outcome]
    : `${OUTCOME_TEXTS[outcome]} (${texts.deliveries.status(status)})`
