/** The warnings of the table by cause, each with its remedy. Amber: they never stop Submit. */
import { fieldByName } from '#contract/rows.ts'
import { Button } from '#web/ui/Button.tsx'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import { CauseChip, CauseChips } from './CauseChips.tsx'
import { warningTexts as texts } from './texts.ts'
import type { WarningGroup } from './warnings.ts'
import styles from './CauseChips.module.css'

type WarningChipsProps = {
  groups: readonly WarningGroup[]
  rowCount: number
  /** `key` of the group that the table shows alone. */
  shown: string | undefined
  onShow: (key: string | undefined) => void
  /** Takes the likely right value in each row of the group that has one. */
  onTake: (group: WarningGroup) => void
  onSplit: (group: WarningGroup) => void
}

export function WarningChips(props: WarningChipsProps) {
  const { groups, rowCount, shown, onShow, onTake, onSplit } = props
  const phone = useIsPhone()
  if (groups.length === 0) return null
  return (
    <CauseChips
      name={texts.list}
      tone="yellow"
      before={
        <p className={styles.count}>
          {texts.count(rowCount)}{' '}
          <span className={phone ? 'visually-hidden' : undefined}>{texts.noStop}</span>
        </p>
      }
    >
      {groups.map(group => {
        const isShown = shown === group.key
        return (
          <CauseChip
            key={group.key}
            text={texts.cause(group.rows.length, group.code, fieldByName(group.field).group)}
            isShown={isShown}
            onShow={() => onShow(isShown ? undefined : group.key)}
          >
            {group.suggestions > 0 && (
              <Button size="small" onClick={() => onTake(group)}>
                {group.suggestion === null
                  ? texts.take(group.suggestions)
                  : texts.takeOne(group.suggestion, group.suggestions)}
              </Button>
            )}
            {group.code === 'quantity_over_max' && (
              <Button size="small" onClick={() => onSplit(group)}>
                {texts.split}
              </Button>
            )}
          </CauseChip>
        )
      })}
    </CauseChips>
  )
}
