import { expect, test } from 'vitest'
import { inviteLink } from './invite-link.ts'

test('an invite leads to the registration with the code, whatever letters the operator gave it', () => {
  expect(inviteLink('https://labels.example', 'ANA7')).toBe(
    'https://labels.example/register?ref=ANA7',
  )
  expect(new URL(inviteLink('https://labels.example', 'A&B #1')).searchParams.get('ref')).toBe(
    'A&B #1',
  )
})
