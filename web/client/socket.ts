/** The socket for live updates: loaded on first use, closed when the session ends. */
import type { Socket } from 'socket.io-client'
import { useSession, onSessionEnd } from './session.ts'

/** See docs/requirements.md#realtime. */
const OPTIONS = {
  transports: ['websocket'],
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  timeout: 20_000,
}

/** The server notices a lost connection after 45 s. */
const REFUSED_DELAY_MS = 30_000

let socketPromise: Promise<Socket> | null = null

/** One connection per page. Rejects when its code cannot be loaded. */
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
  // The library reconnects after a lost network, but not after a disconnect by the server.
  socket.on('disconnect', reason => {
    if (reason === 'io server disconnect') reconnectLater(socket, OPTIONS.reconnectionDelay)
  })
  // Nor after a refusal, such as while the server still holds this user's lost connections.
  socket.on('connect_error', () => {
    if (!socket.active) reconnectLater(socket, REFUSED_DELAY_MS)
  })
  return socket
}

/** The delay keeps a server that disconnects at once from being called in a loop. */
function reconnectLater(socket: Socket, delayMs: number): void {
  setTimeout(() => {
    if (useSession.getState().token && socketPromise) socket.connect()
  }, delayMs)
}

// The server disconnects an expired token; connect again with the new one.
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
