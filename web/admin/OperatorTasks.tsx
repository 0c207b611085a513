/** Work that waits for the operator. */
import { IconCircleCheck } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ComponentProps } from 'react'
import type { BalanceRequest } from '#contract/accounts.ts'
import type { getAdminDashboard } from '#contract/admin.ts'
import type { ResponseData } from '#contract/endpoint.ts'
import { usdFromDollars } from '#contract/money.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { BalanceRequestTasks, useBalanceDecision } from './BalanceRequestTasks.tsx'
import { BatchFileTasks } from './BatchFileTasks.tsx'
import { CarrierAccountTask } from './CarrierAccountTask.tsx'
import { DepositTasks } from './DepositTasks.tsx'
import { MailTasks } from './MailTasks.tsx'
import { RefundsDue } from './RefundsDue.tsx'
import { TaskGroup } from './TaskGroup.tsx'
import { texts } from './texts.ts'
import { useBalanceRequests } from './use-dashboard.ts'
import { useDepositDecision } from './use-deposit-decision.tsx'
import { ValuePlaceholder } from './ValuePlaceholder.tsx'
import { VoidedScanTasks } from './VoidedScanTasks.tsx'
import styles from './AdminDashboard.module.css'

const t = texts.work

type DashboardWork = ResponseData<typeof getAdminDashboard>['work']
type SetupTask = ResponseData<typeof getAdminDashboard>['setup'][number]
type CarrierProblem = NonNullable<ResponseData<typeof getAdminDashboard>['carrierProblem']>

/** `work` is undefined while loading. */
export function OperatorTasks({
  work,
  problem,
  setup,
}: {
  work: DashboardWork | undefined
  problem: CarrierProblem | null
  setup: readonly SetupTask[]
}) {
  const list = useRef<HTMLDivElement>(null)
  // A finished task disappears with its button, so keyboard focus returns to the top of the list.
  const toTop = () => list.current?.focus()
  const { open, dialog } = useDepositDecision(toTop)
  const balance = useBalanceDecision(toTop)
  const { data, isError, refetch } = useBalanceRequests()
  return (
    <Card title={t.title}>
      <div
        ref={list}
        tabIndex={-1}
        className={styles.groups}
        aria-busy={work === undefined || undefined}
      >
        {isError && !data && (
          <LoadErrorNotice onRetry={() => void refetch()}>
            {texts.balanceRequests.loadFailed}
          </LoadErrorNotice>
        )}
        {work && (data ?? isError) ? (
          <TaskGroups
            work={work}
            problem={problem}
            setup={setup}
            requests={data?.requests ?? []}
            onDone={toTop}
            onDecide={open}
            onDecideBalance={balance.open}
          />
        ) : (
          <>
            <ValuePlaceholder />
            <ValuePlaceholder width="90%" />
          </>
        )}
      </div>
      {/* Outside of the list, which may be empty already while this dialog still shows a result. */}
      {dialog}
      {balance.dialog}
    </Card>
  )
}

type TaskGroupsProps = {
  work: DashboardWork
  problem: CarrierProblem | null
  setup: readonly SetupTask[]
  requests: BalanceRequest[]
  onDone: () => void
  onDecide: ComponentProps<typeof DepositTasks>['onDecide']
  onDecideBalance: ComponentProps<typeof BalanceRequestTasks>['onDecide']
}

