/**
 * The live line: progress of bulk orders over Socket.IO, websocket only. The database tells by notification that something moved;
 * what it is, is read anew. The server is the truth and the socket a hint: a page that misses everything still has the poll.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import type { OrderProgress } from '#contract/batches.ts'
import { callerAddress, trustsOf } from './caller-address.ts'
import type { Trusts } from './caller-address.ts'
import type { House } from './house.ts'
import type { Caller } from './http.ts'
import { BATCH_PROGRESS, listen, SESSION_ENDED } from './listen.ts'
import { openProgress } from './live-progress.ts'
import { refuseRaw } from './raw-answer.ts'
import { Refusal } from './refusal.ts'

export type ProgressSource = {
  /** The progress of a bulk order for its owner or an administrator; null for everybody else. */
  mayJoin(caller: Caller, batchId: number): Promise<OrderProgress | null>
  progressOf(batchId: number): Promise<OrderProgress | null>
}

export type LiveOptions = {
  app: FastifyInstance
  house: House
  authenticate: (token: string) => Promise<Caller | null>
  /** Counts the opening of a line against the limits of its address; throws Refusal 'too_many'. */
  admit: (address: string) => void
  progress: ProgressSource
}

type Answer = { ok: boolean; message?: string }
type LiveSocket = Socket<
  { joinOrderRoom: (room: unknown, answer: unknown) => void },
  { orderProgress: (progress: OrderProgress) => void },
  Record<string, never>,
  { caller: Caller; token: string }
>

const MINUTE_MS = 60_000
const JOINS_A_MINUTE = 60
const MESSAGES_A_MINUTE = 300
const MOST_BYTES = 10_000
const TOO_MANY: Answer = {
  ok: false,
  message: 'Too many requests. Please wait a minute and try again.',
}

type Line = Omit<LiveOptions, 'app'> & { io: Server; rooms: ReturnType<typeof openProgress> }

/** `sockets`: how many are open. */
export type Live = { start(): Promise<void>; stop(): Promise<void>; sockets(): number }

/**
 * Opens the live line on the server. `start` begins to listen to the database; `stop` ends all sockets, as closing the server does
 * before it waits for its connections.
 */
export function openLive({ app, ...options }: LiveOptions): Live {
  const { house, authenticate, progress } = options
  const trusts = trustsOf(house.config.trustProxy)
  const io: Server = new Server(app.server, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MOST_BYTES,
    connectTimeout: 10_000,
    allowRequest: (request, decide) =>
      decide(
        null,
        isAdmitted(options, trusts, request)
          && mayCall(request.headers.origin, request.headers.host, house.config.publicUrl),
      ),
  })
  const rooms = openProgress({
    read: progress.progressOf,
    listeners: batchId => io.sockets.adapter.rooms.has(roomOf(batchId)),
    send: (batchId, now, only) => io.to(only ?? roomOf(batchId)).emit('orderProgress', now),
    failed: error =>
      house.log.warn({ err: error }, 'progress could not be read; tried again in a moment'),
  })
  const line: Line = { ...options, io, rooms }

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
  io.on('connection', (socket: LiveSocket) => attend(line, socket))

  const listener = listen({
    house,
    channels: {
      [BATCH_PROGRESS]: payload => rooms.moved(Number(payload)),
      [SESSION_ENDED]: payload => hangUpOn(line, readEnded(payload)),
    },
    onBack: () => void catchUp(line),
  })
  // Not io.close(): that would close the server too, which is for whoever opened it.
  const stop = async (): Promise<void> => {
    await listener.stop()
    rooms.close()
    io.disconnectSockets(true)
    io.engine.close()
  }
  app.addHook('preClose', stop)
  return { start: listener.start, stop, sockets: () => io.engine.clientsCount }
}

function attend(line: Line, socket: LiveSocket): void {
  const joins = allowance(JOINS_A_MINUTE)
  const messages = allowance(MESSAGES_A_MINUTE)
  socket.use((_message, next) => (messages() ? next() : socket.disconnect(true)))
  socket.on('joinOrderRoom', async (room, answer) => {
    const result = joins() ? await join(line, socket, room) : TOO_MANY
    if (typeof answer === 'function') answer(result)
  })
}

async function join(
  { authenticate, progress, rooms, house }: Line,
  socket: LiveSocket,
  room: unknown,
): Promise<Answer> {
  const id = typeof room === 'string' ? /^order_([1-9]\d{0,14})$/.exec(room)?.[1] : undefined
  if (!id) return { ok: false, message: 'A room is named order_ and the id of a bulk order' }
  try {
    // Asked anew: the sign-in may have ended, or the role changed, since the socket was opened.
    const caller = await authenticate(socket.data.token)
    if (!caller) {
      socket.disconnect(true)
      return { ok: false, message: 'Please sign in' }
    }
    if (!(await progress.mayJoin(caller, Number(id))))
      return { ok: false, message: 'There is no such order' }
    await socket.join(roomOf(Number(id)))
    // Read again after the joining, so that nothing is lost in between.
    rooms.welcome(Number(id), socket.id)
    return { ok: true }
  } catch (error) {
    house.log.warn({ err: error }, 'a room could not be joined')
    return { ok: false, message: 'This did not work just now. Please try again in a moment.' }
  }
}

const socketsOf = ({ io }: Line): LiveSocket[] => [...io.sockets.sockets.values()] as LiveSocket[]

function hangUpOn(line: Line, ended: { userId?: number; sessionId?: number }): void {
  for (const socket of socketsOf(line)) {
    const { userId, sessionId } = socket.data.caller
    if (userId === ended.userId || sessionId === ended.sessionId) socket.disconnect(true)
  }
}

/** After a gap in the messages: everybody who watches gets the state of now, and those whose sign-in ended in the gap go. */
async function catchUp(line: Line): Promise<void> {
  for (const room of line.io.sockets.adapter.rooms.keys()) {
    if (room.startsWith('order_')) line.rooms.moved(Number(room.slice('order_'.length)))
  }
  for (const socket of socketsOf(line)) {
    const caller = await line.authenticate(socket.data.token).catch(() => undefined)
    if (caller === null) socket.disconnect(true)
  }
}

/** Counts the handshake; one too many is refused before it costs anything, as a call would be. */
function isAdmitted(
  { admit }: Pick<LiveOptions, 'admit'>,
  trusts: Trusts,
  request: IncomingMessage,
): boolean {
  try {
    admit(callerAddress(request, trusts))
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuseRaw(request.socket, '429 Too Many Requests', error.message, error.retryAfter)
    return false
  }
}

const roomOf = (batchId: number): string => `order_${batchId}`

/** A page of another site may not open a line with our visitors' browsers. Programs send no Origin; the token is asked of them too. */
export function mayCall(
  origin: string | undefined,
  host: string | undefined,
  publicUrl: string,
): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || new URL(origin).origin === new URL(publicUrl).origin
}

/** Answers true as often as allowed within each minute. */
function allowance(most: number): () => boolean {
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
function readEnded(payload: string): { userId?: number; sessionId?: number } {
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
