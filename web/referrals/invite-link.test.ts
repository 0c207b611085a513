import { expect, test } from 'vitest'
import { inviteLink, inviteMail } from './invite-link.ts'

test('an invite link has the code, also with special characters', () => {
  expect(inviteLink('https://labels.example', 'ANA7')).toBe(
    'https://labels.example/register?ref=ANA7',
  )
  expect(new URL(inviteLink('https://labels.example', 'A&B #1')).searchParams.get('ref')).toBe(
    'A&B #1',
  )
})

test('an invite by mail has the subject, the text and the link on a line of its own', () => {
  const mail = new URL(inviteMail('Invitation', 'Join & ship', 'https://labels.example/?ref=A&B'))
  expect([mail.protocol, mail.searchParams.get('subject')]).toEqual(['mailto:', 'Invitation'])
  expect(mail.searchParams.get('body')).toBe(
    'Join & ship\r\n\r\nhttps://labels.example/?ref=A&B\r\n',
  )
})
