import { MAX_SEEN_ROWS, seenRows } from '#contract/batches.ts'
import type { FieldFault } from '#contract/faults.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { pagesOf } from '#server/platform/http/long-answers.ts'
import type { LongAnswers } from '#server/platform/http/long-answers.ts'
import type { LongList } from '#server/platform/http/long-list.ts'
import { firstWrongFields, Refusal } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { yieldToOthers } from '#server/platform/process/turns.ts'
import { readSeenKeys } from './seen-rules.ts'
import type { SeenKey } from './seen-rules.ts'
import { findSeen } from './seen.ts'
import { getOwnBatch } from './submit.ts'

export function registerSeenRoutes(router: Router, ctx: LabelContext, answers: LongAnswers): void {
  router.handle(
    seenRows,
    async request => {
      const { params, body, longList } = request
      const userId = Number(params.userId)
      const { failedOf } = body
      const { file, rows } = await answers.run(request, async () =>
        findSeen(ctx.database.db, userId, {
          keys: await readQuestion(longList),
          fileHash: body.fileHash?.toLowerCase() ?? null,
          ...(failedOf && { failedOf: await getOwnBatch(ctx, userId, Number(failedOf)) }),
        }),
      )
      return answers.list(seenRows, request, {
        count: rows.length,
        pages: pagesOf(rows, async some => some),
        listName: 'rows',
        wrap: some => ({ file, rows: some }),
      })
    },
    { list: { maxItems: MAX_SEEN_ROWS } },
  )
}

/** Throws Refusal 422 naming wrong fields, '17.row' in the seventeenth entry. */
async function readQuestion(rows: LongList): Promise<SeenKey[]> {
  const keys: SeenKey[] = []
  const wrong: [string, FieldFault][] = []
  let before = 0
  for (const page of rows.pages()) {
    const read = readSeenKeys(page, before)
    for (const key of read.keys) keys.push(key)
    for (const fault of read.faults) wrong.push(fault)
    before += page.length
    await yieldToOthers()
  }
  if (wrong.length === 0) return keys
  const { fields, more } = firstWrongFields(wrong)
  const { code, text } = wrong[0]![1]
  throw new Refusal(code, `${text}${more}`, { fields })
}
