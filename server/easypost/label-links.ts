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

/** Whole days, so that an address stays the same for a day. `today`: days since 1970. */
export function linkName(
  { secretKey }: Pick<LinkContext, 'secretKey'>,
  id: string,
  format: LabelFileFormat,
  today: number,
): string {
  const subject = `${id}.${(today + LINK_DAYS + 1).toString(36)}.${format}`
  return subject.replace(/\.(?=[a-z]+$)/, `.${secretKey.sign(PURPOSE, subject)}.`)
}

export const labelUrlOf = (
  ctx: LinkContext,
  order: Pick<OrderRecord, 'id' | 'pdfKey'>,
  format: LabelFileFormat,
): string => urlOf(ctx, labelObjectId('pl', order), format)

export const batchLabelUrlOf = (
  ctx: LinkContext,
  batchKey: string,
  format: LabelFileFormat,
): string => urlOf(ctx, formatId('batch', batchKey), format)

const urlOf = (ctx: LinkContext, id: string, format: LabelFileFormat): string =>
  `${ctx.config.publicUrl.replace(/\/$/, '')}/v2/labels/${linkName(ctx, id, format, todayNumber())}`

const todayNumber = (): number => Math.floor(Date.now() / DAY_MS)

const LINK_PATTERN = /^((?:pl|batch)_[0-9a-f]{32})\.([0-9a-z]{1,8})\.([\w-]{43})\.(pdf|png|zpl)$/

/** The id of a label or a batch; null for a name that was not signed here or has ended. */
export function readLinkName(
  { secretKey }: Pick<LinkContext, 'secretKey'>,
  name: string,
): { id: string; format: LabelFileFormat } | null {
  const [, id = '', end = '', signature = '', format = ''] = LINK_PATTERN.exec(name) ?? []
  if (id === '' || !secretKey.isSigned(PURPOSE, `${id}.${end}.${format}`, signature)) return null
  return Number.parseInt(end, 36) > todayNumber() ? { id, format: format as LabelFileFormat } : null
}
