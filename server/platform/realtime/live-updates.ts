/**
 * Live updates over Socket.IO. A database notification announces a change; the state is then read
 * from the database. Clients also poll.
 */
import type { IncomingMessage } from 'node:http'
import proxyaddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import type { Fault, RefusalCode } from '#contract/refusals.ts'
import type { Context } from '#server/platform/context.ts'
import { listenToNotifications } from '#server/platform/database/notifications.ts'
import { sendRawRefusal } from '#server/platform/http/raw-response.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { compileTrust } from '#server/platform/http/trust-proxy.ts'
import type { ProxyTrust } from '#server/platform/http/trust-proxy.ts'
import { createUpdateThrottle } from './update-throttle.ts'

export type RoomKind<Update = unknown> = {
  /** A room's name is the prefix and an id: 'order_17'. */
  prefix: string
  /** From the client, with the name of the room. */
  joinEvent: string
  /** To the sockets in a room, with the current state. */
  updateEvent: string
  /** Database channel that announces a change; its payload is the id. */
  channel: string
  mayJoin(caller: Caller, id: number): Promise<boolean>
  /** The current state; null when there is nothing to send. */
  read(id: number): Promise<Update | null>
  /** Refusals of a join: the name is not of this kind, or `mayJoin` is false. */
  faults: { badName: Fault; notFound: Fault }
}

export type LiveUpdatesOptions = {
  app: FastifyInstance
  ctx: Context
  authenticate: (token: string) => Promise<Caller | null>
  /** Those of these sessions that are active. Does not extend them. */
  findActiveSessions: (ids: number[]) => Promise<Set<number>>
  /** Counts a new connection; throws Refusal 429. */
  admit: (address: string) => void
  rooms: RoomKind[]
  /**
   * Database channel for ended sessions: JSON, `{userId}` for all sessions of a user or
   * `{sessionId}` for one.
   */
  sessionEndedChannel: string
}

type JoinReply = { ok: true } | { ok: false; message: string; code: RefusalCode }
type LiveSocket = Socket<
  Record<string, (room: unknown, reply: unknown) => void>,
  Record<string, (update: unknown) => void>,
  Record<string, never>,
  { caller: Caller; token: string }
>

const MINUTE_MS = 60_000
/** Nothing announces that a session expires. */
const CHECK_INTERVAL_MS = MINUTE_MS
const JOINS_A_MINUTE = 60
const MESSAGES_A_MINUTE = 300
const MAX_MESSAGE_BYTES = 10_000
const refused = ({ code, text }: Fault): JoinReply => ({ ok: false, message: text, code })
const TOO_MANY = refused({
  code: 'rate_limited',
  text: 'Too many requests. Please wait a minute and try again.',
})

/** A page has one. Beyond it a page asks for progress every few seconds instead. */
export const SOCKETS_PER_USER = 20
const TOO_MANY_SOCKETS = `There are already ${SOCKETS_PER_USER} live connections of yours. Close some of the pages.`

/** A page sends some packets a minute, each below 200 bytes. */
const PACKETS_A_MINUTE = 600
const BYTES_A_MINUTE = 100_000
/** Ping frames of WebSocket itself, 6 bytes each. Browsers send none; other clients a few a minute. */
const PINGS_A_MINUTE = 20

type Connection = Socket['conn']
/** Of the package ws. */
type WebSocketOfLibrary = {
  on(event: 'ping', listener: (data: Buffer) => void): void
  pong(data: Buffer): void
  terminate(): void
}
type EngineWithWebSockets = { ws: { options: { autoPong: boolean } } }
type OpenKind = { kind: RoomKind; throttle: ReturnType<typeof createUpdateThrottle<unknown>> }
type LiveServer = Omit<LiveUpdatesOptions, 'app' | 'rooms'> & { io: Server; kinds: OpenKind[] }

export type LiveUpdates = { start(): Promise<void>; stop(): Promise<void>; countSockets(): number }

/**
 * `start` begins to listen to the database. `stop` ends all sockets; closing the HTTP server does
 * so too, before it waits for its connections.
 */
