import { join } from 'node:path'
import cookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import { APP_PATHS } from '#contract/page-template.ts'
import { PRODUCT } from '#contract/product.ts'
import { checkOwner, checkRole } from './accounts/access.ts'
import { registerApiKeyRoutes } from './accounts/api-keys-routes.ts'
import { authenticateCaller } from './accounts/api-keys.ts'
import { auditAction, auditForbidden } from './accounts/audit.ts'
import { callerFromDownloadCookie } from './accounts/download-cookie.ts'
import { registerMailWriters } from './accounts/password-reset.ts'
import { createHashingLimiter } from './accounts/password.ts'
import { registerAccountRoutes } from './accounts/routes.ts'
import type { AccountsContext, UserDataDeps } from './accounts/service.ts'
import { authenticate, findActiveSessions, SESSION_ENDED_CHANNEL } from './accounts/sessions.ts'
import { openUnusedAccountsJob } from './accounts/unused-accounts.ts'
import { openActionOwner } from './action-owner.ts'
import { registerAddressRoutes } from './addresses/routes.ts'
import { deleteAddressesOf } from './addresses/service.ts'
import { registerAdjustmentRoutes } from './adjustments/routes.ts'
import { dashboardSumsJob } from './admin/jobs.ts'
import { registerMailRoutes } from './admin/mails-routes.ts'
import { registerAdminRoutes } from './admin/routes.ts'
import { registerImportRoutes } from './batches/imports-routes.ts'
import { deleteImportsOf } from './batches/imports-service.ts'
import { batchRooms } from './batches/live-updates.ts'
import { registerBatchRoutes } from './batches/routes.ts'
import type { Carrier } from './carriers/port.ts'
import { registerCarrierRoutes } from './carriers/routes.ts'
import { carrierAccounts } from './carriers/service.ts'
import { priceChangesJob, quoteSweepJob } from './catalogue/jobs.ts'
import { registerLossLimitRoutes } from './catalogue/loss-limit-routes.ts'
import { registerOptionPriceRoutes } from './catalogue/option-routes.ts'
import { openPageFacts } from './catalogue/page-facts.ts'
import { registerCatalogueRoutes } from './catalogue/routes.ts'
import { registerFailedRowsRoutes } from './downloads/failed-rows-routes.ts'
import { registerPackingRoutes } from './downloads/packing-routes.ts'
import { registerDownloadRoutes } from './downloads/routes.ts'
import { easypostErrorShape } from './easypost/errors.ts'
import { easypostEventFormat, openEasypost } from './easypost/open.ts'
import type { OpenEasypost } from './easypost/open.ts'
import { deleteEasypostDataOf } from './easypost/sweep.ts'
import { evidenceJob } from './evidence.ts'
import { farWaitsJob } from './far-waits.ts'
import { labelArchiveJob } from './label-archive.ts'
import { registerLedgerRoutes } from './ledger/routes.ts'
import { walletFiguresJob } from './ledger/wallet-figures.ts'
import { openScanFormJobs } from './manifests/jobs.ts'
import { registerScanFormRoutes } from './manifests/routes.ts'
import { openMetrics } from './metrics.ts'
import { registerLabelDetailsRoutes } from './orders/details-routes.ts'
import { registerPriceOptionRoutes } from './orders/price-option-routes.ts'
import { registerOrderRoutes } from './orders/routes.ts'
import { hasOpenLabels, hasOrders } from './orders/service.ts'
import { openPayments } from './payments/open.ts'
import type { OpenPayments } from './payments/open.ts'
import { hasInvoices } from './payments/service.ts'
import type { Context } from './platform/context.ts'
import { readingContext } from './platform/database/reader.ts'
import { getInstanceName } from './platform/database/settings.ts'
import { openLongAnswers } from './platform/http/long-answers.ts'
import { serveDocument } from './platform/http/openapi.ts'
import { openRequestLimits } from './platform/http/request-limits.ts'
import type { RequestLimits } from './platform/http/request-limits.ts'
import { createRouter } from './platform/http/router.ts'
import type { Router } from './platform/http/router.ts'
import { createHttpServer, logRequests } from './platform/http/server.ts'
import { watchForUntrustedProxy } from './platform/http/untrusted-proxy.ts'
import { servePages } from './platform/http/web-pages.ts'
import { openMailer } from './platform/mail/mailer.ts'
import { PROJECT_FOLDER } from './platform/process/project-folder.ts'
import { openSecretKey } from './platform/process/secret-key.ts'
import { VERSION } from './platform/process/version.ts'
import { openLiveUpdates } from './platform/realtime/live-updates.ts'
import { openPurchasing } from './purchasing/open.ts'
import type { OpenPurchasing } from './purchasing/open.ts'
import { registerPurchaseRoutes } from './purchasing/routes.ts'
import { registerReferralRoutes } from './referrals/routes.ts'
import { reportSumsJob } from './reports/jobs.ts'
import { registerReportRoutes, registerRunwayRoutes } from './reports/routes.ts'
import { openRunways } from './reports/runway.ts'
import { registerSkuRoutes } from './skus/routes.ts'
import { deleteSkusOf } from './skus/service.ts'
import { openOperatorPages, supportFacts } from './support/pages-service.ts'
import type { OperatorPages } from './support/pages-service.ts'
import { registerSupportRoutes } from './support/routes.ts'
import { registerSystemRoutes } from './system-routes.ts'
import { openReceiverMailsJob } from './tracking/receiver-mails.ts'
import { registerTrackingRoutes } from './tracking/routes.ts'
import { deletePageSettings } from './tracking/service.ts'
import { registerVoidRoutes } from './voids/routes.ts'
import { openWebhooks } from './webhooks/open.ts'
import type { OpenWebhooks } from './webhooks/open.ts'
import type { ResolveName } from './webhooks/outgoing/addresses.ts'
import { deleteWebhooksOf } from './webhooks/service.ts'

