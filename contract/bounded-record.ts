import * as z from 'zod'

/**
 * A record of at most `maximum` entries. The server counts them before any is read: zod makes an
 * issue for each wrong one.
 */
export const boundedRecord = <Key extends z.core.$ZodRecordKey, Value extends z.core.SomeType>(
  key: Key,
  value: Value,
  maximum: number,
) =>
  z.record(key, value).refine(entries => Object.keys(entries).length <= maximum, {
    message: `must have at most ${maximum.toLocaleString('en-US')} entries`,
    params: { maximum },
  })
