import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** A bad line between two programs. */
export type TcpProxy = {
  port: number
  /** Every piece arrives so many ms later; 0 is a good line. */
  setDelay(ms: number): void
  /**
   * Nothing arrives on either side, and no error is reported; what was sent meanwhile arrives
   * afterwards.
   */
  setSilent(isSilent: boolean): void
  /** All connections break; new ones are good. */
  resetConnections(): void
  close(): Promise<void>
}

/** Opens a line to `port` of this machine. */
export async function openTcpProxy(port: number): Promise<TcpProxy> {
  let delayMs = 0
  let isSilent = false
  const sockets = new Set<Socket>()
  const carry = (from: Socket, to: Socket): void => {
    sockets.add(from)
    if (isSilent) from.pause()
    // One after the other: two pieces with different delays must not overtake each other.
    let last = Promise.resolve()
    from.on('data', piece => {
      const due = delayMs
      last = last
        .then(() => (due === 0 ? undefined : new Promise(done => setTimeout(done, due))))
        .then(() => void to.write(piece))
    })
    from.on('end', () => void last.then(() => to.end()))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    carry(near, far)
    carry(far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    setDelay: ms => {
      delayMs = ms
    },
    setSilent(silent) {
      isSilent = silent
      for (const socket of sockets) {
        if (silent) socket.pause()
        else socket.resume()
      }
    },
    resetConnections: cut,
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The address of a database without its Unix socket, which a proxy would not be in between. */
export function tcpAddress(databaseUrl: string): URL {
  const address = new URL(databaseUrl)
  address.searchParams.delete('host')
  return address
}
