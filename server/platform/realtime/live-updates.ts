/**
 * The live line: progress of bulk orders over Socket.IO, websocket only. The database tells by notification that something moved;
 * what it is, is read anew. The server is the truth and the socket a hint: a page that misses everything still has the poll.
 */
import type { IncomingMessage } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import type { BatchProgress } from '#contract/batches.ts'
import type { Context } from '#server/platform/context.ts'
import {
  BATCH_PROGRESS_CHANNEL,
  listenToNotifications,
  SESSION_ENDED_CHANNEL,
} from '#server/platform/database/notifications.ts'
import { sendRawRefusal } from '#server/platform/http/raw-response.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { compileTrust } from '#server/platform/http/trust-proxy.ts'
import type { ProxyTrust } from '#server/platform/http/trust-proxy.ts'
import { createProgressThrottle } from './progress-throttle.ts'

export type ProgressSource = {
  /** The progress of a bulk order for its owner or an administrator; null for everybody else. */
  progressForCaller(caller: Caller, batchId: number): Promise<BatchProgress | null>
  getProgress(batchId: number): Promise<BatchProgress | null>
}

export type LiveUpdatesOptions = {
  app: FastifyInstance
  ctx: Context
  authenticate: (token: string) => Promise<Caller | null>
  /** Counts the opening of a line against the limits of its address; throws Refusal 'too_many'. */
  admit: (address: string) => void
  progress: ProgressSource
}

type JoinReply = { ok: boolean; message?: string }
type LiveSocket = Socket<
  { joinOrderRoom: (room: unknown, answer: unknown) => void },
  { orderProgress: (progress: BatchProgress) => void },
  Record<string, never>,
  { caller: Caller; token: string }
>

const MINUTE_MS = 60_000
const JOINS_A_MINUTE = 60
const MESSAGES_A_MINUTE = 300
const MAX_MESSAGE_BYTES = 10_000
const TOO_MANY: JoinReply = {
  ok: false,
  message: 'Too many requests. Please wait a minute and try again.',
}

type LiveServer = Omit<LiveUpdatesOptions, 'app'> & {
  io: Server
  throttle: ReturnType<typeof createProgressThrottle>
}

/** `sockets`: how many are open. */
export type LiveUpdates = { start(): Promise<void>; stop(): Promise<void>; countSockets(): number }

/**
 * Opens the live line on the server. `start` begins to listen to the database; `stop` ends all sockets, as closing the server does
 * before it waits for its connections.
 */
export function openLiveUpdates({ app, ...options }: LiveUpdatesOptions): LiveUpdates {
  const { ctx, authenticate, progress } = options
  const trusts = compileTrust(ctx.config.trustProxy)
  const io: Server = new Server(app.server, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
    allowRequest: (request, decide) =>
      decide(
        null,
        admitHandshake(options, trusts, request)
          && isAllowedOrigin(request.headers.origin, request.headers.host, ctx.config.publicUrl),
      ),
  })
  const rooms = createProgressThrottle({
    read: progress.getProgress,
    hasListeners: batchId => io.sockets.adapter.rooms.has(batchRoom(batchId)),
    send: (batchId, now, only) => io.to(only ?? batchRoom(batchId)).emit('orderProgress', now),
    onError: error =>
      ctx.log.warn({ err: error }, 'progress could not be read; tried again in a moment'),
  })
  const line: LiveServer = { ...options, io, throttle: rooms }

  io.use(async (socket, next) => {
    const token: unknown = socket.handshake.auth.token
    const caller =
      typeof token === 'string' && token.length <= 200
        ? await authenticate(token).catch(() => null)
        : null
    if (!caller) return next(new Error('Please sign in'))
    socket.data = { caller, token }
    next()
  })
  io.on('connection', (socket: LiveSocket) => handleConnection(line, socket))

  const listener = listenToNotifications({
    ctx,
    channels: {
      [BATCH_PROGRESS_CHANNEL]: payload => rooms.moved(Number(payload)),
      [SESSION_ENDED_CHANNEL]: payload => disconnectSessions(line, parseSessionEnded(payload)),
    },
    onReconnect: () => void resyncAll(line),
  })
  // Not io.close(): that would close the server too, which is for whoever opened it.
  const stop = async (): Promise<void> => {
    await listener.stop()
    rooms.close()
    io.disconnectSockets(true)
    io.engine.close()
  }
  app.addHook('preClose', stop)
  return { start: listener.start, stop, countSockets: () => io.engine.clientsCount }
}

