/** A database that answers the first contact of a start, and is late or refuses after that. */
import { test } from 'vitest'
import { openMarks } from '#server/platform/fail-over/marks.ts'
import { testDatabase } from '#tests/support/database.ts'
import { openTcpProxy, tcpAddress } from '#tests/support/tcp-proxy.ts'
import { openDatabase } from './database.ts'
import type { Database } from './database.ts'
import { announceRunningProgram } from './running-program.ts'

const database = await testDatabase()

/** What a start does after the first contact. */
type Step = (opened: Database, say: (line: string) => void) => Promise<{ stop(): Promise<void> }>

const announce: Step = ({ url }, say) =>
  announceRunningProgram({ url, version: 9_999, onTooOld() {}, say })
const beat: Step = async (opened, say) => {
  const marks = openMarks(opened, { say })
  await marks.start()
  return marks
}

type Line = { opened: Database; setSilent(isSilent: boolean): void }

/** A pool that has answered once, behind a line that can be silent. */
async function openLine(): Promise<Line & { close(): Promise<void> }> {
  const address = tcpAddress(database.url)
  const proxy = await openTcpProxy(Number(address.port))
  address.port = String(proxy.port)
  const opened = openDatabase(address.href, { max: 1 })
  await opened.pool.query('select 1')
  return {
    opened,
    setSilent: proxy.setSilent,
    async close() {
      await opened.close()
      await proxy.close()
    },
  }
}

const beforeConnecting = ({ setSilent }: Line): void => setSilent(true)

function afterConnecting({ opened: { gate }, setSilent }: Line): void {
  const { admit } = gate
  gate.admit = async server => {
    await admit(server)
    gate.admit = admit
    setSilent(true)
  }
}

test.concurrent.for([
  ['the announcement of the program', announce, beforeConnecting],
  ['the connection for the first beat', beat, beforeConnecting],
  ['the first beat', beat, afterConnecting],
] as const)(
  '%s is late: the start says so once, and waits',
  async ([, step, silence], { expect }) => {
    const line = await openLine()
    try {
      silence(line)
      const said: string[] = []
      const announced = Promise.withResolvers<void>()
      const starting = step(line.opened, text => {
        said.push(text)
        announced.resolve()
      })
      await Promise.race([announced.promise, starting])
      line.setSilent(false)
      const { stop } = await starting
      expect(said).toEqual([
        expect.stringMatching(
          /^Waiting up to 60 s for the database, which does not respond \(.*time.?out/i,
        ),
      ])
      await stop()
    } finally {
      line.setSilent(false)
      await line.close()
    }
  },
)

test.concurrent.for([
  ['the announcement of the program', announce],
  ['the first beat', beat],
] as const)('%s is refused: the start ends at once', async ([, step], { expect }) => {
  const address = new URL(database.url)
  address.password = 'another one'
  const opened = openDatabase(address.href)
  const said: string[] = []
  await expect(step(opened, line => said.push(line))).rejects.toThrow(
    'password authentication failed',
  )
  expect(said).toEqual([])
  await opened.close()
})
