import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { OperatorError } from '#server/platform/process/operator-error.ts'

const require = createRequire(import.meta.url)

/** The project's folder. */
export const ROOT = dirname(import.meta.dirname)

/** The file behind a command of a package: `bin('typescript', 'tsc')`. */
export function packageBinary(name: string, command = name): string {
  const manifest = join(ROOT, 'node_modules', name, 'package.json')
  const { bin: commands } = require(manifest) as { bin: string | Record<string, string> }
  const path = typeof commands === 'string' ? commands : commands[command]
  if (!path) throw new Error(`The package ${name} has no command ${command}.`)
  return join(dirname(manifest), path)
}

/**
 * Runs a script of Node's in the project's folder, its output going where ours goes. Answers whether it succeeded. `node` itself
 * is never looked up on the path: on Windows a shim of that name would lead to another one.
 */
export async function runNodeScript(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<boolean> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

/** A heading between the steps of a command. */
export const heading = (text: string): void =>
  void process.stdout.write(`\n── ${text} ${'─'.repeat(Math.max(2, 90 - text.length))}\n`)

/** Types of the server, the contract and the tests, and of the pages. */
export async function checkTypes(): Promise<boolean> {
  const tsc = packageBinary('typescript', 'tsc')
  const [server, pages] = await Promise.all([
    runNodeScript(tsc, ['--noEmit']),
    runNodeScript(tsc, ['--noEmit', '-p', 'web/tsconfig.json']),
  ])
  return server && pages
}

export const lint = (): Promise<boolean> =>
  runNodeScript(packageBinary('oxlint'), ['--deny-warnings'])

/** Checks the layout of the source without changing it; `npm run format` corrects it. */
export const checkFormat = (): Promise<boolean> =>
  runNodeScript(packageBinary('oxfmt'), ['--check'])

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/**
 * Runs a command of the operator's with its words and its flags. What he has to put right is said in plain sentences, with exit
 * code 1; only our own faults have a stack.
 */
export async function runOperatorCommand(
  name: string,
  work: (words: string[], flags: Set<string>) => Promise<void>,
  known: string[] = [],
): Promise<void> {
  const given = process.argv.slice(2)
  const flags = new Set(given.filter(word => word.startsWith('--')))
  try {
    const strange = [...flags].find(flag => !known.includes(flag))
    if (strange)
      throw new OperatorError(
        `npm run ${name} does not know ${strange}. It knows ${known.join(', ')}.`,
      )
    await work(
      given.filter(word => !word.startsWith('--')),
      flags,
    )
  } catch (error) {
    const text =
      error instanceof OperatorError
        ? error.message
        : error instanceof Error
          ? error.stack
          : String(error)
    process.stderr.write(`Evenpost, ${name}: ${text}\n`)
    process.exitCode = 1
  }
}