function handleConnection(line: LiveServer, socket: LiveSocket): void {
  const joins = minuteLimit(JOINS_A_MINUTE)
  const messages = minuteLimit(MESSAGES_A_MINUTE)
  socket.use((_message, next) => (messages() ? next() : socket.disconnect(true)))
  socket.on('joinOrderRoom', async (room, answer) => {
    const result = joins() ? await joinRoom(line, socket, room) : TOO_MANY
    if (typeof answer === 'function') answer(result)
  })
}

async function joinRoom(
  { authenticate, progress, throttle, ctx }: LiveServer,
  socket: LiveSocket,
  room: unknown,
): Promise<JoinReply> {
  const id = typeof room === 'string' ? /^order_([1-9]\d{0,14})$/.exec(room)?.[1] : undefined
  if (!id) return { ok: false, message: 'A room is named order_ and the id of a bulk order' }
  try {
    // Asked anew: the sign-in may have ended, or the role changed, since the socket was opened.
    const caller = await authenticate(socket.data.token)
    if (!caller) {
      socket.disconnect(true)
      return { ok: false, message: 'Please sign in' }
    }
    if (!(await progress.progressForCaller(caller, Number(id))))
      return { ok: false, message: 'There is no such order' }
    await socket.join(batchRoom(Number(id)))
    // Read again after the joining, so that nothing is lost in between.
    throttle.welcome(Number(id), socket.id)
    return { ok: true }
  } catch (error) {
    ctx.log.warn({ err: error }, 'a room could not be joined')
    return { ok: false, message: 'This did not work just now. Please try again in a moment.' }
  }
}

const listSockets = ({ io }: LiveServer): LiveSocket[] =>
  [...io.sockets.sockets.values()] as LiveSocket[]

function disconnectSessions(
  line: LiveServer,
  ended: { userId?: number; sessionId?: number },
): void {
  for (const socket of listSockets(line)) {
    const { userId, sessionId } = socket.data.caller
    if (userId === ended.userId || sessionId === ended.sessionId) socket.disconnect(true)
  }
}

/** After a gap in the messages: everybody who watches gets the state of now, and those whose sign-in ended in the gap go. */
async function resyncAll(line: LiveServer): Promise<void> {
  for (const room of line.io.sockets.adapter.rooms.keys()) {
    if (room.startsWith('order_')) line.throttle.moved(Number(room.slice('order_'.length)))
  }
  for (const socket of listSockets(line)) {
    const caller = await line.authenticate(socket.data.token).catch(() => undefined)
    if (caller === null) socket.disconnect(true)
  }
}

/** Counts the handshake; one too many is refused before it costs anything, as a call would be. */
function admitHandshake(
  { admit }: Pick<LiveUpdatesOptions, 'admit'>,
  trusts: ProxyTrust,
  request: IncomingMessage,
): boolean {
  try {
    admit(proxyaddr(request, trusts) ?? '')
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    sendRawRefusal(request.socket, '429 Too Many Requests', error.message, error.retryAfter)
    return false
  }
}

const batchRoom = (batchId: number): string => `order_${batchId}`

/** A page of another site may not open a line with our visitors' browsers. Programs send no Origin; the token is asked of them too. */
export function isAllowedOrigin(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin
}

/** Answers true as often as allowed within each minute. */
function minuteLimit(most: number): () => boolean {
  let count = 0
  let endsAt = 0
  return () => {
    if (Date.now() >= endsAt) {
      count = 0
      endsAt = Date.now() + MINUTE_MS
    }
    return ++count <= most
  }
}

/** Ids may come as numbers or decimal strings; a payload that says nothing ends nobody's line. */
function parseSessionEnded(payload: string): { userId?: number; sessionId?: number } {
  try {
    const { userId, sessionId } = JSON.parse(payload) as {
      userId?: number | string
      sessionId?: number | string
    }
    return {
      userId: userId ? Number(userId) : undefined,
      sessionId: sessionId ? Number(sessionId) : undefined,
    }
  } catch {
    return {}
  }
}
