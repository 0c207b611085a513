import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { checkStandby } from './standby-check.ts'

const { url } = await testDatabase()

test('the doctor says whether statements can be read from the standby', async () => {
  expect(await checkStandby(url)).toEqual({
    isOk: true,
    text: 'Standby: the server named by DATABASE_READ_URL can be read',
  })
  const wrong = new URL(url)
  wrong.pathname = '/no_such_books'
  const { isOk, text } = await checkStandby(wrong.href)
  expect(isOk).toBe(false)
  expect(text).toMatch(/cannot be read \(.*no_such_books.*\), and .* read from the primary/)
})
