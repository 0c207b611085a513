import * as calls from '#contract/adjustments.ts'
import type { AdminAdjustment, Adjustment, AdjustmentPreview } from '#contract/adjustments.ts'
import { cents, dollars } from '#contract/money.ts'
import { personWire } from '#server/accounts/wire.ts'
import type { Context } from '#server/platform/context.ts'
import type { Router } from '#server/platform/http/router.ts'
import { applyFile, previewFile } from './apply.ts'
import type { FileTotals, Preview, PreviewedLine } from './apply.ts'
import { noteOf, stateOf } from './rules.ts'
import type { Rule } from './rules.ts'
import {
  adjustmentsOf,
  allAdjustments,
  creditBack,
  decline,
  dispute,
  match,
  readRules,
  setRule,
} from './service.ts'
import type { AdjustmentView, Rules } from './service.ts'

export function registerAdjustmentRoutes(router: Router, ctx: Context): void {
  const { db } = ctx.database

  router.handle(calls.listAdjustments, async ({ params, query }) => {
    const { orderId, ...page } = query
    const of = orderId === undefined ? null : Number(orderId)
    const found = await adjustmentsOf(db, Number(params.userId), of, page)
    return {
      adjustments: found.adjustments.map(adjustmentWire),
      totalCount: found.total,
      waiting: waitingWire(found.waiting),
    }
  })
  router.handle(calls.disputeAdjustment, async ({ params, body }) =>
    adjustmentWire(await dispute(ctx, Number(params.userId), Number(params.id), body.note)),
  )

  router.handle(calls.previewAdjustments, async ({ body, caller }) =>
    previewWire(await previewFile(db, body.rows, caller.userId)),
  )
  router.handle(calls.applyAdjustments, async ({ body, caller }) =>
    totalsWire(await applyFile(ctx, body, caller.userId)),
  )
  router.handle(calls.listAllAdjustments, async ({ query: { show, ...page } }) => {
    const { adjustments, ...sums } = await allAdjustments(db, show, page)
    return {
      adjustments: adjustments.map(adminWire),
      totalCount: sums.total,
      disputed: sums.disputed,
      disputedAmount: dollars(sums.disputedAmount),
      unmatched: sums.unmatched,
      waiting: waitingWire(sums.waiting),
      lastDays: {
        days: calls.ADJUSTMENT_SUM_DAYS,
        passedOn: dollars(sums.passedOn),
        paid: dollars(sums.paid),
      },
    }
  })
  router.handle(calls.creditAdjustment, async ({ params, caller }) =>
    adminWire(await creditBack(ctx, Number(params.id), caller.userId)),
  )
  router.handle(calls.declineDispute, async ({ params, body, caller }) =>
    adminWire(await decline(ctx, Number(params.id), body.answer, caller.userId)),
  )
  router.handle(calls.matchAdjustment, async ({ params, body, caller }) =>
    adminWire(await match(ctx, Number(params.id), Number(body.orderId), caller.userId)),
  )

  router.handle(calls.adjustmentRules, async () => rulesWire(await readRules(db)))
  router.handle(calls.setAdjustmentRule, async ({ body, caller }) => {
    const { rule: kind, limit, seen } = body
    const change = {
      rule: kind && ruleOf({ rule: kind, limit }),
      seen: seen && ruleOf(seen),
    }
    const userId = body.userId === undefined ? null : Number(body.userId)
    return rulesWire(await setRule(ctx, userId, change, caller.userId))
  })
}

const ruleOf = ({ rule, limit }: calls.AdjustmentRule): Rule => ({
  kind: rule,
  limit: limit === null ? null : cents(Math.round(limit * 100)),
})

const waitingWire = ({
  charges,
  total,
}: {
  charges: number
  total: Parameters<typeof dollars>[0]
}) => ({
  count: charges,
  amount: dollars(total),
})

const adjustmentWire = (one: AdjustmentView): Adjustment => ({
  _id: String(one.id),
  orderId: one.orderId === null ? null : String(one.orderId),
  trackingNumber: one.trackingNumber,
  day: one.day,
  reason: noteOf(one.reason, one),
  amount: dollars(one.passed),
  waiting: dollars(one.waiting),
  creditedBack: dollars(one.creditedBack),
  state: stateOf({
    isMatched: one.orderId !== null,
    passed: one.passed,
    waiting: one.waiting,
    isCreditedBack: one.creditedBackAt !== null,
  }),
  declared: one.declared,
  measured: one.measured,
  dispute: disputeWire(one),
  createdAt: one.createdAt.toISOString(),
})

const disputeWire = (one: AdjustmentView): Adjustment['dispute'] =>
  one.dispute === null
    ? null
    : {
        note: one.dispute,
        at: one.disputedAt!.toISOString(),
        state: one.creditedBackAt ? 'credited' : one.answeredAt ? 'declined' : 'open',
        answer: one.answer,
        answeredAt: (one.creditedBackAt ?? one.answeredAt)?.toISOString() ?? null,
      }

const adminWire = (one: AdjustmentView): AdminAdjustment => ({
  ...adjustmentWire(one),
  carrierAmount: dollars(one.amount),
  user: one.user && personWire(one.user),
  carrier: one.carrier,
  account: one.account,
  fileName: one.fileName,
  rule: one.rule,
  limit: one.limit === null ? null : dollars(one.limit),
  wasVoided: one.wasVoided,
})

const totalsWire = ({ lines, repeated, unmatched, open, ...money }: FileTotals) => ({
  open,
  lines,
  repeated,
  unmatched,
  carrierAmount: dollars(money.carrierAmount),
  charged: dollars(money.charged),
  waiting: dollars(money.waiting),
  credited: dollars(money.credited),
})

const previewWire = (preview: Preview): AdjustmentPreview => ({
  rulesSeen: preview.rulesSeen,
  faults: preview.faults.slice(0, calls.PREVIEW_LINES),
  ignoredColumns: preview.ignoredColumns,
  lines: preview.lines.slice(0, calls.PREVIEW_LINES).map(lineWire),
  customers: preview.customers
    .slice(0, calls.PREVIEW_CUSTOMERS)
    .map(({ user, lines, charged, waiting, credited }) => ({
      user: personWire(user),
      lines,
      charged: dollars(charged),
      waiting: dollars(waiting),
      credited: dollars(credited),
    })),
  totals: totalsWire(preview.totals),
})

const lineWire = ({ line, label, state, amount, passed }: PreviewedLine) => ({
  row: line.row,
  trackingNumber: line.trackingNumber,
  orderId: label && String(label.orderId),
  user: label && personWire(label.user),
  reason: noteOf(line.reason, line),
  carrierAmount: dollars(amount),
  amount: dollars(passed),
  state,
  wasVoided: label?.wasVoided ?? false,
})

const ruleWire = ({ kind, limit }: Rule) => ({
  rule: kind,
  limit: limit === null ? null : dollars(limit),
})

const rulesWire = ({ all, users }: Rules) => ({
  all: ruleWire(all),
  users: users.map(({ user, ...rule }) => ({ user: personWire(user), ...ruleWire(rule) })),
})
