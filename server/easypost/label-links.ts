/**
 * Addresses of label files that open without a key, for 30 days: the users of a program open them
 * in a browser. Signed with the installation's secret.
 */
import type { OrderRecord } from '#server/orders/rules.ts'
import type { Config } from '#server/platform/config.ts'
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import { formatId, labelObjectId } from './ids.ts'
import type { LabelFileFormat } from './rules.ts'

type LinkContext = { config: Pick<Config, 'publicUrl'>; secretKey: SecretKey }

const PURPOSE = 'easypost-label'
const DAY_MS = 24 * 3600_000
const LINK_DAYS = 30

/** Ends after whole days, so that an address stays the same for a day. */
export function linkName(
  { secretKey }: Pick<LinkContext, 'secretKey'>,
  id: string,
  format: LabelFileFormat,
  now: number,
): string {
  const end = Math.floor(now / DAY_MS) + LINK_DAYS + 1
  const subject = `${id}.${end.toString(36)}.${format}`
  return subject.replace(/\.(?=[a-z]+$)/, `.${secretKey.sign(PURPOSE, subject)}.`)
}

/** `now` in ms since 1970. */
export const labelUrlOf = (
  ctx: LinkContext,
  order: Pick<OrderRecord, 'id' | 'pdfKey'>,
  format: LabelFileFormat,
  now: number,
): string => urlOf(ctx, labelObjectId('pl', order), format, now)

export const batchLabelUrlOf = (
  ctx: LinkContext,
  batchKey: string,
  format: LabelFileFormat,
  now: number,
): string => urlOf(ctx, formatId('batch', batchKey), format, now)

export const scanFormUrlOf = (ctx: LinkContext, formKey: string, now: number): string =>
  urlOf(ctx, formatId('sf', formKey), 'pdf', now)

const urlOf = (ctx: LinkContext, id: string, format: LabelFileFormat, now: number): string =>
  `${ctx.config.publicUrl.replace(/\/$/, '')}/v2/labels/${linkName(ctx, id, format, now)}`

const LINK_PATTERN = /^((?:pl|batch|sf)_[0-9a-f]{32})\.([0-9a-z]{1,8})\.([\w-]{43})\.(pdf|png|zpl)$/

/** The id of a label, a batch or a SCAN form; null for a name that was not signed here or has ended. */
export function readLinkName(
  { secretKey }: Pick<LinkContext, 'secretKey'>,
  name: string,
  now: number,
): { id: string; format: LabelFileFormat } | null {
  const [, id = '', end = '', signature = '', format = ''] = LINK_PATTERN.exec(name) ?? []
  if (id === '' || !secretKey.isSigned(PURPOSE, `${id}.${end}.${format}`, signature)) return null
  return Number.parseInt(end, 36) * DAY_MS > now ? { id, format: format as LabelFileFormat } : null
}
