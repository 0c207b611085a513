/** Who may read the house's figures, and where: on a port of their own, or on the main one with a token. Off unless asked for. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { countUnfinishedBatches } from './batches/metrics-store.ts'
import { countOpenLabelsByState } from './orders/metrics-store.ts'
import type { Context } from './platform/context.ts'
import { VERSION } from './platform/http/system-routes.ts'
import { openMeter } from './platform/process/meter.ts'
import type { GaugeLevels, Meter } from './platform/process/meter.ts'
import { OperatorError } from './platform/process/operator-error.ts'

export type Metrics = {
  /** Undefined where nobody reads it: then nothing is counted. */
  meter: Meter | undefined
  /** Registers the call on the main port. `sockets`: how many live lines are open. */
  serve(app: FastifyInstance, admit: (address: string) => void, sockets: () => number): void
  start(): Promise<void>
  stop(): Promise<void>
}

/** However often it is asked, the database is asked for its levels this often. */
const LEVELS_CACHE_MS = 5_000

export function openMetrics(ctx: Context): Metrics {
  const { metricsPort, metricsToken } = ctx.config
  const isOff = metricsPort === undefined && metricsToken === undefined
  if (isOff) return { meter: undefined, serve() {}, start: async () => {}, stop: async () => {} }

  const {
    config,
    database: { db, pool },
    log,
  } = ctx
  const { meter, contentType, print } = openMeter({
    version: VERSION,
    mode: config.mode,
    role: config.role,
  })
  let countSockets = (): number => 0
  let levels: Promise<GaugeLevels | null> | undefined
  let askedAt = -Infinity
  const ask = (): Promise<GaugeLevels | null> => {
    if (levels && performance.now() - askedAt < LEVELS_CACHE_MS) return levels
    askedAt = performance.now()
    return (levels = Promise.all([countOpenLabelsByState(db), countUnfinishedBatches(db)]).then(
      ([openLabels, batches]) => ({ openLabels, batches }),
      () => null,
    ))
  }
  const text = async (): Promise<string> =>
    print(await ask(), {
      pool: { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount },
      sockets: countSockets(),
    })
  const mayRead = (header: string | undefined): boolean =>
    metricsToken === undefined || equalsInConstantTime(header ?? '', `Bearer ${metricsToken}`)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split('?')[0]
    if (request.method !== 'GET' || (path !== '/metrics' && path !== '/health'))
      return void response.writeHead(404).end()
    if (path === '/health') {
      const isUp = await pool.query('select 1').then(
        () => true,
        () => false,
      )
      return void response
        .writeHead(isUp ? 200 : 503, { 'content-type': 'text/plain' })
        .end(isUp ? 'up\n' : 'the database is away\n')
    }
    if (!mayRead(request.headers.authorization))
      return void response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    response.writeHead(200, { 'content-type': contentType }).end(await text())
  }
  const own = createServer(
    { headersTimeout: 5_000, requestTimeout: 10_000 },
    (request, response) => {
      answer(request, response).catch(error => {
        log.error({ err: error }, 'the figures could not be told')
        response.destroy()
      })
    },
  )

  return {
    meter,
    serve(app, admit, sockets) {
      countSockets = sockets
      if (metricsToken === undefined) return
      app.get(
        '/metrics',
        { schema: { hide: true }, onRequest: async request => admit(request.ip) },
        async (request, reply) => {
          reply.header('cache-control', 'no-store')
          if (!mayRead(request.headers.authorization))
            return reply.code(401).header('www-authenticate', 'Bearer').send()
          return reply.type(contentType).send(await text())
        },
      )
    },
    start: () =>
      metricsPort === undefined
        ? Promise.resolve()
        : new Promise((done, failed) => {
            own.once('error', error =>
              failed(
                new OperatorError(
                  `METRICS_PORT=${metricsPort} on ${config.host} cannot be used: ${error.message}`,
                ),
              ),
            )
            own.listen(metricsPort, config.host, () => {
              const at = own.address()
              log.info(
                { port: typeof at === 'object' ? at?.port : metricsPort },
                'the figures are told on a port of their own',
              )
              done()
            })
          }),
    stop: () =>
      new Promise(done => {
        own.close(() => done())
        own.closeAllConnections()
      }),
  }
}

/** Takes the same time wherever they differ. */
function equalsInConstantTime(given: string, wanted: string): boolean {
  const sum = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(sum(given), sum(wanted))
}
