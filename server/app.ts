/** The house put together: one server, one door, and each room's calls behind it. */
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { PLACES } from '#contract/page.ts'
import { PRODUCT } from '#contract/product.ts'
import { noteDeed, noteRefused } from './accounts/audit.ts'
import { cookieCaller } from './accounts/cookie.ts'
import { openTurns } from './accounts/password.ts'
import { accountRoutes } from './accounts/routes.ts'
import type { Belongings } from './accounts/service.ts'
import { authenticate } from './accounts/sessions.ts'
import { addressRoutes } from './addresses/routes.ts'
import { deleteAddressesOf } from './addresses/store.ts'
import { adminRoutes } from './admin/routes.ts'
import { downloadRoutes } from './batches/download.ts'
import { batchRoutes, progressSource } from './batches/routes.ts'
import { carrierRoutes } from './carriers/routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { pageFacts } from './front.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { openMetrics } from './metrics.ts'
import { hasOpenLabels } from './orders/open-store.ts'
import { orderRoutes } from './orders/routes.ts'
import type { House } from './platform/house.ts'
import { createHttp, openDoor } from './platform/http.ts'
import type { Door } from './platform/http.ts'
import { instanceName } from './platform/instance.ts'
import { openLimits } from './platform/limits.ts'
import { openLive } from './platform/live.ts'
import { openPost } from './platform/mail.ts'
import { completeDocument } from './platform/openapi.ts'
import { openPages } from './platform/pages.ts'
import { systemRoutes, VERSION } from './platform/system.ts'
import { watchTraffic } from './platform/traffic.ts'
import { referralRoutes } from './referrals/routes.ts'
import { skuRoutes } from './skus/routes.ts'
import { deleteSkusOf } from './skus/store.ts'
import { openTill } from './till.ts'
import { openWorkshop } from './workshop.ts'

const WEB = join(import.meta.dirname, '..', 'web', 'dist')
/** The page that a mailed link opens: whoever has the address can set the password. */
const SECRET = /^reset-password\b/i

export type App = {
  /** The server; listening is left to whoever built it. */
  app: FastifyInstance
  door: Door
  /** Begins what runs beside the calls. Before listening. */
  start(): Promise<void>
  /** Ends it, after the calls under way are answered. The database stays open: who opened it closes it. */
  stop(): Promise<void>
}

export type AppOptions = {
  /** Logs nothing, for tests. */
  silent?: boolean
}

/** What other rooms keep of a user who is deleted. */
const BELONGINGS: Belongings = {
  areLabelsOpen: hasOpenLabels,
  async forget(tx, userId) {
    await deleteAddressesOf(tx, userId)
    await deleteSkusOf(tx, userId)
  },
}

/** The description of the calls, to be filled with them. */
const DOCUMENT = {
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
export async function buildApp(given: House, options: AppOptions = {}): Promise<App> {
  const metrics = openMetrics(given)
  const house: House = { ...given, meter: metrics.meter }
  const { config } = house
  const limits = openLimits(house)
  const workshop = openWorkshop(house)
  const till = openTill(house, limits)
  const post = openPost(house)
  const rooms = {
    ...house,
    limits,
    turns: openTurns(),
    post,
    instance: await instanceName(house),
    belongings: BELONGINGS,
  }

  const app = createHttp({
    trustProxy: config.trustProxy,
    logLevel: config.logLevel,
    silent: options.silent,
    publicUrl: () => config.publicUrl,
  })
  watchTraffic(app, house.meter)
  await app.register(cookie)
  // Before the routes: it learns of them as they are added.
  await app.register(swagger, DOCUMENT)

  const door = openDoor(app, {
    authenticate: authenticate(house),
    authenticateDownload: request => cookieCaller(rooms, request),
    admit: limits.admit,
    refused: noteRefused(rooms),
    begins: noteDeed(house),
  })
  systemRoutes(door, house, {
    paymentScript: till.provider.script,
    followsParcels: workshop.carrier.track !== null,
  })
  ledgerRoutes(door, house)
  accountRoutes(door, rooms)
  referralRoutes(door, rooms)
  addressRoutes(door, house)
  skuRoutes(door, house)
  carrierRoutes(door, workshop)
  catalogueRoutes(door, workshop)
  orderRoutes(door, workshop)
  batchRoutes(door, workshop)
  downloadRoutes(door, workshop)
  till.serve(app, door)
  adminRoutes(door, workshop)
  app.get('/api/openapi.json', { schema: { hide: true } as object }, async () =>
    completeDocument(app.swagger(), door.calls, config.publicUrl),
  )
  const hosts = till.provider.origin ? [till.provider.origin] : []
  await openPages(app, {
    folder: WEB,
    hosts,
    facts: pageFacts(house),
    known: PLACES,
    secret: SECRET,
  })
  const live = openLive({
    app,
    house,
    authenticate: authenticate(house),
    admit: address => limits.admit(address, 'lines'),
    progress: progressSource(workshop),
  })
  metrics.serve(app, limits.admit, live.sockets)

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
    door,
    async start() {
      for (const one of beside) await one.start()
    },
    async stop() {
      await Promise.all([workshop.rest(), app.close()])
      for (const one of beside.toReversed()) await one.stop()
    },
  }
}
