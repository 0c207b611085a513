// npm run dev: the server, started again at each change, and Vite's server for the pages, which passes calls on to it.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { bin, ROOT } from './steps.ts'

const start = (args: string[]): ChildProcess => spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })

const children = [
  start(['--watch-path=server', '--watch-path=contract', '--watch-preserve-output', 'server/main.ts']),
  start([bin('vite'), 'web']),
]
// Ctrl-C reaches the children by itself; we only wait for them, so that the database can be put to rest.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => children.forEach(child => child.kill('SIGTERM')))
const ends = children.map(child => once(child, 'exit'))
await Promise.race(ends)
children.forEach(child => child.kill('SIGTERM'))
await Promise.all(ends)
