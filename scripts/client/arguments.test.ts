import { expect, test } from 'vitest'
import { readCommandLine, UsageError } from './arguments.ts'

const ENV = { EVENPOST_KEY: 'evp_test_key' }
const read = (text: string, env: Record<string, string> = ENV) =>
  readCommandLine(text.split(' ').filter(Boolean), env)

test('a file is bought with its results beside it', () => {
  expect(read('labels buy --file week/orders.csv --service Ground').command).toEqual({
    name: 'buy',
    options: {
      file: 'week/orders.csv',
      sheet: null,
      service: 'Ground',
      oneLabelFor: 'line',
      maxCost: null,
      results: 'week/orders-results.csv',
      pdf: null,
      faulty: 'week/orders-faulty.csv',
      dryRun: false,
      skipFaulty: false,
      allowRepeats: false,
    },
  })
})

test('the results of each sheet of a workbook have files of their own', () => {
  const line = ['labels', 'buy', '--file', 'week.1/orders.xlsx', '--sheet', 'Mon/Tue A&B']
  expect(readCommandLine(line, ENV).command).toMatchObject({
    options: {
      sheet: 'Mon/Tue A&B',
      results: 'week.1/orders-Mon-Tue A&B-results.csv',
      faulty: 'week.1/orders-Mon-Tue A&B-faulty.csv',
    },
  })
})

test('the key and the server come from the environment or the command line', () => {
  expect(read('balance').connection).toEqual({
    server: 'http://localhost:3000',
    key: 'evp_test_key',
  })
  const line = 'balance --key evp_test_other --server https://labels.example.com/'
  expect(read(line).connection).toEqual({
    server: 'https://labels.example.com',
    key: 'evp_test_other',
  })
})

test.each([
  ['balance', {}, 'EVENPOST_KEY'],
  ['labels buy', ENV, '--file'],
  ['labels buy --file a.csv --max-cost 1e3', ENV, '--max-cost'],
  ['labels buy --file a.csv --one-label-for box', ENV, 'line, order, address'],
  ['labels status', ENV, 'number of a bulk order'],
  ['labels status 27 --pdf a.pdf', ENV, '--pdf does not belong to labels status'],
  ['labels download 27', ENV, '--pdf or --results'],
  ['labels sell', ENV, "no command 'labels sell'"],
  ['balance --server ftp://host', ENV, 'address of a server'],
  ['balance --speed 9', ENV, '--speed'],
])('%s says what to write instead', (line, env, hint) => {
  expect(() => read(line, env as Record<string, string>)).toThrow(UsageError)
  expect(() => read(line, env as Record<string, string>)).toThrow(hint)
})

test('without a command the help is shown, without a key', () => {
  expect(read('', {}).command).toEqual({ name: 'help' })
  expect(read('labels buy --help', {}).command).toEqual({ name: 'help' })
})
