/**
 * What the house counts while it works, for whoever watches it (Prometheus). Labels of a figure are words from short lists and
 * patterns of addresses: never an id, a name or an address of a person.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Told by the rooms; seconds everywhere. */
export type Meter = {
  /** Labels whose state was settled, after the commit: 'purchased', 'failed', 'unknown', or 'queued' again. */
  labelsSettled(states: string[]): void
  /** A claim of the worker's, and a settling of a group, from begin to commit. */
  claimTook(seconds: number): void
  settlingTook(seconds: number): void
  /** A question to the carrier ('buy', 'look_up', 'void') and how it ended; 'too_late' when nobody waited any more. */
  carrierCall(act: string, outcome: string, seconds: number): void
  /** The files of a batch: 'made' or 'problem'. */
  batchFilesMade(result: string): void
  /** `route` is the pattern: '/api/orders/:orderId'. */
  request(method: string, route: string, status: number, seconds: number): void
}

/** Figures that are looked up when somebody asks, under the name of the gauge. */
export type GaugeLevels = {
  openLabels: { state: string; count: number; oldestSeconds: number }[]
  batches: { status: string; count: number }[]
}

/** What this process can tell of itself at once. */
export type ProcessLevels = {
  pool: { total: number; idle: number; waiting: number }
  sockets: number
}

const FAST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const SLOW_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The meter of one house, with a register of its own: two houses in one process share nothing. */
export function openMeter(facts: Record<string, string>) {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name: `evenpost_${name}`, help, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name: `evenpost_${name}`, help, labelNames, registers })
  const histogram = <L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: L[] = [],
  ) => new Histogram({ name: `evenpost_${name}`, help, buckets, labelNames, registers })

  const labels = counter('labels_total', 'Labels settled by this process, by what became of them', [
    'outcome',
  ])
  const claims = histogram(
    'claim_seconds',
    'Taking labels from the queue, begin to commit',
    FAST_BUCKETS,
  )
  const settlings = histogram(
    'settle_seconds',
    'Settling a group of answers, begin to commit',
    FAST_BUCKETS,
  )
  const carrier = histogram(
    'carrier_call_seconds',
    'Questions to the carrier, by act and outcome',
    SLOW_BUCKETS,
    ['act', 'outcome'],
  )
  const files = counter('batch_files_total', 'Makings of the files of a bulk order, by result', [
    'result',
  ])
  const requests = histogram(
    'http_request_seconds',
    'Calls, by method, route and status',
    SLOW_BUCKETS,
    ['method', 'route', 'status'],
  )

  const openLabels = gauge(
    'labels_open',
    'Labels of the whole house that are not settled, by state',
    ['state'],
  )
  const oldest = gauge('labels_oldest_seconds', 'Age of the oldest label in that state', ['state'])
  const batches = gauge('batches_open', 'Bulk orders of the whole house at work, by status', [
    'status',
  ])
  const up = gauge('database_up', 'Whether the database answers')
  const connections = gauge('database_connections', 'Connections of this process, by state', [
    'state',
  ])
  const sockets = gauge('live_sockets', 'Live lines open in this process')
  gauge('info', 'What runs here', Object.keys(facts)).set(facts, 1)

  const meter: Meter = {
    labelsSettled: states => states.forEach(outcome => labels.inc({ outcome })),
    claimTook: seconds => claims.observe(seconds),
    settlingTook: seconds => settlings.observe(seconds),
    carrierCall: (act, outcome, seconds) => carrier.observe({ act, outcome }, seconds),
    batchFilesMade: result => files.inc({ result }),
    request: (method, route, status, seconds) =>
      requests.observe({ method, route, status: String(status) }, seconds),
  }
  return {
    meter,
    contentType: register.contentType,
    /** All figures as text. `levels` is null while the database is away: then what it would say is not said. */
    async print(levels: GaugeLevels | null, now: ProcessLevels): Promise<string> {
      for (const one of [openLabels, oldest, batches]) one.reset()
      up.set(levels ? 1 : 0)
      levels?.openLabels.forEach(({ state, count, oldestSeconds }) => {
        openLabels.set({ state }, count)
        oldest.set({ state }, oldestSeconds)
      })
      levels?.batches.forEach(({ status, count }) => batches.set({ status }, count))
      for (const [state, count] of Object.entries(now.pool)) connections.set({ state }, count)
      sockets.set(now.sockets)
      return register.metrics()
    },
  }
}