function TaskGroups(props: TaskGroupsProps) {
  const { work, problem, setup, requests, onDone, onDecide, onDecideBalance } = props
  const { unknown, voids, deposits, files, mails, scans, losses, disputes } = work
  const { elsewhere } = work
  const waiting = problem !== null || setup.length > 0 || requests.length > 0
  if (!waiting && Object.values(work).every(({ count }) => count === 0)) {
    return (
      <div className={styles.nothing}>
        <IconCircleCheck aria-hidden="true" />
        <div>
          <p className={styles.groupTitle}>{t.none}</p>
          <p className={styles.quiet}>{t.noneText}</p>
        </div>
      </div>
    )
  }
  return (
    <>
      {problem && <CarrierAccountTask problem={problem} onDone={onDone} />}
      {setup.length > 0 && <SetupTaskGroup setup={setup} />}
      {requests.length > 0 && (
        <BalanceRequestTasks requests={requests} onDecide={onDecideBalance} />
      )}
      {unknown.count > 0 && (
        <LabelTaskGroup state="unknown" waiting={unknown} title={t.unknown} text={t.unknownText} />
      )}
      {voids.count > 0 && (
        <>
          <LabelTaskGroup state="voiding" waiting={voids} title={t.voids} text={t.voidsText} />
          <RefundsDue />
        </>
      )}
      {losses.count > 0 && <LossTaskGroup losses={losses} />}
      {scans.count > 0 && <VoidedScanTasks total={scans.count} onDone={onDone} />}
      {disputes.count > 0 && <DisputeTaskGroup disputes={disputes} />}
      {elsewhere.count > 0 && <OtherAccountTaskGroup labels={elsewhere} />}
      {deposits.count > 0 && <DepositTasks total={deposits.count} onDecide={onDecide} />}
      {files.count > 0 && <BatchFileTasks total={files.count} onDone={onDone} />}
      {mails.count > 0 && <MailTasks total={mails.count} onDone={onDone} />}
    </>
  )
}

/** What a live installation lacks before it sells. It is no part of the daily work, and goes away once it is done. */
function SetupTaskGroup({ setup }: { setup: readonly SetupTask[] }) {
  return (
    <div className={styles.group}>
      <h3 className={styles.groupTitle}>{t.setup}</h3>
      <ul className={styles.tasks}>
        {setup.map(({ part, text }) => (
          <li key={text} className={styles.task}>
            <p className={styles.detailLine}>{text}</p>
            {part === 'prices' && (
              <div className={styles.taskAction}>
                <ButtonLink size="small" to="/admin/default-services">
                  {t.setPrices}
                </ButtonLink>
              </div>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Labels that only another carrier account can look up. The operator resolves this outside of
 * Evenpost.
 */
const OtherAccountTaskGroup = ({
  labels: { count, accounts, oldest },
}: {
  labels: DashboardWork['elsewhere']
}) => <TaskGroup title={t.otherAccount(count)} since={oldest} text={t.otherAccountText(accounts)} />

/** Customers who object to a charge, on the page where they are answered. */
const DisputeTaskGroup = ({
  disputes: { count, oldest },
}: {
  disputes: DashboardWork['disputes']
}) => (
  <TaskGroup title={t.disputes(count)} since={oldest} text={t.disputesText}>
    <ButtonLink size="small" to="/admin/adjustments?show=disputed">
      {t.showDisputes}
    </ButtonLink>
  </TaskGroup>
)

/** Labels above the loss ceiling. They leave the list after 7 days. */
const LossTaskGroup = ({
  losses: { count, refused, lost, oldest, newest },
}: {
  losses: DashboardWork['losses']
}) => (
  <TaskGroup
    title={t.losses(count)}
    since={oldest}
    text={t.lossesText(refused, count - refused, usdFromDollars(lost))}
  >
    <div className={styles.decisions}>
      {newest && (
        <ButtonLink size="small" to={`/admin/order-label-management/${newest}`}>
          {t.openLoss(count)}
        </ButtonLink>
      )}
      <ButtonLink kind="quiet" size="small" to="/admin/default-services">
        {t.showPrices}
      </ButtonLink>
    </div>
  </TaskGroup>
)

type LabelTaskGroupProps = {
  state: 'unknown' | 'voiding'
  waiting: DashboardWork['unknown']
  title: (count: number) => string
  text: (count: number) => string
}

/** Links to order label management, where these labels are resolved. */
function LabelTaskGroup({ state, waiting: { count, oldest }, title, text }: LabelTaskGroupProps) {
  const to = `/admin/order-label-management?state=${state}`
  return (
    <TaskGroup title={title(count)} since={oldest} text={text(count)}>
      <ButtonLink size="small" to={to} aria-label={`${t.showLabels(count)}: ${title(count)}`}>
        {t.showLabels(count)}
      </ButtonLink>
    </TaskGroup>
  )
}