const WEB = join(PROJECT_FOLDER, 'web', 'dist')
/** The pages of mailed links, whose addresses open an account, and administrators' pages. */
const SECRET_PAGES =
  /^(?:(?:reset-password|verify-email|undo-email-change|track|stop-parcel-mails)\b|admin(?:\/|$))/i

export type App = {
  /** Not listening yet. */
  app: FastifyInstance
  router: Router
  /** Starts background work. Call it before listening. */
  start(): Promise<void>
  /** Stops after open requests are answered. Does not close the database. */
  stop(): Promise<void>
}

export type AppOptions = {
  /** Logs nothing, for tests. */
  silent?: boolean
  /** Replaces the carrier, so that a test decides when and what it responds. */
  wrapCarrier?: (carrier: Carrier) => Carrier
  /** Replaces the name service of webhooks. */
  resolveName?: ResolveName | undefined
}

const USER_DELETION_HOOKS: UserDataDeps = {
  hasOpenLabels,
  hasActivity: async (db, userId) =>
    (await hasOrders(db, userId)) || (await hasInvoices(db, userId)),
  async deleteUserData(tx, userId) {
    await deleteAddressesOf(tx, userId)
    await deleteSkusOf(tx, userId)
    await deleteImportsOf(tx, userId)
    await deleteEasypostDataOf(tx, userId)
    await deleteWebhooksOf(tx, userId)
    await deletePageSettings(tx, userId)
  },
}

/** The database of `given` need not be ready before `start`. Two apps in one process share nothing. */
export async function buildApp(given: Context, options: AppOptions = {}): Promise<App> {
  const metrics = openMetrics(given)
  const ctx: Context = { ...given, meter: metrics.meter }
  const { config } = ctx
  const limits = openRequestLimits(ctx)
  const purchasing = openPurchasing(ctx, options.wrapCarrier)
  const payments = openPayments(ctx, limits)
  const secretKey = await openSecretKey(config)
  const mailer = openMailer({ ...ctx, secretKey })
  /** Read by `start`. */
  let instance = ''
  const accounts = {
    ...ctx,
    limits,
    limitHashing: createHashingLimiter(),
    mailer,
    instance: () => instance,
    secretKey,
    userData: USER_DELETION_HOOKS,
  }
  registerMailWriters(accounts)
  const webhooks = openWebhooks(accounts, {
    resolve: options.resolveName,
    easypost: easypostEventFormat(ctx, secretKey),
  })
  const pages = openOperatorPages(ctx)
  const easypost = openEasypost(purchasing, secretKey)
  const modules: Modules = { ctx, accounts, purchasing, payments, easypost, pages, webhooks }

  const app = createOurServer(ctx, limits, options.silent)
  await app.register(cookie)
  const router = addRoutes(app, modules)
  await addPages(app, modules)
  const live = openLiveUpdates({
    app,
    ctx,
    authenticate: authenticate(ctx),
    findActiveSessions: findActiveSessions(ctx),
    admit: address => limits.admit(address, 'sockets'),
    rooms: [batchRooms(purchasing)],
    sessionEndedChannel: SESSION_ENDED_CHANNEL,
  })
  metrics.serve(app, live.countSockets)

  // What stands together starts side by side; stopped in reverse. Purchasing checks files, carrier and catalogue first.
  const others = [payments, ...openJobs(modules), webhooks, easypost]
  const groups: { start(): void | Promise<void>; stop(): Promise<void> }[][] = [
    [metrics, limits, mailer],
    [purchasing],
    config.role === 'worker' ? others : [...others, live],
  ]
  return {
    app,
    router,
    async start() {
      instance = await getInstanceName(ctx)
      for (const group of groups) await Promise.all(group.map(service => service.start()))
    },
    async stop() {
      await Promise.all([purchasing.drain(), app.close()])
      for (const service of groups.flat().toReversed()) await service.stop()
    },
  }
}

