import { expect, test } from 'vitest'
import {
  changeAddress,
  credentialsOf,
  currentAddress,
  serverAddresses,
  skipAddress,
} from './addresses.ts'

const SEVERAL = 'postgres://ana:p%2Cq@one:5432,two:5433/books?sslmode=require'

test('an address of several servers is one address for each', () => {
  expect(serverAddresses(SEVERAL)).toEqual([
    'postgres://ana:p%2Cq@one:5432/books?sslmode=require',
    'postgres://ana:p%2Cq@two:5433/books?sslmode=require',
  ])
  expect(serverAddresses('postgres://one,two/books')).toEqual([
    'postgres://one/books',
    'postgres://two/books',
  ])
})

test.each(['postgres://ana:a,b@one/books', 'postgres:///books', 'postgres://one/b?x=1,2'])(
  'one server, and a comma elsewhere: %s',
  url => {
    expect(serverAddresses(url)).toEqual([url])
  },
)

test('a change keeps the servers', () => {
  const change = (one: URL): void => one.searchParams.set('options', '-c role=app')
  expect(changeAddress(SEVERAL, change)).toBe(
    'postgres://ana:p%2Cq@one:5432,two:5433/books?sslmode=require&options=-c+role%3Dapp',
  )
  expect(changeAddress('postgres://one/books', change)).toBe(
    'postgres://one/books?options=-c+role%3Dapp',
  )
  expect(credentialsOf(SEVERAL)).toEqual(['ana', 'p,q'])
})

test('of connections that fail together only one moves on to the next server', () => {
  const [one, two] = serverAddresses(SEVERAL) as [string, string]
  expect(currentAddress(SEVERAL)).toBe(one)
  skipAddress(SEVERAL, one)
  skipAddress(SEVERAL, one)
  expect(currentAddress(SEVERAL)).toBe(two)
  skipAddress(SEVERAL, two)
  expect(currentAddress(SEVERAL)).toBe(one)
})
