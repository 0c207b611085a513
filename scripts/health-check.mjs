// Exits with 0 when Evenpost is healthy: for a container's health check. Plain JavaScript starts
// fastest.
const { PORT = '3000', METRICS_PORT } = process.env
const url = METRICS_PORT
  ? `http://127.0.0.1:${METRICS_PORT}/health`
  : `http://127.0.0.1:${PORT}/api/health`
const isHealthy = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isHealthy ? 0 : 1)
