/** The first steps on an empty dashboard: a strip of three stubs, each torn off when it is done. */
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usdFromDollars } from '#contract/money.ts'
import { addressesQuery } from '#web/client/queries.ts'
import { useUser } from '#web/client/session.ts'
import { useRecentDeposits } from '#web/payments/use-recent-deposits.ts'
import { AddressPicture, LabelPicture, PaymentPicture } from '#web/shell/EmptyPictures.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import type { ButtonKind } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { firstStepsLeft, openDepositOf } from './first-run.ts'
import type { OpenDeposit } from './first-run.ts'
import { texts } from './texts.ts'
import { useTotalOrders } from './use-recent.ts'
import styles from './FirstRun.module.css'

const t = texts.firstRun

export function FirstRun() {
  const user = useUser()
  const { _id: userId } = user
  const addresses = useQuery(addressesQuery(userId)).data
  const orders = useTotalOrders().data
  const deposits = useRecentDeposits()
  const steps = firstStepsLeft({
    wallet: user,
    addresses: addresses?.savedAddress.length,
    orders: orders?.totalOrders,
  })
  if (!steps || deposits.isPending) return null
  const openDeposit = openDepositOf(deposits.data ?? [])
  const next = (['money', 'sender', 'label'] as const).find(step => !steps[step])
  return (
    <Card title={t.title} className={styles.card}>
      <ol className={styles.strip}>
        <Stub
          step={1}
          done={steps.money}
          isNext={next === 'money'}
          to="/main/deposit"
          words={moneyWords(steps.money ? null : openDeposit)}
          kind={openDeposit?.state === 'arriving' ? 'ink' : 'money'}
          picture={<PaymentPicture />}
        />
        <Stub
          step={2}
          done={steps.sender}
          isNext={next === 'sender'}
          to="/main/address"
          words={t.sender}
          kind="ink"
          picture={<AddressPicture />}
        />
        <Stub
          step={3}
          done={steps.label}
          isNext={next === 'label'}
          to="/main/order-label"
          words={t.label}
          kind="money"
          picture={<LabelPicture />}
        />
      </ol>
      <p className={styles.sample}>
        {t.orTry} <Link to="/main/bulk-order?sample">{t.sample}</Link>
      </p>
    </Card>
  )
}

type StubWords = { title: string; text: string; act: string }

function moneyWords(open: OpenDeposit | null): StubWords {
  if (open === null || open.amount === 0) return t.money
  return t[open.state](usdFromDollars(open.amount))
}

type StubProps = {
  step: number
  done: boolean
  /** The first that is not done. */
  isNext: boolean
  to: string
  words: StubWords
  /** Of the button, while it is the next step. */
  kind: ButtonKind
  picture: ReactNode
}

function Stub({ step, done, isNext, to, words, kind, picture }: StubProps) {
  return (
    <li className={styles.stub} data-done={done || undefined} data-next={isNext || undefined}>
      <span className={styles.picture} aria-hidden="true">
        {picture}
      </span>
      <span className={styles.mark} aria-hidden="true">
        {done ? <IconCheck /> : step}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          {words.title} {done && <span className="visually-hidden">{t.done}</span>}
        </span>
        <span className={styles.text}>{words.text}</span>
      </span>
      {!done && (
        <ButtonLink kind={isNext ? kind : 'outline'} size="large" to={to} className={styles.act}>
          {words.act}
        </ButtonLink>
      )}
    </li>
  )
}