const openJobs = ({ ctx, accounts, purchasing }: Modules) => [
  openScanFormJobs(purchasing),
  openUnusedAccountsJob(accounts),
  reportSumsJob(ctx),
  dashboardSumsJob(ctx),
  walletFiguresJob(ctx),
  priceChangesJob(ctx),
  quoteSweepJob(ctx),
  openReceiverMailsJob(accounts),
  evidenceJob(ctx),
  labelArchiveJob(ctx),
  farWaitsJob(ctx),
]

function createOurServer(
  ctx: Context,
  { admit }: RequestLimits,
  silent: boolean | undefined,
): FastifyInstance {
  const { config } = ctx
  const app = createHttpServer({
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    silent,
    publicUrl: () => config.publicUrl,
    admit,
    failureNote: ' Nothing was charged that is not on your statement.',
    errorShape: easypostErrorShape,
  })
  logRequests(app, ctx.meter)
  watchForUntrustedProxy(app, ctx)
  return app
}

type Modules = {
  ctx: Context
  accounts: AccountsContext
  purchasing: OpenPurchasing
  payments: OpenPayments
  easypost: OpenEasypost
  pages: OperatorPages
  webhooks: OpenWebhooks
}

/** In the order of the OpenAPI document. */
function addRoutes(app: FastifyInstance, modules: Modules): Router {
  const { ctx, accounts, purchasing, payments, pages } = modules
  const router = createRouter(app, {
    authenticate: authenticateCaller(ctx),
    limits: accounts.limits,
    authenticateDownload: request => callerFromDownloadCookie(accounts, request),
    checkRole,
    checkOwner,
    onRefused: auditForbidden(accounts),
    beforeAction: auditAction(accounts, openActionOwner(purchasing, payments)),
  })
  const carriers = carrierAccounts(purchasing)
  registerSystemRoutes(router, ctx, {
    pages,
    paymentScript: payments.provider.script,
    followsParcels: carriers.every(({ carrier }) => carrier.track !== null),
    voidDecisionDays: Math.max(...carriers.map(({ carrier }) => carrier.voidDecisionDays ?? 0)),
  })
  const answers = openLongAnswers(purchasing.closing)
  registerLedgerRoutes(router, readingContext(ctx), answers)
  registerAccountRoutes(router, accounts, answers)
  registerApiKeyRoutes(router, accounts)
  registerReferralRoutes(router, accounts, answers)
  registerAddressRoutes(router, ctx, answers)
  registerSkuRoutes(router, ctx, answers)
  registerCarrierRoutes(router, purchasing)
  registerCatalogueRoutes(router, purchasing)
  registerOptionPriceRoutes(router, purchasing)
  registerLossLimitRoutes(router, ctx)
  registerPurchaseRoutes(router, purchasing)
  registerOrderRoutes(router, purchasing, answers)
  registerPriceOptionRoutes(router, purchasing)
  registerLabelDetailsRoutes(router, purchasing)
  registerTrackingRoutes(router, purchasing, accounts)
  registerVoidRoutes(router, purchasing)
  registerAdjustmentRoutes(router, ctx)
  registerBatchRoutes(router, purchasing, answers)
  registerImportRoutes(router, ctx)
  registerDownloadRoutes(router, purchasing, answers)
  registerFailedRowsRoutes(router, purchasing, answers)
  registerPackingRoutes(router, purchasing, answers)
  registerScanFormRoutes(router, purchasing)
  payments.registerRoutes(app, router, answers)
  registerReportRoutes(router, readingContext(purchasing))
  const readRunways = openRunways(purchasing)
  registerRunwayRoutes(router, readRunways)
  registerSupportRoutes(router, accounts, pages)
  modules.webhooks.registerRoutes(router)
  modules.easypost.registerRoutes(router, answers, modules.webhooks.ctx)
  registerMailRoutes(router, accounts)
  registerAdminRoutes(router, purchasing, answers, readRunways)
  return router
}

async function addPages(app: FastifyInstance, { ctx, payments, pages }: Modules): Promise<void> {
  const facts = openPageFacts(ctx)
  serveDocument(app, {
    title: PRODUCT,
    version: VERSION,
    publicUrl: () => ctx.config.publicUrl,
    authenticate: authenticateCaller(ctx),
    checkRole,
  })
  await servePages(app, {
    folder: WEB,
    origins: payments.provider.origin ? [payments.provider.origin] : [],
    scripts: payments.provider.origin ? [payments.provider.script] : [],
    pageFacts: async () => {
      return { ...(await facts()), ...supportFacts(await pages.list()) }
    },
    knownPaths: APP_PATHS,
    secretPaths: SECRET_PAGES,
    unlistedPaths: /^(?:track|stop-parcel-mails)\b/i,
  })
}
