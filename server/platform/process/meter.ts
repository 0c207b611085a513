/**
 * Prometheus metrics; modules declare theirs. Label values come from short fixed lists or are route
 * patterns, never ids, names or addresses.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Buckets in seconds, for work inside the database. */
export const FAST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
/** Buckets in seconds, for requests and calls to other services. */
export const SLOW_BUCKETS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** `name` without the prefix `evenpost_`. */
type Definition<Label extends string> = { name: string; help: string; labelNames: Label[] }
export type CounterMetric<Label extends string = string> = Definition<Label> & { kind: 'counter' }
export type GaugeMetric<Label extends string = string> = Definition<Label> & { kind: 'gauge' }
export type HistogramMetric<Label extends string = string> = Definition<Label> & {
  kind: 'histogram'
  buckets: number[]
}
export type Metric = CounterMetric | GaugeMetric | HistogramMetric

export const defineCounter = <L extends string = never>(
  name: string,
  help: string,
  labelNames: L[] = [],
): CounterMetric<L> => ({ kind: 'counter', name, help, labelNames })
export const defineGauge = <L extends string = never>(
  name: string,
  help: string,
  labelNames: L[] = [],
): GaugeMetric<L> => ({ kind: 'gauge', name, help, labelNames })
export const defineHistogram = <L extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: L[] = [],
): HistogramMetric<L> => ({ kind: 'histogram', name, help, buckets, labelNames })

type LabelValues<L extends string> = Record<L, string>

export type Meter = {
  count<L extends string>(metric: CounterMetric<L>, labels: LabelValues<L>): void
  observe<L extends string>(
    metric: HistogramMetric<L>,
    seconds: number,
    labels: LabelValues<L>,
  ): void
}

export type GaugeLevel = { metric: GaugeMetric; labels: Record<string, string>; value: number }

export type ProcessLevels = {
  pool: { total: number; idle: number; waiting: number }
  sockets: number
  /** Bodies being received, and long ones until they are done; bytes in memory. */
  bodies: Record<'ordinary' | 'long', { bodies: number; bytes: number }>
}

const REQUEST_SECONDS = defineHistogram(
  'http_request_seconds',
  'Requests, by method, route and status',
  SLOW_BUCKETS,
  ['method', 'route', 'status'],
)

/** `route` is the pattern: '/api/orders/:orderId'. */
export const observeRequest = (
  meter: Meter | undefined,
  seconds: number,
  labels: { method: string; route: string; status: string },
): void => meter?.observe(REQUEST_SECONDS, seconds, labels)

/**
 * A meter with a registry of its own: two apps in one process share nothing. `facts` are the labels
 * of `evenpost_info`.
 */
export function openMeter(facts: Record<string, string>, metrics: readonly Metric[]) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counters = new Map<string, Counter>()
  const gauges = new Map<string, Gauge>()
  const histograms = new Map<string, Histogram>()
  for (const metric of [...metrics, REQUEST_SECONDS]) {
    const { name, help, labelNames } = metric
    const options = { name: `evenpost_${name}`, help, labelNames, registers: [registry] }
    if (metric.kind === 'counter') counters.set(name, new Counter(options))
    else if (metric.kind === 'gauge') gauges.set(name, new Gauge(options))
    else histograms.set(name, new Histogram({ ...options, buckets: metric.buckets }))
  }
  const own = (name: string, help: string, labelNames: string[] = []): Gauge =>
    new Gauge({ name: `evenpost_${name}`, help, labelNames, registers: [registry] })
  const databaseUp = own('database_up', 'Whether the database responds')
  const connections = own('database_connections', 'Connections of this process, by state', [
    'state',
  ])
  const sockets = own('live_sockets', 'Sockets for live updates open in this process')
  const bodies = own('bodies', 'Bodies that are received or in use, by kind', ['kind'])
  const bodyBytes = own('body_bytes', 'Bytes of these bodies beyond the first 16 KB', ['kind'])
  own('info', 'Version, mode and role of this process', Object.keys(facts)).set(facts, 1)

  const meter: Meter = {
    count: ({ name }, labels) => counters.get(name)!.inc(labels),
    observe: ({ name }, seconds, labels) => histograms.get(name)!.observe(labels, seconds),
  }
  return {
    meter,
    contentType: registry.contentType,
    /**
     * All metrics as text. `levels` is null while the database cannot be reached: then the gauges
     * have no values.
     */
    async print(levels: GaugeLevel[] | null, now: ProcessLevels): Promise<string> {
      for (const one of gauges.values()) one.reset()
      databaseUp.set(levels ? 1 : 0)
      for (const { metric, labels, value } of levels ?? [])
        gauges.get(metric.name)!.set(labels, value)
      for (const [state, count] of Object.entries(now.pool)) connections.set({ state }, count)
      sockets.set(now.sockets)
      for (const [kind, level] of Object.entries(now.bodies)) {
        bodies.set({ kind }, level.bodies)
        bodyBytes.set({ kind }, level.bytes)
      }
      return registry.metrics()
    },
  }
}
