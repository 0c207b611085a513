import { expect, test } from 'vitest'
import { parseCommand } from './commands.ts'
import { sandboxParcel } from './parcels.ts'

const boughtAt = new Date('2026-11-20T10:00:00Z')
const after = (words: string, minutes: number, voidedAt: Date | null = null) =>
  sandboxParcel(
    { command: parseCommand(words), boughtAt, voidedAt },
    boughtAt.getTime() + minutes * 60_000,
  )

test('a sandbox parcel moves only on command, a scan a minute, and each says SAMPLE', () => {
  expect(after('', 1_000)).toMatchObject({ status: 'pre_transit', events: [{}] })
  expect(after('Apt 2 SANDBOX DELIVERED', 0.5)).toMatchObject({
    status: 'pre_transit',
    nextCheckMs: 60_000,
  })
  const delivered = after('sandbox delivered', 10)
  expect(delivered).toMatchObject({ status: 'delivered', at: new Date('2026-11-20T10:04:00Z') })
  expect(delivered.nextCheckMs).toBeUndefined()
  expect(delivered.events!.map(({ status }) => status)).toEqual([
    'pre_transit',
    'in_transit',
    'in_transit',
    'out_for_delivery',
    'delivered',
  ])
  expect(delivered.events!.every(({ text }) => text.startsWith('SAMPLE: '))).toBe(true)
  expect(after('SANDBOX RETURNED', 10).status).toBe('return_to_sender')
  expect(after('SANDBOX TRANSIT', 10)).toMatchObject({
    status: 'in_transit',
    expectedDay: '2026-11-23',
  })
  expect(after('SANDBOX DELIVERED', 10, new Date('2026-11-20T10:01:30Z')).status).toBe('in_transit')
})
