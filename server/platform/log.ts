import type { FastifyBaseLogger } from 'fastify'

/** Structured log: first what a machine should find, then a sentence. No personal data, no tokens, no addresses. */
export type Logger = Pick<FastifyBaseLogger, 'info' | 'warn' | 'error' | 'debug'>
