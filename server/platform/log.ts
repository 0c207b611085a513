import Fastify from 'fastify'
import type { FastifyBaseLogger } from 'fastify'

/** Structured log: first what a machine should find, then a sentence. No personal data, no tokens, no addresses. */
export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>

/** A log to standard output at `level` (debug … silent), of the same kind as the HTTP server's. */
export const createLog = (level: string): Logger => Fastify({ logger: { level } }).log
