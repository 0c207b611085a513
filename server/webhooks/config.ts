import { choice } from '#server/platform/variables.ts'
import type { ValuesOf } from '#server/platform/variables.ts'

export const WEBHOOK_VARIABLES = {
  WEBHOOKS_ALLOW_LOOPBACK: choice('yes', 'no').default('no'),
}

export const webhookConfig = (v: ValuesOf<typeof WEBHOOK_VARIABLES>) => ({
  /** Messages may go to this machine, also by http; in a sandbox only. */
  webhooksAllowLoopback: v.WEBHOOKS_ALLOW_LOOPBACK === 'yes',
})
