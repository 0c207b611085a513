import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { watchHealth } from '#tests/support/health-watch.ts'

test('the watch tells a server that stands still from one that answers', async () => {
  let frozenUntil = 0
  const server = createServer((_request, reply) => {
    setTimeout(() => reply.end('{}'), Math.max(1, frozenUntil - Date.now()))
  })
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const watch = watchHealth(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const idle = async () => {
    await watch.calm()
    return watch.ratio(await watch.during(() => wait(300)))
  }
  const frozen = async () => {
    const calm = await watch.calm()
    const figures = await watch.during(async () => {
      frozenUntil = Date.now() + 20 * Math.max(calm.work, calm.worst)
      await wait(50)
    })
    return watch.ratio(figures)
  }
  // Measured again where others on this machine have delayed a single wait, or the fixed computation.
  await expect.poll(idle).toBeLessThan(3)
  await expect.poll(frozen).toBeGreaterThan(5)
  await watch.close()
  server.closeAllConnections()
  server.close()
})
