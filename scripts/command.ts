import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { signalName } from '#server/platform/process/lifecycle.ts'
import { ignoreLostOutput } from '#server/platform/process/lost-output.ts'
import { OperatorError, printError } from '#server/platform/process/operator-error.ts'

const require = createRequire(import.meta.url)

/** The folder of the project. */
export const ROOT = dirname(import.meta.dirname)

/** The file of a package's command: `packageBinary('typescript', 'tsc')`. */
export function packageBinary(name: string, command = name): string {
  const manifest = join(ROOT, 'node_modules', name, 'package.json')
  const { bin: commands } = require(manifest) as { bin: string | Record<string, string> }
  const path = typeof commands === 'string' ? commands : commands[command]
  if (!path) throw new Error(`The package ${name} has no command ${command}.`)
  return join(dirname(manifest), path)
}

/**
 * Runs a Node script in the folder of the project and passes its output on. Returns whether it
 * succeeded. Uses the running Node: on Windows a shim on the PATH may lead to another one.
 */
export async function runNodeScript(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
  flags: string[] = [],
): Promise<boolean> {
  const child = spawn(process.execPath, [...flags, script, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

/**
 * Runs a Node script beside another step, with its output in this file. Returns whether it succeeded. Its end is the end of the
 * script, also when a process that it started goes on.
 */
export async function runNodeScriptAside(
  script: string,
  output: string,
  env: Record<string, string> = {},
): Promise<boolean> {
  await using file = await open(output, 'w')
  const child = spawn(process.execPath, [script], {
    cwd: ROOT,
    stdio: ['ignore', file.fd, file.fd],
    env: { ...process.env, ...env },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code === 0
}

/**
 * Runs Vitest. A worker keeps the modules of a hundred files, and each collection of garbage reads all of them. With these flags V8
 * collects less often.
 */
export const runVitest = (args: string[], env: Record<string, string> = {}): Promise<boolean> =>
  runNodeScript(packageBinary('vitest'), args, env, [
    '--max-semi-space-size=32',
    '--heap-growing-percent=200',
  ])

export const heading = (text: string): void =>
  void process.stdout.write(`\n── ${text} ${'─'.repeat(Math.max(2, 90 - text.length))}\n`)

/** Checks the types of server, contract, tests and web. */
export async function checkTypes(): Promise<boolean> {
  const tsc = packageBinary('typescript', 'tsc')
  // Less CPU and memory than by default: figures in CONTRIBUTING.md.
  const check = (project: string) =>
    runNodeScript(tsc, ['--noEmit', '-p', project, '--checkers', '2'], { GOGC: '400' })
  const [server, web] = await Promise.all([check('tsconfig.json'), check('web/tsconfig.json')])
  return server && web
}

export const lint = (): Promise<boolean> =>
  runNodeScript(packageBinary('oxlint'), ['--deny-warnings'])

/** Checks the formatting; `npm run format` corrects it. */
export const checkFormat = (): Promise<boolean> =>
  runNodeScript(packageBinary('oxfmt'), ['--check'])

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Sets the variables of the project's `.env` that the environment does not have. */
export function loadEnvFile(): void {
  const file = join(ROOT, '.env')
  if (existsSync(file)) process.loadEnvFile(file)
}

/**
 * Aborted by Ctrl-C, SIGTERM or SIGHUP, for work that then removes what it has begun, or completes its last step. Repeated signals
 * have no effect: npm forwards its copy of a Ctrl-C.
 */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stop.signal.aborted) return
      say('Stopping after this step and removing what was begun, unless it is the last step')
      stop.abort(new OperatorError(`It was stopped by ${signalName(signal)}. Nothing was changed.`))
    })
  return stop.signal
}

/**
 * Runs a command with its arguments and flags. An OperatorError is printed as a sentence, any other
 * error with its stack; exit code 1.
 */
export async function runOperatorCommand(
  name: string,
  work: (args: string[], flags: Set<string>) => Promise<void>,
  knownFlags: string[] = [],
): Promise<void> {
  ignoreLostOutput()
  const args = process.argv.slice(2)
  const flags = new Set(args.filter(arg => arg.startsWith('--')))
  try {
    const unknown = [...flags].find(flag => !knownFlags.includes(flag))
    if (unknown) {
      const known = knownFlags.length === 0 ? 'has no flags' : `knows ${knownFlags.join(', ')}`
      throw new OperatorError(`npm run ${name} does not know ${unknown}. It ${known}.`)
    }
    await work(
      args.filter(arg => !arg.startsWith('--')),
      flags,
    )
  } catch (error) {
    printError(error, name)
    process.exitCode = 1
  }
}
