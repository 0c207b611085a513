/** Bulk orders whose files could not be made, with a button to make them again. */
import type { BatchFileFailure } from '#contract/batches.ts'
import { listBatchFileFailures, rebuildBatchFiles } from '#contract/batches.ts'
import { send } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { TASKS_PAGE_SIZE, Task, TaskList } from './TaskList.tsx'
import { texts } from './texts.ts'
import { useTaskAction } from './use-task-action.ts'

const t = texts.work

const loadFilesProblems = async (page: number, signal: AbortSignal) =>
  (await send(listBatchFileFailures, { query: { page, limit: TASKS_PAGE_SIZE } }, { signal }))
    .batches

export function BatchFileTasks({ total, onDone }: { total: number; onDone: () => void }) {
  return (
    <TaskList
      kind="files"
      title={t.files(total)}
      total={total}
      load={loadFilesProblems}
      failed={t.filesFailed}
    >
      {batch => <BatchFileTask key={batch.batchId} batch={batch} onDone={onDone} />}
    </TaskList>
  )
}

function BatchFileTask({
  batch: { batchId, user, totalCount, problem, since },
  onDone,
}: {
  batch: BatchFileFailure
  onDone: () => void
}) {
  const { busy, run } = useTaskAction<'rebuild'>(onDone)
  const rebuild = () =>
    run('rebuild', send(rebuildBatchFiles, { params: { batchId } }), t.rebuildFailed)
  return (
    <Task
      title={t.batch(batchId)}
      user={user}
      detail={t.without(totalCount, problem)}
      at={since}
      action={
        <Button
          size="small"
          busy={busy !== null}
          aria-label={t.rebuildOf(batchId)}
          onClick={rebuild}
        >
          {t.rebuild}
        </Button>
      }
    />
  )
}
