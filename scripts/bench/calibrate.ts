/** How much other work slows this machine down now. */

/**
 * A fixed loop of arithmetic: `ms` of its own work, and `slowdown`, how many times as long it took
 * beside other programs. Divide times by it to compare them.
 */
export function calibrate(): { ms: number; slowdown: number } {
  const began = performance.now()
  const before = process.cpuUsage()
  let hash = 0x811c9dc5
  for (let step = 0; step < 100_000_000; step++) hash = Math.imul(hash ^ step, 0x01000193)
  const { user, system } = process.cpuUsage(before)
  const wallMs = performance.now() - began
  if (hash === 0) throw new Error('the arithmetic is wrong')
  const ms = (user + system) / 1000
  return { ms, slowdown: Math.max(1, wallMs / ms) }
}
