// npm run unlock -- <email>: takes all second factors and recovery codes of a user away, for one who
// has lost them, and ends the user's sessions. It works while Evenpost runs; the user gets an email.
import { unlockUser } from '#server/accounts/unlock.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { requireDatabase } from '#server/platform/embedded-postgres/cluster.ts'
import { startPostgres } from '#server/platform/embedded-postgres/start.ts'
import { openMailer } from '#server/platform/mail/mailer.ts'
import { createLogger } from '#server/platform/process/log.ts'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { openSecretKey } from '#server/platform/process/secret-key.ts'
import { loadEnvFile, runOperatorCommand, say } from './command.ts'

await runOperatorCommand('unlock', async ([email, ...others]) => {
  if (email === undefined || others.length > 0)
    throw new OperatorError('Name one email: npm run unlock -- ana@example.com. Nothing was done.')
  loadEnvFile()
  const config = readConfig(process.env)
  if (!config.databaseUrl) await requireDatabase(config.dataDir)
  const embedded = config.databaseUrl
    ? undefined
    : await startPostgres({ dataDir: config.dataDir, log: () => {}, exclusive: false })
  const database = openDatabase(config.databaseUrl ?? embedded!.ownerUrl, {
    max: 2,
    name: 'evenpost unlock',
  })
  try {
    const log = createLogger(config.logLevel)
    const secretKey = await openSecretKey(config)
    const mailer = openMailer({ config, database, log, secretKey })
    const factors = await unlockUser({ config, database, log, mailer }, email)
    if (factors === null)
      throw new OperatorError(`There is no user with the email ${email}. Nothing was done.`)
    say(
      factors === 0
        ? `${email} has no second factor. Nothing was done.`
        : `${factors === 1 ? 'The second factor' : `All ${factors} second factors`} and the recovery codes of ${email} are removed, `
            + 'and all sessions have ended. The password works as before; the user is told by email.',
    )
  } finally {
    await database.close()
    await embedded?.stop()
  }
})
