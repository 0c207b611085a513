import { io as connect } from 'socket.io-client'
import type { Socket } from 'socket.io-client'
import { onTestFinished } from 'vitest'

/** An open socket of the session; it is closed at the end of the test. */
export async function openLiveSocket(address: string, token: string): Promise<Socket> {
  const socket = connect(address, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    auth: { token },
  })
  onTestFinished(() => void socket.disconnect())
  await new Promise<void>((done, failed) =>
    socket.once('connect', done).once('connect_error', failed),
  )
  return socket
}

/** Resolves with the reason when the socket is closed. */
export const endOf = (socket: Socket): Promise<string> =>
  new Promise(resolve => socket.once('disconnect', resolve))
