import { expect, test } from 'vitest'
import { contactErrors, contactStart, messageHint } from './contact-form.ts'

const form = {
  name: 'June',
  email: 'june@example.com',
  topic: 'label',
  subject: 'A label',
  message: 'Where?',
}

test('a visitor names themselves, a customer does not have to', () => {
  expect(contactErrors(form, false)).toEqual({})
  expect(contactErrors({ ...form, name: '', email: ' ' }, false)).toEqual({
    name: 'Name is required',
    email: 'Email is required',
  })
  expect(contactErrors({ ...form, name: '', email: '' }, true)).toEqual({})
})

test('a message has a topic', () => {
  expect(contactErrors({ ...form, topic: '' }, true)).toEqual({ topic: 'Topic is required' })
})

test('an address fills in a topic that there is, and as much of the subject as is sent', () => {
  const start = (query: string) => contactStart(new URLSearchParams(query))
  expect(start('topic=account&subject=Blocked')).toMatchObject({
    topic: 'account',
    subject: 'Blocked',
  })
  expect(start(`topic=toString&subject=${'x'.repeat(200)}`)).toMatchObject({
    topic: '',
    subject: 'x'.repeat(120),
  })
})

test('an empty message and a wrong address are named', () => {
  expect(contactErrors({ ...form, email: 'june@', message: '\n' }, false)).toEqual({
    email: 'Enter your email, such as ana@example.com',
    message: 'Message is required',
  })
})

test('a message has a hint by its topic, and near its limit the room that is left', () => {
  const hint = (topic: string, length: number) =>
    messageHint({ topic, message: 'x'.repeat(length) })
  expect(hint('', 0)).toBe('What happened, and what did you expect?')
  expect(hint('label', 3_599)).toBe('Include the tracking number and what happened.')
  expect(hint('label', 3_600)).toBe('400 characters left')
  expect(hint('label', 3_999)).toBe('1 character left')
})