export function openLiveUpdates({ app, rooms, ...options }: LiveUpdatesOptions): LiveUpdates {
  const { ctx, authenticate, sessionEndedChannel } = options
  const trust = compileTrust(ctx.config.trustProxy)
  const io: Server = new Server(app.server, {
    transports: ['websocket'],
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
    allowRequest: (request, decide) =>
      decide(
        null,
        admitHandshake(options, trust, request)
          && isAllowedOrigin(request.headers.origin, request.headers.host, ctx.config),
      ),
  })
  // The library answers each ping frame at once; 10,000 fit into one read of a connection.
  ;(io.engine as unknown as EngineWithWebSockets).ws.options.autoPong = false
  limitRawTraffic(io)
  countPlainRequests(io, options, trust)
  const admitUser = countByUser()
  const live: LiveServer = { ...options, io, kinds: rooms.map(kind => openKind(io, ctx, kind)) }

  io.use(async (socket, next) => {
    const token: unknown = socket.handshake.auth.token
    const caller =
      typeof token === 'string' && token.length <= 200
        ? await authenticate(token).catch(() => null)
        : null
    if (!caller) return next(new Error('Please sign in'))
    if (!admitUser(caller.userId, socket.conn)) return next(new Error(TOO_MANY_SOCKETS))
    socket.data = { caller, token }
    next()
  })
  io.on('connection', (socket: LiveSocket) => handleConnection(live, socket))

  const listener = listenToNotifications({
    ctx,
    channels: {
      ...Object.fromEntries(
        live.kinds.map(({ kind, throttle }) => [
          kind.channel,
          (payload: string) => throttle.changed(Number(payload)),
        ]),
      ),
      [sessionEndedChannel]: payload => disconnectSessions(live, parseSessionEnded(payload)),
    },
    onReconnect: () => void resyncAll(live),
  })
  let checks: NodeJS.Timeout | undefined
  const start = async (): Promise<void> => {
    await listener.start()
    checks ??= setInterval(() => void closeEndedSessions(live), CHECK_INTERVAL_MS)
  }
  // io.close() would also close the HTTP server, which belongs to the caller.
  const stop = async (): Promise<void> => {
    clearInterval(checks)
    await listener.stop()
    for (const { throttle } of live.kinds) throttle.close()
    io.disconnectSockets(true)
    io.engine.close()
  }
  app.addHook('preClose', stop)
  return { start, stop, countSockets: () => io.engine.clientsCount }
}

function openKind(io: Server, ctx: Context, kind: RoomKind): OpenKind {
  const roomOf = (id: number): string => `${kind.prefix}${id}`
  const throttle = createUpdateThrottle({
    read: kind.read,
    hasListeners: id => io.sockets.adapter.rooms.has(roomOf(id)),
    send: (id, update, only) => io.to(only ?? roomOf(id)).emit(kind.updateEvent, update),
    onError: error =>
      ctx.log.warn({ err: error }, 'an update could not be read; it is read again in a moment'),
  })
  return { kind, throttle }
}

function handleConnection(live: LiveServer, socket: LiveSocket): void {
  const joins = minuteLimit(JOINS_A_MINUTE)
  const messages = minuteLimit(MESSAGES_A_MINUTE)
  socket.use((_message, next) => (messages() ? next() : socket.disconnect(true)))
  for (const kind of live.kinds) {
    socket.on(kind.kind.joinEvent, async (room, reply) => {
      const result = joins() ? await joinRoom(live, kind, socket, room) : TOO_MANY
      if (typeof reply === 'function') reply(result)
    })
  }
}

async function joinRoom(
  { authenticate, ctx }: LiveServer,
  { kind, throttle }: OpenKind,
  socket: LiveSocket,
  room: unknown,
): Promise<JoinReply> {
  const id = typeof room === 'string' ? parseRoom(kind, room) : null
  if (id === null) return refused(kind.faults.badName)
  try {
    // Authenticated again: the session may have ended, or the role changed, since the socket was
    // opened.
    const caller = await authenticate(socket.data.token)
    if (!caller) {
      socket.disconnect(true)
      return refused({ code: 'sign_in_required', text: 'Please sign in' })
    }
    if (caller.assurance?.lacksFactor || !(await kind.mayJoin(caller, id)))
      return refused(kind.faults.notFound)
    await socket.join(`${kind.prefix}${id}`)
    // Read after the join: no change in between is lost.
    throttle.addSocket(id, socket.id)
    return { ok: true }
  } catch (error) {
    ctx.log.warn({ err: error }, 'a room could not be joined')
    return refused({
      code: 'busy',
      text: 'This did not work just now. Please try again in a moment.',
    })
  }
}

function parseRoom({ prefix }: RoomKind, room: string): number | null {
  const id = room.startsWith(prefix) ? room.slice(prefix.length) : ''
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null
}

const listSockets = ({ io }: LiveServer): LiveSocket[] =>
  [...io.sockets.sockets.values()] as LiveSocket[]

