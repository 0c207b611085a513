/**
 * Serves the metrics on a port of their own (METRICS_PORT) or on the main port with METRICS_TOKEN.
 * Off without either variable.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { BATCH_METRICS, readOpenBatchLevels } from './batches/metrics.ts'
import { CARRIER_METRICS } from './carriers/wire/with-metrics.ts'
import { ORDER_METRICS, readOpenLabelLevels } from './orders/metrics.ts'
import type { Context } from './platform/context.ts'
import { isDatabaseUp } from './platform/http/health.ts'
import { MAIL_METRICS, readWaitingMailLevels } from './platform/mail/metrics.ts'
import { openMeter } from './platform/process/meter.ts'
import type { GaugeLevel, Meter, ProcessLevels } from './platform/process/meter.ts'
import { OperatorError } from './platform/process/operator-error.ts'
import { VERSION } from './platform/process/version.ts'
import { PURCHASING_METRICS } from './purchasing/metrics.ts'
import { TRACKING_METRICS } from './tracking/metrics.ts'
import { readWaitingWebhookLevels, WEBHOOK_METRICS } from './webhooks/metrics.ts'

const ALL_METRICS = [
  ...PURCHASING_METRICS,
  ...TRACKING_METRICS,
  ...CARRIER_METRICS,
  ...ORDER_METRICS,
  ...BATCH_METRICS,
  ...MAIL_METRICS,
  ...WEBHOOK_METRICS,
]

export type Metrics = {
  /** Undefined when metrics are off: then nothing is counted. */
  meter: Meter | undefined
  /** Adds the route on the main port. `sockets`: how many sockets for live updates are open. */
  serve(app: FastifyInstance, sockets: () => number): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** The database is queried for the gauges at most this often. */
const LEVELS_CACHE_MS = 5_000

export function openMetrics(ctx: Context): Metrics {
  const { metricsPort, metricsToken } = ctx.config
  const isOff = metricsPort === undefined && metricsToken === undefined
  if (isOff) return { meter: undefined, serve() {}, start: async () => {}, stop: async () => {} }

  const { config, database } = ctx
  const { pool } = database
  const { meter, contentType, print } = openMeter(
    { version: VERSION, mode: config.mode, role: config.role },
    ALL_METRICS,
  )
  let countSockets = (): number => 0
  let readBodies = (): ProcessLevels['bodies'] => ({ ordinary: NO_BODIES, long: NO_BODIES })
  const readLevels = cachedLevels(database)
  const source: MetricsSource = {
    contentType,
    text: async () =>
      print(await readLevels(), {
        pool: { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
        sockets: countSockets(),
        bodies: readBodies(),
      }),
    mayRead: header =>
      metricsToken === undefined || equalsInConstantTime(header ?? '', `Bearer ${metricsToken}`),
  }
  return {
    meter,
    serve(app, sockets) {
      countSockets = sockets
      readBodies = () => bodyLevels(app)
      if (metricsToken !== undefined) addMetricsRoute(app, source)
    },
    ...createMetricsServer(ctx, source),
  }
}

type MetricsSource = {
  contentType: string
  text(): Promise<string>
  mayRead(authorization: string | undefined): boolean
}

function cachedLevels({ db }: Context['database']): () => Promise<GaugeLevel[] | null> {
  let levels: Promise<GaugeLevel[] | null> | undefined
  let readAt = -Infinity
  return () => {
    if (levels && performance.now() - readAt < LEVELS_CACHE_MS) return levels
    readAt = performance.now()
    return (levels = Promise.all([
      readOpenLabelLevels(db),
      readOpenBatchLevels(db),
      readWaitingMailLevels(db),
      readWaitingWebhookLevels(db),
    ]).then(
      groups => groups.flat(),
      () => null,
    ))
  }
}

function addMetricsRoute(app: FastifyInstance, source: MetricsSource): void {
  app.get('/metrics', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!source.mayRead(request.headers.authorization))
      return reply.code(401).header('www-authenticate', 'Bearer').send()
    return reply.type(source.contentType).send(await source.text())
  })
}

const NO_BODIES = { bodies: 0, bytes: 0 }

const bodyLevels = ({ bodyBudgets: { ordinary, long } }: FastifyInstance) => ({
  ordinary: ordinary.levels(),
  long: long.levels(),
})

/** Serves metrics and the health check on METRICS_PORT; does nothing without it. */
function createMetricsServer(
  { config, database: { pool }, log }: Context,
  source: MetricsSource,
): Pick<Metrics, 'start' | 'stop'> {
  const { metricsPort } = config
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET' || (path !== '/metrics' && path !== '/health'))
      return void response.writeHead(404).end()
    if (path === '/health') {
      const isUp = await isDatabaseUp(pool)
      return void response
        .writeHead(isUp ? 200 : 503, { 'content-type': 'text/plain' })
        .end(isUp ? 'up\n' : 'the database cannot be reached\n')
    }
    if (!source.mayRead(request.headers.authorization))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    response.writeHead(200, { 'content-type': source.contentType }).end(await source.text())
  }
  const server = createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000 },
    (request, response) => {
      respond(request, response).catch(error => {
        log.error({ err: error }, 'the metrics could not be served')
        response.destroy()
      })
    },
  )
  return {
    async start() {
      if (metricsPort === undefined) return
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      server.once('error', error =>
        reject(
          new OperatorError(
            `METRICS_PORT=${metricsPort} on ${config.host} cannot be used: ${error.message}. `
              + 'Set another port; each process of a machine needs its own.',
          ),
        ),
      )
      server.listen(metricsPort, config.host, () => {
        const bound = server.address()
        log.info(
          { port: typeof bound === 'object' ? bound?.port : metricsPort },
          'metrics are served on a port of their own',
        )
        resolve()
      })
      await promise
    },
    stop: () =>
      new Promise(done => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

/** Constant-time comparison. */
function equalsInConstantTime(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}
