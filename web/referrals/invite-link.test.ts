import { expect, test } from 'vitest'
import { inviteLink } from './invite-link.ts'

test('an invite link has the code, also with special characters', () => {
  expect(inviteLink('https://labels.example', 'ANA7')).toBe(
    'https://labels.example/register?ref=ANA7',
  )
  expect(new URL(inviteLink('https://labels.example', 'A&B #1')).searchParams.get('ref')).toBe(
    'A&B #1',
  )
})
