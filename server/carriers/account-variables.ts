/**
 * Variables of several carrier accounts: CARRIER_ACCOUNTS=main,backup names them, and the variables
 * that one account has alone are set for each, as CARRIER_MAIN_KIND and CARRIER_MAIN_EASYPOST_API_KEY.
 */
import { ONLY_ACCOUNT_NAME } from './accounts.ts'
import { CARRIER_VARIABLES } from './config.ts'

type Env = Record<string, string | undefined>

/** Set for each account, where CARRIER_ACCOUNTS names several. */
const OF_ONE_ACCOUNT = Object.keys(CARRIER_VARIABLES).filter(
  name =>
    /^(?:EASYPOST|USPS|SHIPENGINE)_/.test(name)
    || ['CARRIER', 'CARRIER_PER_MINUTE', 'CARRIER_SAME_ACCOUNT'].includes(name),
)
const IN_TEXT = new RegExp(`\\b(?:${OF_ONE_ACCOUNT.join('|')})\\b`, 'g')

const NAME = /^[a-z][a-z0-9]{0,19}$/
const MAX_ACCOUNTS = 8

const suffixOf = (variable: string): string =>
  variable === 'CARRIER' ? 'KIND' : variable.replace(/^CARRIER_/, '')
const variableOf = (account: string, variable: string): string =>
  `CARRIER_${account.toUpperCase()}_${suffixOf(variable)}`

/**
 * `env`: as if the account were the only one. `rename`: puts the names of its variables into a sentence
 * about that.
 */
export type AccountEnv = { name: string; env: Env; rename: (text: string) => string }

/** The accounts in their order, and a sentence for each wrong variable. Always at least one account. */
export function carrierAccountEnvs(env: Env): { accounts: AccountEnv[]; wrong: string[] } {
  const isSet = (variable: string): boolean => Boolean(env[variable]?.trim())
  const names = accountNames(env)
  const wrong = [...nameProblems(names), ...unnamedAccounts(env, names)]
  const only = { name: ONLY_ACCOUNT_NAME, env, rename: (text: string) => text }
  if (names.length === 0 || wrong.length > 0) return { accounts: [only], wrong }
  for (const variable of OF_ONE_ACCOUNT.filter(isSet))
    wrong.push(
      `${variable} and CARRIER_ACCOUNTS are set: set ${variableOf(names[0]!, variable)} instead, and leave ${variable} out.`,
    )
  for (const name of names) {
    const kind = variableOf(name, 'CARRIER')
    if (!isSet(kind))
      wrong.push(
        `${kind} is missing: it says which carrier the account '${name}' of CARRIER_ACCOUNTS is at, such as easypost.`,
      )
    else if (names.length > 1 && env[kind]!.trim() === 'sandbox')
      wrong.push(
        `${kind} is 'sandbox' and CARRIER_ACCOUNTS names several: the sandbox is one account and never beside another. `
          + `Leave '${name}' out of CARRIER_ACCOUNTS.`,
      )
  }
  return { accounts: names.map(name => accountEnv(env, name)), wrong }
}

/** The variables that the accounts named by CARRIER_ACCOUNTS may have. */
export const namedAccountVariables = (env: Env): string[] =>
  accountNames(env).flatMap(name => OF_ONE_ACCOUNT.map(variable => variableOf(name, variable)))

function accountNames({ CARRIER_ACCOUNTS: names }: Env): string[] {
  return names?.trim() ? names.trim().split(/ *, */) : []
}

const accountEnv = (env: Env, name: string): AccountEnv => ({
  name,
  env: {
    ...env,
    ...Object.fromEntries(
      OF_ONE_ACCOUNT.map(variable => [variable, env[variableOf(name, variable)]]),
    ),
  },
  rename: text => text.replaceAll(IN_TEXT, variable => variableOf(name, variable)),
})

function nameProblems(names: readonly string[]): string[] {
  const wrong = names
    .filter(name => !NAME.test(name))
    .map(
      name =>
        `CARRIER_ACCOUNTS has '${name}'; a name must be 1 to 20 small letters and digits, a letter first, such as main.`,
    )
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined)
    wrong.push(`CARRIER_ACCOUNTS names '${repeated}' twice; leave one of them out.`)
  if (names.length > MAX_ACCOUNTS)
    wrong.push(
      `CARRIER_ACCOUNTS names ${names.length} accounts; it can name at most ${MAX_ACCOUNTS}.`,
    )
  return wrong
}

/** A misspelled name would leave an account without its key. */
function unnamedAccounts(env: Env, names: readonly string[]): string[] {
  const ofAccount = new RegExp(
    `^CARRIER_([A-Z][A-Z0-9]*)_(?:${OF_ONE_ACCOUNT.map(suffixOf).join('|')})$`,
  )
  return Object.keys(env).flatMap(variable => {
    const name = env[variable]?.trim() ? ofAccount.exec(variable)?.[1]?.toLowerCase() : undefined
    return name === undefined || names.includes(name)
      ? []
      : [
          `${variable} is set, but CARRIER_ACCOUNTS does not name '${name}': add it there, or leave ${variable} out.`,
        ]
  })
}
