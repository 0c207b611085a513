/** The doctor's checks of the database user that the server connects as, and of that server's log. */
import type pg from 'pg'
import { excessRights, separationWarning } from '#server/platform/database/roles.ts'
import type { Finding } from './data-checks.ts'

/** `user`: default: the user of these connections. */
export async function checkDatabaseUser(pool: pg.Pool, user?: string): Promise<Finding[]> {
  const rights = await excessRights(pool, user)
  const warning = separationWarning(rights)
  const separation = warning
    ? { isOk: false, text: `Database: ${warning}` }
    : {
        isOk: true,
        text: `Database: the user ${rights.user} cannot change balances, transfers or audit entries`,
      }
  return [separation, await checkServerLog(pool, user)]
}

/**
 * A statement, a parameter or a row in the server's log contains what customers have typed. Either
 * the user logs no errors, or all three settings are as listed.
 */
async function checkServerLog(pool: pg.Pool, user?: string): Promise<Finding> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    `select s.name, coalesce((select split_part(own, '=', 2) from pg_db_role_setting d, unnest(d.setconfig) own
        where d.setrole = (select oid from pg_roles where rolname = $1) and own like s.name || '=%'), s.setting) as setting
      from pg_settings s where name = any($2)`,
    [user ?? null, LOG_SETTINGS],
  )
  const setting = Object.fromEntries(rows.map(row => [row.name, row.setting]))
  const isQuiet =
    /^(log|fatal|panic)$/.test(setting.log_min_messages!)
    || (setting.log_error_verbosity === 'terse'
      && /^(log|fatal|panic)$/.test(setting.log_min_error_statement!)
      && setting.log_parameter_max_length_on_error === '0')
  const isTraced = setting.log_statement === 'all' || setting.log_statement === 'mod'
  return isQuiet && !isTraced
    ? {
        isOk: true,
        text: 'Database: what customers have typed does not reach the log of the server',
      }
    : {
        isOk: false,
        text:
          'Database: the log of the server receives what customers have typed. As its administrator: '
          + (isTraced
            ? "alter system set log_statement = 'ddl'"
            : "alter system set log_error_verbosity = 'terse'; alter system set log_min_error_statement = 'panic'; "
              + 'alter system set log_parameter_max_length_on_error = 0')
          + '; select pg_reload_conf()',
      }
}

const LOG_SETTINGS = [
  'log_min_messages',
  'log_error_verbosity',
  'log_min_error_statement',
  'log_parameter_max_length_on_error',
  'log_statement',
]
