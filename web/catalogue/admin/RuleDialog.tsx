import { useState } from 'react'
import type { ConfiguredService } from '#contract/catalogue.ts'
import { usd } from '#contract/money.ts'
import {
  MAX_RULE_DOLLARS,
  MAX_RULE_PERCENT,
  PriceRuleInput,
  ruleFrom,
} from '#contract/price-rules.ts'
import type { Rounding } from '#contract/price-rules.ts'
import type { PriceSource, ServiceCosts } from '#contract/price-tables.ts'
import { PricePreviewDialog } from '#web/catalogue/tables/PricePreviewDialog.tsx'
import { useCosts } from '#web/catalogue/tables/use-price-tables.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { LoadErrorNotice, Notice } from '#web/ui/ErrorLine.tsx'
import { NumberField } from '#web/ui/Field.tsx'
import { Form } from '#web/ui/Form.tsx'
import { RadioGroup } from '#web/ui/RadioGroup.tsx'
import { CostCheckList } from './CostCheckList.tsx'
import { ruleExamples } from './rule-example.ts'
import { texts } from './texts.ts'
import styles from './Prices.module.css'

const t = texts.ruleDialog
const FORM_ID = 'price-rule'

type Draft = Record<'percent' | 'fixed' | 'floor', number | string> & {
  rounding: Rounding
  live?: boolean | undefined
}

const NEW_RULE: Draft = { percent: '', fixed: '', floor: '', rounding: 'cent' }

/** An empty field is 0; null while a field is not a number that a rule takes. */
function ruleOf({ percent, fixed, floor, rounding, live }: Draft): PriceRuleInput | null {
  const read = PriceRuleInput.safeParse({
    percent: Number(percent),
    fixed: Number(fixed),
    floor: Number(floor),
    rounding,
    ...(live && { live }),
  })
  return read.success ? read.data : null
}

type RuleDialogProps = {
  service: ConfiguredService
  userId: string | undefined
  onClose: () => void
}

/** Prices of a service from its costs, with an example, then the preview of who pays what. */
export function RuleDialog({ service, userId, onClose }: RuleDialogProps) {
  const { name, uid } = service
  const [draft, setDraft] = useState<Draft>(service.rule ?? NEW_RULE)
  const [attempted, setAttempted] = useState(false)
  const [source, setSource] = useState<PriceSource | null>(null)
  const { data, isError, refetch } = useCosts()
  const costs = data?.find(one => one.uid === uid)
  const rule = ruleOf(draft)

  const compare = () => {
    setAttempted(true)
    if (rule) setSource({ kind: 'rule', uid, rule })
  }
  const bind = (field: 'percent' | 'fixed' | 'floor') => ({
    label: t[field],
    value: draft[field],
    min: 0,
    decimalScale: 2,
    error:
      attempted && !PriceRuleInput.shape[field].safeParse(Number(draft[field])).success
        ? t.wrong[field]
        : null,
    onChange: (value: number | string) => setDraft({ ...draft, [field]: value }),
  })
  return (
    <Dialog
      isForm
      opened
      title={t.title(name)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            kind="ink"
            type="submit"
            form={FORM_ID}
            disabledReason={costs || draft.live ? null : t.needsCosts}
          >
            {t.compare}
          </Button>
        </>
      }
    >
      <Form id={FORM_ID} className={styles.form} onSubmit={compare}>
        <p className={styles.rule}>{t.about}</p>
        <RadioGroup
          label={t.source}
          inRow
          data-autofocus
          value={draft.live ? 'live' : 'uploaded'}
          options={t.sources}
          onChange={value => setDraft({ ...draft, live: value === 'live' })}
        />
        {draft.live && <p className={styles.rule}>{t.aboutLive}</p>}
        {data && !costs && !draft.live && <Notice tone="yellow">{t.noCosts(name)}</Notice>}
        {isError && !data && (
          <LoadErrorNotice onRetry={() => void refetch()}>{t.failed}</LoadErrorNotice>
        )}
        <div className={styles.ruleFields}>
          <NumberField {...bind('percent')} max={MAX_RULE_PERCENT} />
          <NumberField {...bind('fixed')} max={MAX_RULE_DOLLARS} />
          <NumberField {...bind('floor')} max={MAX_RULE_DOLLARS} />
        </div>
        <RadioGroup
          label={t.rounding}
          inRow
          value={draft.rounding}
          options={t.roundings}
          onChange={rounding => setDraft({ ...draft, rounding })}
        />
        {costs && rule && !draft.live && <Example rule={rule} costs={costs} />}
        {costs && <CostCheckList uid={uid} />}
      </Form>
      {source && (
        <PricePreviewDialog
          userId={userId}
          source={source}
          onClose={() => setSource(null)}
          onDone={onClose}
        />
      )}
    </Dialog>
  )
}

function Example({ rule, costs }: { rule: PriceRuleInput; costs: ServiceCosts }) {
  const examples = ruleExamples(ruleFrom(rule), costs)
  return (
    <div role="status" aria-label={t.example}>
      <p className={styles.exampleTitle}>{t.example}</p>
      <ul className={styles.examples}>
        {examples.map(({ pounds, zone, cost, price }) => (
          <li key={pounds}>{t.line(pounds, zone, usd(cost), usd(price))}</li>
        ))}
      </ul>
    </div>
  )
}
