import type { FastifyInstance } from 'fastify'
import { createHttp } from './platform/http.ts'
import type { House } from './platform/house.ts'

/** The whole application: the pages and calls, and the work in the background. */
export type App = {
  http: FastifyInstance
  /** Starts the work in the background. Answers with how to sign in, at the first start only. */
  begin(): Promise<{ signIn?: string }>
  /** Ends the work in the background: nothing new is begun, what is in flight is settled. */
  end(): Promise<void>
}

/** Builds the application on the house; nothing runs and nobody listens yet. */
export async function buildApp(house: House): Promise<App> {
  const http = createHttp({ trustProxy: house.config.trustProxy, logLevel: house.config.logLevel })
  http.get('/api/health', async () => ({ ok: true, database: 'up', version: '0.1.0' }))
  return { http, begin: async () => ({}), end: async () => {} }
}