function disconnectSessions(
  live: LiveServer,
  ended: { userId?: number; sessionId?: number },
): void {
  for (const socket of listSockets(live)) {
    const { userId, sessionId } = socket.data.caller
    if (userId === ended.userId || sessionId === ended.sessionId) socket.disconnect(true)
  }
}

/**
 * After a gap in the notifications: sends the current state to all rooms and closes sockets whose
 * session ended.
 */
async function resyncAll(live: LiveServer): Promise<void> {
  for (const room of live.io.sockets.adapter.rooms.keys()) {
    for (const { kind, throttle } of live.kinds) {
      const id = parseRoom(kind, room)
      if (id !== null) throttle.changed(id)
    }
  }
  await closeEndedSessions(live)
}

/** Closes the sockets of sessions that have ended; one query for all sockets. */
async function closeEndedSessions(live: LiveServer): Promise<void> {
  const sockets = listSockets(live)
  if (sockets.length === 0) return
  try {
    const ids = new Set(sockets.map(({ data }) => data.caller.sessionId))
    const active = await live.findActiveSessions([...ids])
    for (const socket of sockets)
      if (!active.has(socket.data.caller.sessionId)) socket.disconnect(true)
  } catch (error) {
    live.ctx.log.warn({ err: error }, 'the sessions of live connections could not be checked')
  }
}

function admitHandshake(
  { admit }: Pick<LiveUpdatesOptions, 'admit'>,
  trust: ProxyTrust,
  request: IncomingMessage,
): boolean {
  try {
    admit(proxyaddr(request, trust) ?? '')
    return true
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    sendRawRefusal(request.socket, error)
    return false
  }
}

/**
 * Refuses pages of other sites. Programs send no Origin; they need the token as well. With
 * PUBLIC_URL its origin is the only one: a Host header can be any name that leads to this server.
 */
export function isAllowedOrigin(
  origin: string | undefined,
  host: string | undefined,
  { publicUrl, hasPublicUrl }: { publicUrl: string; hasPublicUrl: boolean },
): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const given = new URL(origin)
  return given.origin === new URL(publicUrl).origin || (!hasPublicUrl && given.host === host)
}

/**
 * Counts the connections of each user in this process. False at the limit: the newest is refused,
 * since a page whose connection is ended opens it again at once.
 */
function countByUser(): (userId: number, connection: Connection) => boolean {
  const counts = new Map<number, number>()
  return (userId, connection) => {
    const count = counts.get(userId) ?? 0
    // A connection that ended during the sign-in emits no 'close' any more: it would count forever.
    if (count >= SOCKETS_PER_USER || connection.readyState !== 'open') return false
    counts.set(userId, count + 1)
    connection.once('close', () => {
      const rest = counts.get(userId)! - 1
      if (rest === 0) counts.delete(userId)
      else counts.set(userId, rest)
    })
    return true
  }
}

/** Socket.IO shows only complete events to `socket.use`; a flood of anything else is ended here. */
function limitRawTraffic(io: Server): void {
  io.engine.on('connection', (connection: Connection) => {
    const { socket } = connection.request
    const { socket: webSocket } = connection.transport as unknown as { socket: WebSocketOfLibrary }
    const pings = minuteLimit(PINGS_A_MINUTE)
    webSocket.on('ping', data => (pings() ? webSocket.pong(data) : webSocket.terminate()))
    const packets = minuteLimit(PACKETS_A_MINUTE)
    const bytes = minuteLimit(BYTES_A_MINUTE)
    connection.on('packet', () => {
      if (!packets()) socket.destroy()
    })
    socket.on('data', (data: Buffer) => {
      if (!bytes(data.length)) socket.destroy()
    })
  })
}

/** Below /socket.io a request that opens no connection counts like one that does. */
function countPlainRequests(
  io: Server,
  options: Pick<LiveUpdatesOptions, 'admit'>,
  trust: ProxyTrust,
): void {
  io.engine.use((request: IncomingMessage, _response: unknown, next: () => void) => {
    const isUpgrade = request.headers.upgrade !== undefined
    if (isUpgrade || admitHandshake(options, trust, request)) next()
  })
}

function minuteLimit(most: number): (by?: number) => boolean {
  let count = 0
  let endsAt = 0
  return (by = 1) => {
    if (performance.now() >= endsAt) {
      count = 0
      endsAt = performance.now() + MINUTE_MS
    }
    count += by
    return count <= most
  }
}

/** Ids may be numbers or decimal strings; an unreadable payload ends no socket. */
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
