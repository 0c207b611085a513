/** The house put together: one server, one door, and each room's calls behind it. */
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { APP_PATHS } from '#contract/page-template.ts'
import { PRODUCT } from '#contract/product.ts'
import { checkOwner, checkRole } from './accounts/access.ts'
import { auditActingAs, auditForbidden } from './accounts/audit.ts'
import { callerFromDownloadCookie } from './accounts/download-cookie.ts'
import { openHashingLimiter } from './accounts/password.ts'
import { accountRoutes } from './accounts/routes.ts'
import type { UserDataDeps } from './accounts/service.ts'
import { authenticate } from './accounts/sessions.ts'
import { addressRoutes } from './addresses/routes.ts'
import { deleteAddressesOf } from './addresses/store.ts'
import { adminRoutes } from './admin/routes.ts'
import { batchRoutes, progressSource } from './batches/routes.ts'
import type { Carrier } from './carriers/port.ts'
import { carrierRoutes } from './carriers/routes.ts'
import { openPageFacts } from './catalogue/page-facts.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { downloadRoutes } from './downloads/routes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { openMetrics } from './metrics.ts'
import { hasOpenLabels } from './orders/open-labels-store.ts'
import { orderRoutes } from './orders/routes.ts'
import { openPayments } from './payments/open.ts'
import type { Context } from './platform/context.ts'
import { getInstanceName } from './platform/database/settings.ts'
import { completeDocument } from './platform/http/openapi.ts'
import { openRequestLimits } from './platform/http/request-limits.ts'
import { logRequests } from './platform/http/request-log.ts'
import { createRouter } from './platform/http/router.ts'
import type { Router } from './platform/http/router.ts'
import { createHttpServer } from './platform/http/server.ts'
import { servePages } from './platform/http/web-pages.ts'
import { openMailer } from './platform/mail/mailer.ts'
import { VERSION } from './platform/process/version.ts'
import { openLiveUpdates } from './platform/realtime/live-updates.ts'
import { openPurchasing } from './purchasing/open.ts'
import { referralRoutes } from './referrals/routes.ts'
import { skuRoutes } from './skus/routes.ts'
import { deleteSkusOf } from './skus/store.ts'
import { systemRoutes } from './system-routes.ts'

const WEB = join(import.meta.dirname, '..', 'web', 'dist')
/** The page that a mailed link opens: whoever has the address can set the password. */
const SECRET_PAGES = /^reset-password\b/i

export type App = {
  /** The server; listening is left to whoever built it. */
  app: FastifyInstance
  router: Router
  /** Begins what runs beside the calls. Before listening. */
  start(): Promise<void>
  /** Ends it, after the calls under way are answered. The database stays open: who opened it closes it. */
  stop(): Promise<void>
}

export type AppOptions = {
  /** Logs nothing, for tests. */
  silent?: boolean
  /** Replaces the carrier, so that a test decides when and what it responds. */
  wrapCarrier?: (carrier: Carrier) => Carrier
}

/** What other rooms keep of a user who is deleted. */
const USER_DELETION_HOOKS: UserDataDeps = {
  hasOpenLabels: hasOpenLabels,
  async deleteUserData(tx, userId) {
    await deleteAddressesOf(tx, userId)
    await deleteSkusOf(tx, userId)
  },
}

/** The description of the calls, to be filled with them. */
const OPENAPI_OPTIONS = {
  openapi: {
    openapi: '3.1.0',
    info: { title: PRODUCT, version: VERSION },
    components: {
      securitySchemes: { token: { type: 'apiKey' as const, in: 'header', name: 'token' } },
    },
  },
  transform: jsonSchemaTransform,
}

/** Builds the server on an open, migrated database. Two of them in one process share nothing. */
export async function buildApp(given: Context, options: AppOptions = {}): Promise<App> {
  const metrics = openMetrics(given)
  const ctx: Context = { ...given, meter: metrics.meter }
  const { config } = ctx
  const limits = openRequestLimits(ctx)
  const workshop = openPurchasing(ctx, options.wrapCarrier)
  const till = openPayments(ctx, limits)
  const post = openMailer(ctx)
  const rooms = {
    ...ctx,
    limits,
    limitHashing: openHashingLimiter(),
    mailer: post,
    instance: await getInstanceName(ctx),
    userData: USER_DELETION_HOOKS,
  }

  const app = createHttpServer({
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    silent: options.silent,
    publicUrl: () => config.publicUrl,
  })
  logRequests(app, ctx.meter)
  await app.register(cookie)
  // Before the routes: it learns of them as they are added.
  await app.register(swagger, OPENAPI_OPTIONS)

  const door = createRouter(app, {
    authenticate: authenticate(ctx),
    authenticateDownload: request => callerFromDownloadCookie(rooms, request),
    checkRole,
    checkOwner,
    admit: limits.admit,
    onRefused: auditForbidden(rooms),
    beforeAction: auditActingAs(ctx),
  })
  systemRoutes(door, ctx, {
    paymentScript: till.provider.script,
    followsParcels: workshop.carrier.track !== null,
  })
  ledgerRoutes(door, ctx)
  accountRoutes(door, rooms)
  referralRoutes(door, rooms)
  addressRoutes(door, ctx)
  skuRoutes(door, ctx)
  carrierRoutes(door, workshop)
  catalogueRoutes(door, workshop)
  orderRoutes(door, workshop)
  batchRoutes(door, workshop)
  downloadRoutes(door, workshop)
  till.registerRoutes(app, door)
  adminRoutes(door, workshop)
  app.get('/api/openapi.json', { schema: { hide: true } as object }, async () =>
    completeDocument(app.swagger(), door.calls, config.publicUrl),
  )
  const hosts = till.provider.origin ? [till.provider.origin] : []
  await servePages(app, {
    folder: WEB,
    origins: hosts,
    pageFacts: openPageFacts(ctx),
    knownPaths: APP_PATHS,
    secretPaths: SECRET_PAGES,
  })
  const live = openLiveUpdates({
    app,
    ctx,
    authenticate: authenticate(ctx),
    admit: address => limits.admit(address, 'lines'),
    progress: progressSource(workshop),
  })
  metrics.serve(app, limits.admit, live.countSockets)

  app.setNotFoundHandler((request, reply) => {
    const message = `There is nothing at ${request.method} ${request.url.split('?')[0]}`
    return reply.code(404).header('cache-control', 'no-store').send({ message, error: message })
  })

  // What runs beside the calls; ended in reverse.
  const beside =
    config.role === 'worker'
      ? [metrics, limits, post, workshop, till]
      : [metrics, limits, post, workshop, till, live]
  return {
    app,
    router: door,
    async start() {
      for (const one of beside) await one.start()
    },
    async stop() {
      await Promise.all([workshop.drain(), app.close()])
      for (const one of beside.toReversed()) await one.stop()
    },
  }
}
