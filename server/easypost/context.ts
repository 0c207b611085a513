import type { EasypostMode } from '#contract/easypost-objects.ts'
import { deliveryDaysOf } from '#server/carriers/services.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { BatchContext } from './batch-wire.ts'
import { batchLabelUrlOf, labelUrlOf } from './label-links.ts'
import type { LabelFileFormat } from './rules.ts'
import type { WireContext } from './wire.ts'

export type EasypostContext = LabelContext & { secretKey: SecretKey }

export const modeOf = ({ config }: Pick<LabelContext, 'config'>): EasypostMode =>
  config.mode === 'sandbox' ? 'test' : 'production'

/** Our own labels are drawn in each format; a carrier makes a PDF and those that it names. */
export const formatsOf = ({ carrier }: LabelContext): LabelFileFormat[] =>
  carrier.fetchLabel === null
    ? ['pdf', 'png', 'zpl']
    : [...new Set(['pdf' as const, ...carrier.labelFormats])]

export const wireContext = (ctx: EasypostContext): WireContext => ({
  mode: modeOf(ctx),
  formats: formatsOf(ctx),
  labelUrl: (order, format) => labelUrlOf(ctx, order, format, Date.now()),
})

export const latestDay = (uid: string): number | null => deliveryDaysOf(uid)?.to ?? null

export const batchContext = (ctx: Pick<EasypostContext, 'config' | 'secretKey'>): BatchContext => ({
  mode: modeOf(ctx),
  batchLabelUrl: (key, format) => batchLabelUrlOf(ctx, key, format, Date.now()),
})
