import { useEffect, useEffectEvent, useRef } from 'react'
import { REFERRAL_CODE_MAX, setUserDetails } from '#contract/accounts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { refreshUser, useUser } from '#web/client/session.ts'
import { useFormDraft } from '#web/client/use-form-draft.ts'
import { Button } from '#web/ui/Button.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { TextField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { isFocusLost } from '#web/ui/use-return-focus.ts'
import { texts } from './texts.ts'
import styles from './ReferralManagement.module.css'

type ReferralCodeFormProps = {
  userId: string
  code: string | null
  /** As soon as there is a code to edit. */
  takesFocus: boolean
}

/** The code of one user; it cannot be empty. */
export function ReferralCodeForm({ userId, code, takesFocus }: ReferralCodeFormProps) {
  const { _id: adminId } = useUser()
  const { bind, form, busy, formError, submit, renew } = useFormDraft<'referralCode'>({
    initialValues: () => ({ referralCode: code ?? '' }),
    fallbackMessage: texts.failed.update,
    check: ({ referralCode }): { referralCode?: string } =>
      referralCode.trim() === '' ? { referralCode: texts.required(texts.code) } : {},
  })
  const { onText, ...field } = bind('referralCode')
  /** The code that the field had before something was typed. */
  const base = useRef(code ?? '')
  /** What was typed meanwhile stays. */
  const replace = (shown: string, next: string) => {
    base.current = next
    renew(typed => (typed.referralCode === shown ? { referralCode: next } : {}))
  }
  const follow = useEffectEvent((next: string) => {
    if (next !== base.current) replace(base.current, next)
  })
  useEffect(() => {
    if (code !== null) follow(code)
  }, [code])
  const input = useRef<HTMLInputElement>(null)
  const canTakeFocus = takesFocus && code !== null
  useEffect(() => {
    if (canTakeFocus && isFocusLost()) input.current?.focus()
  }, [canTakeFocus])
  const save = async () => {
    const done = await submit(
      async ({ referralCode }) => {
        const { user } = await send(setUserDetails, { params: { userId }, body: { referralCode } })
        replace(referralCode, user.referralCode)
      },
      () => toastError(texts.failed.update),
    )
    if (!done) return
    toastSuccess(texts.done)
    if (userId === adminId) void refreshUser()
    // The list of users shows the code too.
    void queryClient.invalidateQueries({ queryKey: queryKeys.users(adminId) })
  }
  const same = form.referralCode.trim().toUpperCase() === code
  const disabledReason = code === null ? texts.loading : same ? texts.same : null
  return (
    <Form onSubmit={save} className={styles.code}>
      <TextField
        {...field}
        ref={input}
        label={texts.code}
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={REFERRAL_CODE_MAX}
        disabled={code === null}
        placeholder={code === null ? texts.loading : undefined}
        onChange={event => onText(event.currentTarget.value)}
      />
      <Button
        kind="ink"
        size="large"
        type="submit"
        busy={busy}
        disabledReason={disabledReason}
        className={styles.update}
      >
        {texts.update}
      </Button>
      <ErrorLine>{formError}</ErrorLine>
    </Form>
  )
}
