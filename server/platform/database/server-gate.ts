import { NotPrimaryError, ServerReplacedError } from './primary-client.ts'
import type { AdmitServer, PrimaryClient, ServerIdentity } from './primary-client.ts'

/**
 * All connections of a pool are of one server on one timeline. Another server, or the same one after a
 * promotion, is used once `judge` has allowed it; connections of the server before are then closed.
 */
export type ServerGate = {
  /** For connections beside the pool that must agree with it. */
  admit: AdmitServer
  watch(client: PrimaryClient): void
  /** Resolves when work may go on there. Without it no other server is allowed. */
  judge: AdmitServer | null
}

export function openServerGate(): ServerGate {
  let known: ServerIdentity | undefined
  let judging: { server: ServerIdentity; done: Promise<void> } | undefined
  const clients = new Set<PrimaryClient>()

  async function judgeOnce(server: ServerIdentity): Promise<void> {
    if (gate.judge === null)
      throw new ServerReplacedError('the database is another one than when this process started')
    await gate.judge(server)
    known = server
    for (const client of clients) if (!isSame(client.server, server)) client.destroy()
  }

  const gate: ServerGate = {
    judge: null,
    async admit(server) {
      known ??= server
      if (isSame(known, server)) return
      if (known.system === server.system && server.timeline < known.timeline)
        throw new NotPrimaryError('another server was promoted in the place of this one')
      if (!isSame(judging?.server, server)) {
        const done = judgeOnce(server).finally(() => {
          judging = undefined
        })
        judging = { server, done }
      }
      await judging!.done
    },
    watch(client) {
      if (known && !isSame(client.server, known)) return client.destroy()
      clients.add(client)
      client.once('end', () => clients.delete(client))
    },
  }
  return gate
}

const isSame = (one: ServerIdentity | undefined, other: ServerIdentity): boolean =>
  one?.system === other.system && one.timeline === other.timeline
