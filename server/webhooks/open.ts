import type { AccountsContext } from '#server/accounts/service.ts'
import type { Router } from '#server/platform/http/router.ts'
import { openWorkSlots } from '#server/platform/process/work-slots.ts'
import type { WebhooksContext } from './context.ts'
import type { MessageFormat } from './formats.ts'
import { WebhookJobs } from './jobs.ts'
import { guardedLookup, openNameResolver } from './outgoing/addresses.ts'
import type { ResolveName } from './outgoing/addresses.ts'
import { registerWebhookRoutes } from './routes.ts'
import { openSingleTries } from './single-try.ts'
import { STANDARD_FORMAT } from './standard-format.ts'

const TRY_LIMITS = {
  perUser: 2,
  total: 16,
  waitingPerUser: 4,
  waitingTotal: 32,
  patienceMs: 15_000,
}

export type OpenWebhooks = {
  ctx: WebhooksContext
  registerRoutes(router: Router): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** `easypost`: the format of endpoints made through /v2. `resolve`: asks another name service. */
export type WebhookOptions = {
  easypost?: MessageFormat | undefined
  resolve?: ResolveName | undefined
}

export function openWebhooks(
  accounts: AccountsContext,
  { easypost = STANDARD_FORMAT, resolve = openNameResolver() }: WebhookOptions,
): OpenWebhooks {
  const { config, database, log, meter, limits, mailer, secretKey } = accounts
  const ctx: WebhooksContext = {
    config,
    database,
    log,
    meter,
    limits,
    mailer,
    secretKey,
    formats: { standard: STANDARD_FORMAT, easypost },
    lookup: guardedLookup(resolve, config.webhooksAllowLoopback),
  }
  const singleTries = openSingleTries(
    ctx,
    openWorkSlots('tests and replays of webhooks', TRY_LIMITS),
  )
  const jobs = new WebhookJobs(ctx)
  const works = config.role !== 'web'
  return {
    ctx,
    registerRoutes: router => registerWebhookRoutes(router, ctx, singleTries),
    start: async () => (works ? jobs.start() : undefined),
    stop: async () => (works ? jobs.stop() : undefined),
  }
}
