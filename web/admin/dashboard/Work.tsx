/** What waits for the operator, and what he can do about it here. */
import { IconCircleCheck } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ComponentProps } from 'react'
import type { dashboard } from '#contract/admin.ts'
import type { Answered } from '#contract/call.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { DateTime } from '#web/ui/Value.tsx'
import { Account } from './Account.tsx'
import { Coming } from './Coming.tsx'
import { useDecision } from './Decision.tsx'
import { Deposits } from './Deposits.tsx'
import { Files } from './Files.tsx'
import { texts as all } from './texts.ts'
import styles from './AdminDashboard.module.css'

const texts = all.work

type WorkOf = Answered<typeof dashboard>['work']
type CarrierProblem = NonNullable<Answered<typeof dashboard>['carrierProblem']>

/** Undefined while it is coming. */
export function Work({
  work,
  problem,
}: {
  work: WorkOf | undefined
  problem: CarrierProblem | null
}) {
  const list = useRef<HTMLDivElement>(null)
  // What was done is gone, and its button with it: whoever works by keyboard goes on from the top of the list.
  const toTop = () => list.current?.focus()
  const { ask, question } = useDecision(toTop)
  return (
    <Card title={texts.title} className={styles.work}>
      <div
        ref={list}
        tabIndex={-1}
        className={styles.groups}
        aria-busy={work === undefined || undefined}
      >
        {work ? (
          <Groups work={work} problem={problem} onDone={toTop} onAsk={ask} />
        ) : (
          <>
            <Coming />
            <Coming width="90%" />
          </>
        )}
      </div>
      {/* Not in the list: that may be empty, for somebody else was first, while there is something left to say. */}
      {question}
    </Card>
  )
}

type GroupsProps = {
  work: WorkOf
  problem: CarrierProblem | null
  onDone: () => void
  onAsk: ComponentProps<typeof Deposits>['onAsk']
}

function Groups({ work, problem, onDone, onAsk }: GroupsProps) {
  const { unknown, voids, deposits, files, elsewhere } = work
  if (!problem && Object.values(work).every(({ count }) => count === 0)) {
    return (
      <div className={styles.nothing}>
        <IconCircleCheck aria-hidden="true" />
        <div>
          <p className={styles.groupTitle}>{texts.none}</p>
          <p className={styles.quiet}>{texts.noneText}</p>
        </div>
      </div>
    )
  }
  return (
    <>
      {problem && <Account problem={problem} onDone={onDone} />}
      {unknown.count > 0 && (
        <Labels state="unknown" waiting={unknown} title={texts.unknown} text={texts.unknownText} />
      )}
      {voids.count > 0 && (
        <Labels state="voiding" waiting={voids} title={texts.voids} text={texts.voidsText} />
      )}
      {elsewhere.count > 0 && <Elsewhere labels={elsewhere} />}
      {deposits.count > 0 && <Deposits total={deposits.count} onAsk={onAsk} />}
      {files.count > 0 && <Files total={files.count} onDone={onDone} />}
    </>
  )
}

/** Labels of which only another carrier account can tell: what helps is done outside of this page. */
function Elsewhere({ labels: { count, accounts, oldest } }: { labels: WorkOf['elsewhere'] }) {
  return (
    <div className={styles.group}>
      <div className={styles.taskHead}>
        <h3 className={styles.groupTitle}>{texts.elsewhere(count)}</h3>
        {oldest && (
          <span className={styles.quiet}>
            {texts.since} <DateTime at={oldest} />
          </span>
        )}
      </div>
      <p className={styles.detailLine}>{texts.elsewhereText(accounts)}</p>
    </div>
  )
}

type LabelsProps = {
  state: 'unknown' | 'voiding'
  waiting: WorkOf['unknown']
  title: (count: number) => string
  text: (count: number) => string
}

/** Labels are looked after where all labels are. */
function Labels({ state, waiting: { count, oldest }, title, text }: LabelsProps) {
  const to = `/admin/order-label-management?state=${state}`
  return (
    <div className={styles.group}>
      <div className={styles.taskHead}>
        <h3 className={styles.groupTitle}>{title(count)}</h3>
        {oldest && (
          <span className={styles.quiet}>
            {texts.since} <DateTime at={oldest} />
          </span>
        )}
      </div>
      <p className={styles.detailLine}>{text(count)}</p>
      <div className={styles.taskAction}>
        <ButtonLink size="small" to={to} aria-label={`${texts.look(count)}: ${title(count)}`}>
          {texts.look(count)}
        </ButtonLink>
      </div>
    </div>
  )
}
