import type { EasypostMode } from '#contract/easypost-objects.ts'
import { deliveryDaysOf } from '#server/carriers/services.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { trackingPageOf } from '#server/orders/wire.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { BatchContext } from './batch-wire.ts'
import { batchLabelUrlOf, labelUrlOf } from './label-links.ts'
import type { LabelFileFormat } from './rules.ts'
import type { TrackerContext, WireContext } from './wire.ts'

/** `clock`: ms since 1970. */
export type EasypostContext = LabelContext & { secretKey: SecretKey; clock: () => number }

export const modeOf = ({ config }: Pick<LabelContext, 'config'>): EasypostMode =>
  config.mode === 'sandbox' ? 'test' : 'production'

/** Our own labels are drawn in each format; a carrier makes a PDF and those that it names. */
export const formatsOf = ({ carrier }: LabelContext): LabelFileFormat[] =>
  carrier.fetchLabel === null
    ? ['pdf', 'png', 'zpl']
    : [...new Set(['pdf' as const, ...carrier.labelFormats])]

export const trackerContext = (ctx: Pick<LabelContext, 'config'>): TrackerContext => ({
  mode: modeOf(ctx),
  parcelPage(order) {
    const path = trackingPageOf(order)
    return path && `${ctx.config.publicUrl.replace(/\/$/, '')}${path}`
  },
})

export const wireContext = (ctx: EasypostContext): WireContext => ({
  ...trackerContext(ctx),
  formats: formatsOf(ctx),
  labelUrl: (order, format) => labelUrlOf(ctx, order, format, ctx.clock()),
})

export const latestDay = (uid: string): number | null => deliveryDaysOf(uid)?.to ?? null

export const batchContext = (
  ctx: Pick<EasypostContext, 'config' | 'secretKey' | 'clock'>,
): BatchContext & TrackerContext => ({
  ...trackerContext(ctx),
  batchLabelUrl: (key, format) => batchLabelUrlOf(ctx, key, format, ctx.clock()),
})
