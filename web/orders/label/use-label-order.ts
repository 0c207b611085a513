/** Buys the label of the form once, even if the button is pressed twice or the response is lost. */
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { LabelOptions } from '#contract/label-options.ts'
import { placeOrder } from '#contract/orders.ts'
import { hasNoErrors } from '#contract/row-rules.ts'
import type { RowField } from '#contract/rows.ts'
import { attemptFor } from '#web/client/attempt.ts'
import type { Attempt } from '#web/client/attempt.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { ApiError, fieldErrorsOf, messageOf, send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { forNextReceiver, isSameReceiver, labelFormErrors, newLabelForm } from './form.ts'
import type { LabelErrors, LabelForm } from './form.ts'
import { orderErrorText, refusedLabelText } from './order-error-text.ts'
import { formErrorsFrom, orderInputFromForm } from './order-input.ts'
import {
  clearUnconfirmed,
  isOutcomeUncertain,
  loadUnconfirmed,
  saveUnconfirmed,
} from './unconfirmed.ts'

export type BoughtLabel = {
  pdfName: string
  trackingNumber: string | null
  price: number
  receiver: string
}

/** Shown above the button: refused, unconfirmed, or bought later. */
export type OrderNotice = { kind: 'refused' | 'uncertain' | 'later'; text: string }

export function useLabelOrder() {
  const { _id: userId } = useUser()
  const queries = useQueryClient()
  const [unconfirmed] = useState(() => loadUnconfirmed(userId))
  const [form, setForm] = useState<LabelForm>(() => unconfirmed?.form ?? newLabelForm())
  const [errors, setErrors] = useState<LabelErrors>({})
  const [notice, setNotice] = useState<OrderNotice | null>(
    unconfirmed && { kind: 'uncertain', text: orderErrorText(null) },
  )
  // Stays when the dialog closes, because the dialog fades out.
  const [bought, setBought] = useState<BoughtLabel | null>(null)
  const [dialogOpen, setDialogOpen] = useState(false)
  // From the end of the dialog until a field changes, so that no press buys a second label.
  const [lastLabel, setLastLabel] = useState<BoughtLabel | null>(null)
  const [busy, setBusy] = useState(false)
  const lastAttempt = useRef<Attempt | null>(unconfirmed?.attempt ?? null)
  // The form as it was when its label was ordered: its fields can be changed until the answer comes.
  const ordered = useRef(form)

  /** Changing a field clears its error. */
  const change = (fields: Partial<LabelForm>) => {
    setForm(old => ({ ...old, ...fields }))
    setLastLabel(null)
    setErrors(old => Object.fromEntries(Object.entries(old).filter(([name]) => !(name in fields))))
  }

  const forgetAttempt = () => {
    lastAttempt.current = null
    clearUnconfirmed(userId)
  }

  const clearReceiver = () => setForm(now => forNextReceiver(now, ordered.current))

  const buy = async (sent: LabelForm, options: LabelOptions, shownPrice: number) => {
    const body = orderInputFromForm(userId, sent, options)
    const attempt = attemptFor(lastAttempt.current, JSON.stringify(body))
    lastAttempt.current = attempt
    saveUnconfirmed(userId, { form: sent, attempt })
    const { data, message } = await send(
      placeOrder,
      { body: { ...body, agreed_price: shownPrice } },
      { headers: { 'idempotency-key': attempt.key } },
    )
    forgetAttempt()
    const { pdfName, trackingNumber, price } = data
    if (pdfName !== null) {
      setBought({ pdfName, trackingNumber, price, receiver: sent.ToRecipientName.trim() })
      return setDialogOpen(true)
    }
    setNotice({ kind: 'later', text: message })
    clearReceiver()
  }

  const showFailure = (reason: unknown) => {
    const status = reason instanceof ApiError ? reason.status : 0
    if (!isOutcomeUncertain(status)) forgetAttempt()
    const isRefusedByCarrier = reason instanceof ApiError && reason.code === 'label_refused'
    const reasonText = isRefusedByCarrier ? refusedLabelText : orderErrorText
    const { fields, others } = formErrorsFrom(fieldErrorsOf(reason))
    setErrors(fields)
    // An error at a field is not repeated above the button.
    const text =
      others.length > 0
        ? others.join(' ')
        : hasNoErrors(fields)
          ? reasonText(messageOf(reason, ''))
          : null
    setNotice(
      text === null ? null : { kind: isOutcomeUncertain(status) ? 'uncertain' : 'refused', text },
    )
  }

  /** `sent`: the form, without what is not shown. */
  const submit = async (
    sent: LabelForm,
    maxWeight: number,
    options: LabelOptions,
    price: number,
  ) => {
    const formErrors = labelFormErrors(sent, maxWeight)
    setErrors(formErrors)
    setNotice(null)
    if (!hasNoErrors(formErrors)) return
    setBusy(true)
    ordered.current = form
    try {
      await buy(sent, options, price)
    } catch (reason) {
      showFailure(reason)
    } finally {
      setBusy(false)
      void refreshUser()
      void queries.invalidateQueries({ queryKey: queryKeys.orders(userId) })
      void queries.invalidateQueries({ queryKey: queryKeys.prices(userId) })
    }
  }

  const close = () => {
    setDialogOpen(false)
    clearReceiver()
    // Otherwise the form is already that of the next label.
    if (isSameReceiver(form, ordered.current)) setLastLabel(bought)
  }
  const startNext = () => setLastLabel(null)

  return {
    form,
    errors,
    notice,
    bought,
    dialogOpen,
    lastLabel,
    busy,
    change,
    submit,
    close,
    startNext,
  }
}

export type FieldBinder = (name: RowField) => {
  value: string
  error: string | undefined
  name: RowField
  onText: (text: string) => void
}
