/** Tasks that are done on the dashboard itself, oldest first, in pages. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { UserSummary } from '#contract/accounts.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { LoadErrorNotice } from '#web/ui/ErrorLine.tsx'
import { Pagination } from '#web/ui/Pagination.tsx'
import { useFocusNewRow } from '#web/ui/use-focus-new-row.ts'
import { usePaging } from '#web/ui/use-paging.ts'
import { useIsDesktop } from '#web/ui/use-viewport.ts'
import { DateTime } from '#web/ui/Value.tsx'
import { texts } from './texts.ts'
import { DASHBOARD_REFRESH_MS } from './use-dashboard.ts'
import { ValuePlaceholder } from './ValuePlaceholder.tsx'
import styles from './AdminDashboard.module.css'

export const TASKS_PAGE_SIZE = 5
/** More would push what else needs attention and the figures out of sight. */
const FOLDED_SIZE = { desktop: 3, small: 2 }

type TaskListProps<Row> = {
  kind: 'deposits' | 'files' | 'mails' | 'scans'
  title: string
  /** From the dashboard figures. */
  total: number
  load: (page: number, signal: AbortSignal) => Promise<Row[]>
  failed: string
  /** Renders a `<Task>` for each row. */
  children: (row: Row) => ReactNode
}

export function TaskList<Row>({ kind, title, total, load, failed, children }: TaskListProps<Row>) {
  const { _id } = useUser()
  const paging = usePaging({ total, size: TASKS_PAGE_SIZE, param: kind })
  const { data, isError, refetch } = useQuery({
    queryKey: queryKeys.operatorTasks(_id, kind, paging.page),
    queryFn: ({ signal }) => load(paging.page, signal),
    placeholderData: keepPreviousData,
    refetchInterval: DASHBOARD_REFRESH_MS,
  })
  const [unfolded, setUnfolded] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const focusNewRow = useFocusNewRow(list)
  const foldedSize = useIsDesktop() ? FOLDED_SIZE.desktop : FOLDED_SIZE.small
  // A fold that hides one task would save nothing.
  const isFolded = !unfolded && paging.page === 1 && total > foldedSize + 1
  return (
    <div className={styles.group}>
      <h3 className={styles.groupTitle}>{title}</h3>
      {data ? (
        <ul ref={list} className={styles.tasks}>
          {(isFolded ? data.slice(0, foldedSize) : data).map(children)}
        </ul>
      ) : isError ? (
        <LoadErrorNotice onRetry={() => void refetch()}>{failed}</LoadErrorNotice>
      ) : (
        <>
          <ValuePlaceholder />
          <ValuePlaceholder width="90%" />
        </>
      )}
      {data && isFolded && (
        <div className={styles.pages}>
          <Button
            size="small"
            kind="quiet"
            onClick={() => {
              focusNewRow()
              setUnfolded(true)
            }}
          >
            {texts.work.showAll(total)}
          </Button>
        </div>
      )}
      {(data || isError) && !isFolded && paging.pages > 1 && (
        <div className={styles.pages}>
          <Pagination
            page={paging.page}
            pages={paging.pages}
            onPage={paging.setPage}
            name={title}
          />
        </div>
      )}
    </div>
  )
}

type TaskProps = {
  title: string
  /** The name links to the user's wallet statement; null when there is no user. */
  user: UserSummary | null
  detail: string | null
  /** Waiting since: ISO text or ms. */
  at: string | number
  action: ReactNode
}

export function Task({ title, user, detail, at, action }: TaskProps) {
  return (
    <li className={styles.task}>
      <div className={styles.taskHead}>
        <p className={styles.taskTitle}>{title}</p>
        <span className={styles.quiet}>
          <DateTime at={at} />
        </span>
      </div>
      {user && (
        <p className={styles.person}>
          <Link
            to={`/admin/user-management/${user._id}/statement`}
            aria-label={texts.work.statement(user.name)}
          >
            {user.name}
          </Link>{' '}
          <span className={styles.quiet}>{user.email}</span>
        </p>
      )}
      <div className={styles.taskFoot}>
        {detail && <p className={styles.detailLine}>{detail}</p>}
        <div className={styles.taskAction}>{action}</div>
      </div>
    </li>
  )
}
