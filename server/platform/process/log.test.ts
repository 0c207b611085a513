import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { toLoggableError } from './log.ts'

const { owner: database } = await testDatabase() // it makes a table

async function failed(statement: string): Promise<string> {
  const error: unknown = await database.pool.query(statement).catch((refused: unknown) => refused)
  return JSON.stringify(toLoggableError(new Error('it could not be stored', { cause: error })))
}

test('an error of the database is logged without the values of the row', async () => {
  await database.pool.query(
    `create table parcel (receiver text unique check (receiver <> 'unclaimed'), weight int)`,
  )
  await database.pool.query(`insert into parcel values ('June Rivera')`)
  const twice = await failed(`insert into parcel values ('June Rivera')`)
  const wrong = await failed(`insert into parcel values ('unclaimed', 4711)`)
  const unread = await failed(`select weight from parcel where weight = 'June Rivera'`)
  for (const line of [twice, wrong, unread]) expect(line).not.toMatch(/June|unclaimed|4711/)
  expect(twice).toContain('"code":"23505","at":"parcel.parcel_receiver_key"')
  expect(wrong).toContain('parcel_receiver_check')
  expect(unread).toContain('invalid input syntax for type integer')
})

test('errors of the program are logged with message, cause and stack', () => {
  const plain = toLoggableError(
    new TypeError('a label without a number', { cause: new Error('the carrier said nothing') }),
  )
  expect(plain).toMatchObject({
    type: 'TypeError',
    message: 'a label without a number',
    cause: { message: 'the carrier said nothing' },
  })
  expect(plain.stack).toMatch(/^ {4}at .*log\.test\.ts/)
})
