// npm run audit: asks the registry for known vulnerabilities of the packages in use and for the
// signatures of all installed ones. Exits with 1 for a finding, with 2 when the registry does not
// answer: then nothing is known.
import { spawnSync } from 'node:child_process'
import { auditOutcome } from './audit/outcome.ts'
import { ROOT, say } from './command.ts'

const CHECKS = [
  ['Known vulnerabilities', ['audit', '--omit=dev', '--audit-level=high', '--json']],
  ['Signatures', ['audit', 'signatures', '--json']],
] as const

for (const [what, args] of CHECKS) {
  const { stdout, status } = spawnSync('npm', args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    shell: process.platform === 'win32',
  })
  const { exitCode, text } = auditOutcome(status, stdout)
  say(`${what}: ${text}`)
  if (exitCode === 1 || (exitCode === 2 && process.exitCode !== 1)) process.exitCode = exitCode
}
