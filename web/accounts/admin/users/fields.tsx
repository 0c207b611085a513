/** The fields of a user, for the side panel and for a table row. */
import { Link } from 'react-router'
import { REASON_MAX, REFERRAL_CODE_MAX, ROLES } from '#contract/accounts.ts'
import { NativeSelectField, TextField } from '#web/ui/Field.tsx'
import { signedMoneyText } from '#web/ui/money-text.ts'
import { texts } from './texts.ts'
import type { UserEdit } from './use-user-edit.ts'
import { isBalanceChanged } from './user-changes.ts'
import styles from './Users.module.css'

type UserFieldsProps = {
  edit: UserEdit
  /** In a row the column head is the visible label. */
  hideLabel?: boolean
  form?: string
  id?: string
  'data-autofocus'?: boolean
}

/** The one with the most rights first. */
export const ROLE_OPTIONS = ROLES.toReversed().map(value => ({ value, label: texts.roles[value] }))

/** `own`: administrators can't change their own role. */
export function RoleField({ edit, own, ...rest }: UserFieldsProps & { own: boolean }) {
  const { onText, error, ...field } = edit.draft.bind('user_role')
  return (
    <NativeSelectField
      {...rest}
      {...field}
      error={error}
      label={texts.edit.role}
      data={ROLE_OPTIONS}
      disabled={own}
      title={own ? texts.edit.ownRole : undefined}
      onChange={event => onText(event.currentTarget.value)}
    />
  )
}

function WaitingChange({ edit: { balanceRequest } }: { edit: UserEdit }) {
  if (balanceRequest === null) return null
  const { mine, difference, askedBy } = balanceRequest
  const amount = signedMoneyText(difference)
  return (
    <p className={styles.waiting}>
      {mine ? texts.edit.waits(amount) : texts.edit.alreadyWaiting(amount, askedBy.name)}{' '}
      <Link to="/admin/dashboard">{texts.edit.decide}</Link>
    </p>
  )
}

/** Shows the reason field once the balance changes. `own`: administrators can't adjust their own balance. */
export function BalanceFields({ edit, id, own, ...rest }: UserFieldsProps & { own: boolean }) {
  const { onText, ...balance } = edit.draft.bind('balance')
  const { onText: onReason, ...reason } = edit.draft.bind('reason')
  const moves = edit.base !== null && isBalanceChanged(edit.draft.form, edit.base)
  return (
    <>
      <TextField
        {...rest}
        {...balance}
        id={id}
        label={texts.edit.balance}
        required
        disabled={own}
        title={own ? texts.edit.ownBalance : undefined}
        leftSection={texts.edit.dollar}
        leftSectionPointerEvents="none"
        description={own && !rest.hideLabel ? texts.edit.ownBalance : undefined}
        inputMode="decimal"
        autoComplete="off"
        onChange={event => onText(event.currentTarget.value)}
      />
      <WaitingChange edit={edit} />
      {moves && (
        // No column head names this field, so its label is visible in a row too.
        <TextField
          {...rest}
          {...reason}
          hideLabel={false}
          label={texts.edit.reason}
          required
          autoComplete="off"
          maxLength={REASON_MAX}
          description={texts.edit.reasonHint}
          onChange={event => onReason(event.currentTarget.value)}
        />
      )}
    </>
  )
}

export function ReferralCodeField({ edit, ...rest }: UserFieldsProps) {
  const { onText, ...field } = edit.draft.bind('referralCode')
  return (
    <TextField
      {...rest}
      {...field}
      label={texts.edit.code}
      required
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={REFERRAL_CODE_MAX}
      onChange={event => onText(event.currentTarget.value)}
    />
  )
}
