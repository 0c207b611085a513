import { expect, test } from 'vitest'
import { putRetention } from '#server/platform/database/months.ts'
import { testDatabase } from '#tests/support/database.ts'
import { checkEvidence } from './evidence-checks.ts'

const { pool, owner } = await testDatabase()
const DAY_MS = 86_400_000
const now = new Date()

test('the doctor says how long evidence is kept, and that the setting is in force', async () => {
  expect(await checkEvidence(pool, { evidenceRetentionMonths: undefined }, now)).toEqual([
    { isOk: true, text: 'Evidence: carrier calls, audit and parcel histories are kept forever' },
  ])
  await putRetention(owner.pool, 24)
  expect(await checkEvidence(pool, { evidenceRetentionMonths: 24 }, now)).toEqual([
    {
      isOk: true,
      text: 'Evidence: carrier calls, audit and parcel histories are kept for 24 months',
    },
  ])
  const [other] = await checkEvidence(pool, { evidenceRetentionMonths: undefined }, now)
  expect(other).toMatchObject({
    isOk: false,
    text: expect.stringContaining('keeps it for 24 months'),
  })
})

test('the doctor misses the partition of a month that has come', async () => {
  const later = new Date(now.getTime() + 125 * DAY_MS)
  const findings = await checkEvidence(pool, { evidenceRetentionMonths: 24 }, later)
  expect(findings.map(({ isOk }) => isOk)).toEqual([true, false])
  expect(findings[1]!.text).toContain(
    'carrier_call, audit_entry, parcel_event have no partition for this month',
  )
})
