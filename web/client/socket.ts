/** The live line to the server, loaded when something is tracked and closed with the sign-in. */
import type { Socket } from 'socket.io-client'
import { useSession, onSessionEnd } from './session.ts'

/** Specification, 9. */
const OPTIONS = {
  transports: ['websocket'],
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  timeout: 20_000,
}

let socketPromise: Promise<Socket> | null = null

/** One connection for the page; opened on first use, the same one afterwards. Rejects when its code cannot be loaded. */
export function openSocket(): Promise<Socket> {
  socketPromise ??= connectSocket().catch((reason: unknown) => {
    socketPromise = null
    throw reason
  })
  return socketPromise
}

async function connectSocket(): Promise<Socket> {
  const { io } = await import('socket.io-client')
  const socket = io({ ...OPTIONS, auth: answer => answer({ token: useSession.getState().token }) })
  // The library reconnects by itself after a lost network, not after the server hung up.
  socket.on('disconnect', reason => {
    if (reason === 'io server disconnect') reconnectLater(socket)
  })
  return socket
}

/** A second is left between the tries, or a server that hangs up at once would be called without end. */
function reconnectLater(socket: Socket): void {
  setTimeout(() => {
    if (useSession.getState().token && socketPromise) socket.connect()
  }, OPTIONS.reconnectionDelay)
}

// The server hung up when the old token died; whoever signed in again is connected again.
useSession.subscribe(({ token }, before) => {
  if (token && token !== before.token)
    void socketPromise?.then(
      socket => socket.connect(),
      () => {},
    )
})

onSessionEnd(() => {
  const closing = socketPromise
  socketPromise = null
  void closing?.then(
    socket => socket.disconnect(),
    () => {},
  )
})
