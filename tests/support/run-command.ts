/** Runs the operator's commands. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startEnv } from '#server/platform/process/start-env.ts'

const SCRIPTS = join(import.meta.dirname, '..', '..', 'scripts')

export type CommandResult = { code: number | null; output: string }

/** Runs `scripts/<name>.ts` in a clean environment with `env`. Answers with its exit code and all it said. */
export async function runCommand(
  name: string,
  args: string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [join(SCRIPTS, `${name}.ts`), ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...startEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: said }
}
