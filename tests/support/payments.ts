import { readConfig } from '#server/config.ts'
import { sandboxProvider } from '#server/payments/sandbox/provider.ts'
import { openRequestLimits } from '#server/platform/http/request-limits.ts'
import { testDatabase } from './database.ts'

/** Payments with the sandbox's provider and a database of their own. */
export async function testPayments() {
  const database = await testDatabase()
  const log = { info() {}, warn() {}, error() {}, debug() {} }
  const ctx = { config: readConfig({}), database, log }
  const provider = sandboxProvider(ctx)
  return { database, provider, payments: { ...ctx, provider, limits: openRequestLimits(ctx) } }
}
