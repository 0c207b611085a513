/** What a webhook last failed with. Pure. */
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

/** 'Answered with an error (HTTP 500)'. A status that the sentence names is not repeated. */
export const failureText = ({ outcome, status }: WebhookTry): string =>
  status === null || outcome === 'gone'
    ? OUTCOME_TEXTS[outcome]
    : `${OUTCOME_TEXTS[outcome]} (${texts.deliveries.status(status)})`
