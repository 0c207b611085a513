import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  adjustmentRules,
  applyAdjustments,
  creditAdjustment,
  declineDispute,
  matchAdjustment,
  previewAdjustments,
  setAdjustmentRule,
} from '#contract/adjustments.ts'
import type { AdjustmentRule, AdjustmentRuleKind } from '#contract/adjustments.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import type { TableFile } from '#web/client/table-file.ts'

/** A part takes a few seconds: each of its lines is a transaction. */
const LINES_PER_PART = 500

async function applyInParts(
  { fileName, rows: [header = [], ...lines] }: TableFile,
  rulesSeen: string,
) {
  let applied = 0
  for (let from = 0; from < lines.length; from += LINES_PER_PART) {
    const rows = [header, ...lines.slice(from, from + LINES_PER_PART)]
    const body = { fileName, rows, firstRow: from + 2, rulesSeen }
    const totals = await send(applyAdjustments, { body })
    applied += totals.lines - totals.repeated
  }
  return applied
}

/** `attempt` identifies the preview: another one compares again. */
export function useAdjustmentPreview({ fileName, rows }: TableFile, attempt: string) {
  const { _id: adminId } = useUser()
  return useQuery({
    queryKey: queryKeys.adjustmentPreview(adminId, attempt),
    queryFn: () => send(previewAdjustments, { body: { fileName, rows } }),
    gcTime: 0,
    retry: false,
  })
}

/** Each throws ApiError. */
export function useAdjustmentActions() {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const reload = async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: queryKeys.allAdjustments(adminId) }),
      queries.invalidateQueries({ queryKey: queryKeys.adminDashboard(adminId) }),
      queries.invalidateQueries({ queryKey: queryKeys.users(adminId) }),
    ])
  }
  return {
    /** Returns how many lines were new. `rulesSeen`: of the preview. */
    apply: (file: TableFile, rulesSeen: string) => applyInParts(file, rulesSeen).finally(reload),
    credit: (id: string) => send(creditAdjustment, { params: { id } }).finally(reload),
    decline: (id: string, answer: string) =>
      send(declineDispute, { params: { id }, body: { answer } }).finally(reload),
    match: (id: string, orderId: string) =>
      send(matchAdjustment, { params: { id }, body: { orderId } }).finally(reload),
  }
}

/** `seen`: the rule that it replaces, null for none; without it any. */
export type NewRule = {
  userId?: string
  rule: AdjustmentRuleKind | null
  limit: number | null
  seen?: AdjustmentRule | null
}

export function useAdjustmentRules() {
  const { _id: adminId } = useUser()
  const queries = useQueryClient()
  const queryKey = queryKeys.adjustmentRules(adminId)
  const { data, isError, refetch } = useQuery({
    queryKey,
    queryFn: () => send(adjustmentRules, {}),
  })
  return {
    rules: data,
    failed: isError && !data,
    retry: () => void refetch(),
    /** Throws ApiError; then the rules are read again. */
    set: async (body: NewRule) => {
      try {
        queries.setQueryData(queryKey, await send(setAdjustmentRule, { body }))
      } catch (failure) {
        await refetch()
        throw failure
      }
    },
  }
}
