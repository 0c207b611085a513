/** Who pays adjustments: the rule of all customers, and those of single ones. */
import { useRef, useState } from 'react'
import type { UserSummary } from '#contract/accounts.ts'
import { ADJUSTMENT_RULES } from '#contract/adjustments.ts'
import type { adjustmentRules, AdjustmentRule, AdjustmentRuleKind } from '#contract/adjustments.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { usdFromDollars } from '#contract/money.ts'
import { UserField } from '#web/accounts/admin/UserField.tsx'
import { orMessage } from '#web/client/send.ts'
import { useAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine, LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { texts as uiTexts } from '#web/ui/texts.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { useIsUnchanged } from '#web/ui/use-is-unchanged.ts'
import { useOpened } from '#web/ui/use-opened.ts'
import { useKeptFocus } from '#web/ui/use-return-focus.ts'
import { useSavingReason } from '#web/ui/use-saving-reason.ts'
import { texts } from './texts.ts'
import { useAdjustmentRules } from './use-adjustments.ts'
import type { NewRule } from './use-adjustments.ts'
import styles from './Adjustments.module.css'

type AdjustmentRules = ResponseData<typeof adjustmentRules>

const t = texts.rule
const FORM_ID = 'adjustment-rule'

const seenRule = ({ rule, limit }: AdjustmentRule): AdjustmentRule => ({ rule, limit })

const ruleText = ({ rule, limit }: AdjustmentRule): string =>
  rule === 'limit' && limit !== null ? t.limit(usdFromDollars(limit)) : t.texts[rule]

export function Rules() {
  const { rules, failed, retry, set } = useAdjustmentRules()
  const { opened: editing, open, close } = useOpened<{ isOfUser: boolean }>()
  const box = useRef<HTMLDivElement>(null)
  useKeptFocus(box)
  if (failed) return <LoadErrorNotice onRetry={retry}>{t.loadFailed}</LoadErrorNotice>
  if (!rules) return null
  return (
    <div ref={box} className={styles.rules} role="group" aria-label={t.title} tabIndex={-1}>
      <div className={styles.head}>
        <p className={styles.about}>{t.all(ruleText(rules.all))}</p>
        <div className={styles.buttons}>
          <Button size="small" onClick={() => open({ isOfUser: false })}>
            {t.change}
          </Button>
          <Button size="small" onClick={() => open({ isOfUser: true })}>
            {t.ofUser}
          </Button>
        </div>
      </div>
      {rules.users.length > 0 && (
        <ul className={styles.users}>
          {rules.users.map(rule => (
            <CustomerRule key={rule.user._id} rule={rule} all={rules.all} onSave={set} />
          ))}
        </ul>
      )}
      {editing && (
        <RuleDialog
          isOfUser={editing.isOfUser}
          rules={rules}
          onSave={set}
          onClose={() => close(editing)}
        />
      )}
    </div>
  )
}

type CustomerRuleProps = {
  rule: AdjustmentRule & { user: UserSummary }
  /** Of all customers. */
  all: AdjustmentRule
  onSave: (rule: NewRule) => Promise<void>
}

function CustomerRule({ rule, all, onSave }: CustomerRuleProps) {
  const { user } = rule
  const [asking, setAsking] = useState(false)
  const remove = async () => {
    const seen = seenRule(rule)
    await orMessage(onSave({ userId: user._id, rule: null, limit: null, seen }), t.removeFailed)
    toastSuccess(t.removed(user.name))
    setAsking(false)
  }
  return (
    <li className={styles.head}>
      <span className={styles.about}>
        {user.name} ({user.email}): {ruleText(rule)}
      </span>
      <Button
        size="small"
        kind="quiet"
        aria-label={t.removeOf(user.name)}
        onClick={() => setAsking(true)}
      >
        {t.remove}
      </Button>
      <ConfirmDialog
        opened={asking}
        question={t.removeQuestion}
        description={t.removeText(user.name, ruleText(all))}
        confirmLabel={t.remove}
        onConfirm={remove}
        onCancel={() => setAsking(false)}
      />
    </li>
  )
}

type RuleDialogProps = {
  isOfUser: boolean
  rules: AdjustmentRules
  onSave: (rule: NewRule) => Promise<void>
  onClose: () => void
}

function RuleDialog({ isOfUser, rules, onSave, onClose }: RuleDialogProps) {
  // Null after the first save: a refusal tells the rule.
  const [seen, setSeen] = useState<AdjustmentRules | null>(rules)
  const [rule, setRule] = useState<AdjustmentRuleKind>(rules.all.rule)
  const [limit, setLimit] = useState<string | number>(rules.all.limit ?? '')
  const [userId, setUserId] = useState('')
  const [attempted, setAttempted] = useState(false)
  const { busy, refused, clearRefusal, run } = useAction(t.failed)
  const isUnchanged = useIsUnchanged([rule, Number(limit), userId])
  const wait = useSavingReason(busy, uiTexts.wait)
  // The field gives its text, not a number, while it ends in 0 after the point.
  const isLimitWrong = rule === 'limit' && !(Number(limit) > 0)
  const isUserMissing = isOfUser && userId === ''
  const save = async () => {
    try {
      const amount = rule === 'limit' ? Number(limit) : null
      const replaced = isOfUser ? seen?.users.find(({ user }) => user._id === userId) : seen?.all
      await onSave({
        rule,
        limit: amount,
        ...(isOfUser && { userId }),
        ...(seen && { seen: replaced ? seenRule(replaced) : null }),
      })
      toastSuccess(t.saved)
      if (isUnchanged()) onClose()
    } finally {
      setSeen(null)
    }
  }
  const submit = () => {
    setAttempted(true)
    return isLimitWrong || isUserMissing ? clearRefusal() : run(save)
  }
  return (
    <Dialog
      isForm
      opened
      title={isOfUser ? t.dialogOfUser : t.dialog}
      onClose={onClose}
      closeDisabledReason={wait}
      actions={
        <>
          <Button onClick={onClose} disabledReason={wait}>
            {t.cancel}
          </Button>
          <Button kind="ink" type="submit" form={FORM_ID} busy={busy}>
            {t.save}
          </Button>
        </>
      }
    >
      <Form id={FORM_ID} className={styles.form} onSubmit={submit}>
        {isOfUser && (
          <UserField label={t.user} required data-autofocus value={userId} onPick={setUserId} />
        )}
        {attempted && isUserMissing && <ErrorLine>{t.userMissing}</ErrorLine>}
        <RadioGroup
          label={t.title}
          data-autofocus={!isOfUser}
          value={rule}
          options={ADJUSTMENT_RULES.map(value => ({
            value,
            text: t.options[value],
            hint: t.hints[value],
          }))}
          onChange={setRule}
        />
        {rule === 'limit' && (
          <NumberField
            label={t.amount}
            required
            prefix="$"
            decimalScale={2}
            value={limit}
            error={attempted && isLimitWrong ? t.amountWrong : null}
            onChange={setLimit}
          />
        )}
        <p className={styles.quiet}>{t.from}</p>
        <ErrorLine>{refused}</ErrorLine>
      </Form>
    </Dialog>
  )
}
