/** Buying the label of the form: once, however often the button is pressed and whatever becomes of the answer. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { orderErrorText } from '#contract/order-text.ts'
import { placeOrder } from '#contract/orders.ts'
import { isSound } from '#contract/row-rules.ts'
import type { RowErrors } from '#contract/row-rules.ts'
import type { RowField } from '#contract/rows.ts'
import { keys } from '#web/client/keys.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { attemptFor, isUncertain, randomKey } from './attempt.ts'
import type { Attempt } from './attempt.ts'
import { check, forNextReceiver, newForm } from './form.ts'
import type { LabelForm } from './form.ts'
import { errorsFrom, wishOf } from './wish.ts'

export type Bought = { pdfName: string; trackingNumber: string | null; price: number }

/** What stands above the button: why it was not bought, that this is not known, or that it will come later. */
export type Outcome = { kind: 'refused' | 'uncertain' | 'later'; text: string }

export function useOrder() {
  const { _id: userId } = useUser()
  const queries = useQueryClient()
  const [form, setForm] = useState<LabelForm>(newForm)
  const [errors, setErrors] = useState<RowErrors>({})
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  // Kept when the dialog closes: while it fades away it shows what it showed.
  const [bought, setBought] = useState<Bought | null>(null)
  const [dialogOpen, setDialogOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  const last = useRef<Attempt | null>(null)

  /** Changes fields; their errors are gone with that. */
  const change = (fields: Partial<LabelForm>) => {
    setForm(old => ({ ...old, ...fields }))
    setErrors(old => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in fields))))
  }

  const buy = async () => {
    const body = wishOf(userId, form)
    const attempt = attemptFor(last.current, JSON.stringify(body), randomKey)
    last.current = attempt
    const { data, message } = await send(
      placeOrder,
      { body },
      { headers: { 'idempotency-key': attempt.key } },
    )
    last.current = null
    const { pdfName, trackingNumber, price } = data
    if (pdfName !== null) {
      setBought({ pdfName, trackingNumber, price })
      return setDialogOpen(true)
    }
    setOutcome({ kind: 'later', text: message })
    setForm(forNextReceiver)
  }

  const complain = (reason: unknown) => {
    const status = reason instanceof ApiError ? reason.status : 0
    if (!isUncertain(status)) last.current = null
    const { fields, others } = errorsFrom(fieldErrorsOf(reason))
    setErrors(fields)
    // What stands at a field does not stand above the button as well.
    const text =
      others.length > 0
        ? others.join(' ')
        : isSound(fields)
          ? orderErrorText(messageOf(reason, ''))
          : null
    setOutcome(text === null ? null : { kind: isUncertain(status) ? 'uncertain' : 'refused', text })
  }

  const submit = async (maxWeight: number) => {
    const wrong = check(form, maxWeight)
    setErrors(wrong)
    setOutcome(null)
    if (!isSound(wrong)) return
    setBusy(true)
    try {
      await buy()
    } catch (reason) {
      complain(reason)
    } finally {
      setBusy(false)
      void refreshUser()
      void queries.invalidateQueries({ queryKey: keys.orders(userId) })
    }
  }

  const close = () => {
    setDialogOpen(false)
    setForm(forNextReceiver)
  }

  return { form, errors, outcome, bought, dialogOpen, busy, change, submit, close }
}

/** A field of the form: what it holds, its error, and how it is changed. */
export type Bind = (name: RowField) => {
  value: string
  error: string | undefined
  name: RowField
  onText: (text: string) => void
}
