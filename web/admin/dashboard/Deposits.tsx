/** Payments that came late, in part or were taken back, each with the button that credits what is confirmed. */
import { useState } from 'react'
import type { Answered } from '#contract/call.ts'
import { fromSeconds } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { creditDeposit, depositsInReview } from '#contract/payments.ts'
import { messageOf, send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog } from '#web/ui/Dialog.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import styles from './AdminDashboard.module.css'
import { SIZE, Task, Tasks } from './Tasks.tsx'
import { texts as all } from './texts.ts'
import { useRefresh } from './use-dashboard.ts'

const texts = all.work

type InReview = Answered<typeof depositsInReview>['deposits'][number]

const load = async (page: number, signal: AbortSignal) =>
  (await send(depositsInReview, { query: { page, limit: SIZE } }, { signal })).deposits

export function Deposits({ total, onDone }: { total: number; onDone: () => void }) {
  const refresh = useRefresh()
  const [asked, setAsked] = useState<InReview | null>(null)
  // While the question fades out it still names what was asked.
  const [last, setLast] = useState<InReview | null>(null)
  const ask = (deposit: InReview) => {
    setAsked(deposit)
    setLast(deposit)
  }
  const credit = async () => {
    try {
      toastSuccess((await send(creditDeposit, { params: { id: last!.invoiceId } })).message)
    } catch (reason) {
      // Without an answer it may have been credited all the same; and somebody else may have been first.
      void refresh()
      throw new Error(messageOf(reason, texts.notCredited))
    }
    await refresh()
    setAsked(null)
    onDone()
  }
  return (
    <>
      <Tasks kind="deposits" title={texts.deposits(total)} total={total} load={load} failed={texts.depositsFailed}>
        {deposit => <Deposit key={deposit._id} deposit={deposit} onCredit={() => ask(deposit)} />}
      </Tasks>
      <ConfirmDialog opened={asked !== null} kind="ink" question={texts.question}
        confirm={texts.credit(usdFromDollars(last?.creditable ?? 0))}
        thing={last && texts.creditThing(usdFromDollars(last.creditable), last.userName, last.userEmail)}
        onConfirm={credit} onCancel={() => setAsked(null)} />
    </>
  )
}

function Deposit({ deposit, onCredit }: { deposit: InReview; onCredit: () => void }) {
  const { userId, userName, userEmail, amount, creditable, note, createdTime } = deposit
  const sum = usdFromDollars(creditable)
  return (
    <Task title={texts.paid(usdFromDollars(amount))} user={{ _id: userId, name: userName, email: userEmail }} detail={note}
      at={fromSeconds(createdTime)}
      action={creditable > 0
        ? <Button size="small" aria-label={texts.creditFor(sum, userName)} onClick={onCredit}>{texts.credit(sum)}</Button>
        : <span className={styles.quiet}>{texts.nothingToCredit}</span>} />
  )
}
