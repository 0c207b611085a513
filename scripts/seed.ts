/**
 * `node scripts/seed.ts <database-url> [users] [labels]`: fills an empty database with 10,000 users
 * and 1,000,000 labels whose books balance, for benchmarks and long lists. seller1@example.com has
 * a fifth of all labels. Refuses a database with orders.
 */
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { fillDatabase, SEED_PASSWORD } from './seed/fill.ts'

const [url, users = '10000', labels = '1000000'] = process.argv.slice(2)
const count = (text: string): number => (/^[1-9]\d{0,7}$/.test(text) ? Number(text) : Number.NaN)
if (!url || Number.isNaN(count(users)) || Number.isNaN(count(labels))) {
  process.stderr.write('Usage: node scripts/seed.ts <database-url> [users] [labels]\n')
  process.exit(2)
}
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const database = openDatabase(url, { max: 2, name: 'evenpost seed' })
try {
  await migrate(database.pool)
  const began = performance.now()
  await fillDatabase(url, { users: count(users), labels: count(labels), say })
  say(
    `Seeded in ${Math.round((performance.now() - began) / 1000)} s. The password of every user: ${SEED_PASSWORD}`,
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
} finally {
  await database.close()
}
