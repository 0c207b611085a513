/** The first beat with several servers in the address. All are the test's one server; the test decides how each behaves. */
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { chooseAddress, serverAddresses } from '#server/platform/database/addresses.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { connectToPrimary } from '#server/platform/database/primary-client.ts'
import { openServerGate } from '#server/platform/database/server-gate.ts'
import type { ServerGate } from '#server/platform/database/server-gate.ts'
import { testDatabase } from '#tests/support/database.ts'
import { tcpAddress } from '#tests/support/tcp-proxy.ts'
import { openMarks } from './marks.ts'

const database = await testDatabase()
const { port } = new URL(database.url)

/** A proxy that breaks its first connection, like a server that is late. */
let connections = 0
const late = createServer(near => {
  if (++connections === 1) return void near.destroy()
  const far = connect(Number(port), '127.0.0.1')
  near.pipe(far).pipe(near)
  near.on('error', () => far.destroy())
  far.on('error', () => near.destroy())
})
await new Promise<void>(done => late.listen(0, '127.0.0.1', done))
afterAll(() => void late.close())
const lateHost = `127.0.0.1:${(late.address() as AddressInfo).port}`

/** A gate that knows a server on this timeline. */
async function gateKnowing(timeline: string): Promise<ServerGate> {
  const client = await connectToPrimary({ connectionString: database.url })
  await client.end()
  const gate = openServerGate()
  await gate.admit({ ...client.server!, timeline })
  return gate
}

/** Starts with the late server, or one that answers, at this place of the address. The other one is refused by `gate`, once or always. */
async function startWith(
  gate: ServerGate,
  latePlace: number,
  { isRefusedOnce = false, isLate = true } = {},
) {
  connections = isLate ? 0 : 1
  const hosts = [`127.0.0.1:${port}`]
  hosts.splice(latePlace, 0, lateHost)
  const url = tcpAddress(database.url).href.replace(/@[^/]+/, `@${hosts.join()}`)
  // The tests before may have skipped it.
  chooseAddress(url, serverAddresses(url)[0]!)
  const own = openDatabase(url)
  const { admit } = own.gate
  own.gate.admit = server => {
    if (isRefusedOnce) own.gate.admit = admit
    return gate.admit(server)
  }
  const marks = openMarks(own)
  try {
    await marks.start()
    return marks.newest()!.beats
  } finally {
    await marks.stop()
    await own.close()
  }
}

const PLACES = [0, 1]

test.each(PLACES)(
  'a former primary that is refused does not hide that the server at place %d is late',
  async latePlace => {
    expect(await startWith(await gateKnowing('FFFFFFFF'), latePlace, { isRefusedOnce: true })).toBe(
      1,
    )
  },
)

test.each(PLACES)(
  'a promoted server ends the start at once, also where the server at place %d is late',
  async latePlace => {
    await expect(startWith(await gateKnowing('00000000'), latePlace)).rejects.toThrow(
      'the database is another one than when this process started',
    )
    // Nothing is tried after the promoted server.
    expect(connections).toBe(latePlace === 0 ? 1 : 0)
  },
)

test('a promoted server ends the start at once, also where the known one still answers', async () => {
  const started = startWith(await gateKnowing('00000000'), 1, {
    isRefusedOnce: true,
    isLate: false,
  })
  await expect(started).rejects.toThrow(
    'the database is another one than when this process started',
  )
  expect(connections).toBe(1)
})
