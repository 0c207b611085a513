// A process that uses the database of a data folder until it is killed: `node hold-postgres.ts <folder>`. Prints the address.
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'

const postgres = await startPostgres({ dataDir: process.argv[2]!, testMode: true, log: () => {} })
await postgres.announce('http://127.0.0.1:4321')
process.stdout.write(`${postgres.ownerUrl}\n`)
setInterval(() => {}, 60_000)
