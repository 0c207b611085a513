// Ends with 0 when this Evenpost is well: for a container's health check. Plain JavaScript, so that it starts at once.
const { PORT = '3000', METRICS_PORT } = process.env
const url = METRICS_PORT
  ? `http://127.0.0.1:${METRICS_PORT}/health`
  : `http://127.0.0.1:${PORT}/api/health`
const isWell = await fetch(url, { signal: AbortSignal.timeout(4_000) }).then(
  ({ ok }) => ok,
  () => false,
)
process.exit(isWell ? 0 : 1)
