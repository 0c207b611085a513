import type { Delivery, WebhookTry } from '#contract/webhooks.ts'
import { ItemHint } from '#web/accounts/ItemList.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { OUTCOME_TEXTS, STATE_TEXTS, STATE_TONES, texts } from './texts.ts'
import styles from './Webhooks.module.css'

const t = texts.deliveries

export function StateOfDelivery({ delivery: { state } }: { delivery: Delivery }) {
  return <StatusPill tone={STATE_TONES[state]}>{STATE_TEXTS[state]}</StatusPill>
}

/** What came of a delivery: its tries with their answers, and what was sent. */
export function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { tries, nextTry, body } = delivery
  return (
    <div className={styles.details}>
      {tries.length === 0 ? (
        <p className={styles.hint}>{t.untried}</p>
      ) : (
        <ol className={styles.tries} aria-label={t.tries}>
          {tries.map(one => (
            <TryOfDelivery key={one.at} made={one} />
          ))}
        </ol>
      )}
      {nextTry && (
        <p className={styles.hint}>
          {t.nextTry}: <DateTime at={nextTry} />
        </p>
      )}
      <p className={styles.label}>{t.body}</p>
      <pre className={styles.code}>{pretty(body)}</pre>
    </div>
  )
}

function TryOfDelivery({ made }: { made: WebhookTry }) {
  const { at, outcome, status, ms, answer, replay } = made
  return (
    <li className={styles.try}>
      <span className={styles.tryHead}>
        <strong>{OUTCOME_TEXTS[outcome]}</strong>
        {status !== null && <span>{t.status(status)}</span>}
        <span>{t.ms(ms)}</span>
        <DateTime at={at} />
        {replay && <span>{t.replayed}</span>}
      </span>
      {answer !== null && outcome !== 'delivered' && (
        <>
          <ItemHint>{answer === '' ? t.emptyAnswer : t.answer}</ItemHint>
          {answer !== '' && <pre className={styles.code}>{answer}</pre>}
        </>
      )}
    </li>
  )
}

/** JSON with line breaks; other text as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
