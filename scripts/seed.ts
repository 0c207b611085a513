/**
 * `node scripts/seed.ts <database-url> [users] [labels] [largest]`: fills an empty database with 10,000 users
 * and 1,000,000 labels whose books balance, for benchmarks and long lists. seller1@example.com has
 * `largest` labels, a fifth of all by default. Refuses a database with orders.
 */
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { fillDatabase, SEED_PASSWORD } from './seed/fill.ts'

const [url, users = '10000', labels = '1000000', largest] = process.argv.slice(2)
const count = (text: string): number => (/^[1-9]\d{0,7}$/.test(text) ? Number(text) : Number.NaN)
const size = {
  users: count(users),
  labels: count(labels),
  largest: largest === undefined ? count(labels) / 5 : count(largest),
}
if (!url || Object.values(size).some(Number.isNaN) || size.largest > size.labels) {
  process.stderr.write('Usage: node scripts/seed.ts <database-url> [users] [labels] [largest]\n')
  process.exit(2)
}
const began = performance.now()
const seconds = (): number => Math.round((performance.now() - began) / 1000)
const say = (line: string): void =>
  void process.stdout.write(`${String(seconds()).padStart(5)} s  ${line}\n`)
const database = openDatabase(url, { max: 2, name: 'evenpost seed' })
try {
  await migrate(database.pool)
  await fillDatabase(url, { ...size, say })
  say(`Seeded. The password of every user: ${SEED_PASSWORD}`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await database.close()
}
