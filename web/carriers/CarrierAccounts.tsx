/** The carrier accounts of the installation: whether each works and what it has left, and which of them sells what. */
import type { CarrierAccount } from '#contract/carriers.ts'
import { countText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import type { AccountRunway } from '#contract/reports.ts'
import { useToastedAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { StatusPill } from '#web/ui/StatusPill.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import type { Tone } from '#web/ui/tone.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { runwayText } from './runway-text.ts'
import { ServiceAccounts } from './ServiceAccounts.tsx'
import { texts } from './texts.ts'
import { useCarrierAccounts } from './use-carrier-accounts.ts'
import styles from './CarrierAccounts.module.css'

/** The element that links to the accounts lead to. */
export const CARRIER_ACCOUNTS_ID = 'carrier-accounts'

const STATE_TONE: Record<CarrierAccount['state'], Tone> = {
  working: 'green',
  problem: 'yellow',
  losses: 'red',
  silent: 'yellow',
}

export function CarrierAccounts() {
  const { data, isFailed, reload, resume, save } = useCarrierAccounts()
  const accounts = data?.accounts ?? []
  return (
    <section aria-labelledby={CARRIER_ACCOUNTS_ID} className={styles.section}>
      <h2 id={CARRIER_ACCOUNTS_ID} className={styles.title}>
        {texts.title(accounts.length)}
      </h2>
      {isFailed && <LoadErrorNotice onRetry={reload}>{texts.failed}</LoadErrorNotice>}
      {!data && !isFailed && (
        <Card>
          <p className={styles.quiet}>{texts.loading}</p>
        </Card>
      )}
      <div className={styles.accounts}>
        {accounts.map(account => (
          <AccountCard
            key={account.name}
            account={account}
            isOnly={accounts.length === 1}
            onResume={() => resume(account.name)}
          />
        ))}
      </div>
      {data && accounts.length > 1 && (
        <ServiceAccounts
          services={data.services}
          accounts={accounts.map(({ name, carrier }) => ({
            name,
            label: texts.named(name, texts.carrier(carrier)),
          }))}
          save={save}
          onConflict={reload}
        />
      )}
    </section>
  )
}

type AccountCardProps = {
  account: CarrierAccount
  isOnly: boolean
  /** Resolves with what to say. */
  onResume: () => Promise<string>
}

function AccountCard({ account, isOnly, onResume }: AccountCardProps) {
  const { name, carrier, state, mode, perMinute, runway } = account
  const title = isOnly ? texts.carrier(carrier) : texts.named(name, texts.carrier(carrier))
  const note = texts.modes[mode]
  return (
    <Card className={styles.account}>
      <div className={styles.head}>
        <h3 className={styles.name}>{title}</h3>
        <span className={styles.pills}>
          {note && <StatusPill tone="yellow">{note}</StatusPill>}
          <StatusPill tone={STATE_TONE[state]}>{texts.states[state]}</StatusPill>
        </span>
      </div>
      <AccountProblem account={account} onResume={onResume} />
      <dl className={styles.facts}>
        <div>
          <dt>{texts.balance}</dt>
          <dd>{balanceText(runway)}</dd>
        </div>
        <div>
          <dt>{texts.lasts}</dt>
          <dd>{lastsText(runway)}</dd>
        </div>
        <div>
          <dt>{texts.calls}</dt>
          <dd>{perMinute === null ? texts.noLimit : texts.perMinute(perMinute)}</dd>
        </div>
        <div>
          <dt>{texts.account}</dt>
          <dd className={styles.code}>{account.account}</dd>
        </div>
      </dl>
      {isOnly && <p className={styles.quiet}>{texts.only}</p>}
    </Card>
  )
}

const balanceText = ({ balance, reason }: AccountRunway): string => {
  if (balance !== null) return usdFromDollars(balance)
  return reason === 'unavailable' ? texts.unavailable : texts.notReported
}

const lastsText = ({ daysLeft, pace }: AccountRunway): string => {
  if (pace === null) return texts.noPace
  if (daysLeft === null) return texts.unknown
  return sentenceStart(runwayText(daysLeft, days => countText(days, 'day')))
}

const sentenceStart = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function AccountProblem({ account, onResume }: Pick<AccountCardProps, 'account' | 'onResume'>) {
  const { name, state, reason, since, nextTry } = account
  const [busy, run] = useToastedAction(texts.tryFailed)
  if (state === 'working') return null
  if (state === 'silent') return <p className={styles.quiet}>{texts.silent}</p>
  const isLoss = state === 'losses'
  return (
    <div className={styles.problem}>
      <p>
        {isLoss ? texts.losses(reason ?? '') : texts.problem(reason ?? '')}
        {since && (
          <span className={styles.quiet}>
            {' '}
            {texts.since} <DateTime at={since} />
          </span>
        )}
      </p>
      {nextTry && (
        <p className={styles.quiet}>
          {texts.nextTry} <DateTime at={nextTry} clock exact />
        </p>
      )}
      <Button
        size="small"
        busy={busy}
        aria-label={isLoss ? texts.resumeOf(name) : texts.tryNowOf(name)}
        onClick={() => run(async () => toastSuccess(await onResume()))}
      >
        {isLoss ? texts.resume : texts.tryNow}
      </Button>
    </div>
  )
}
