import { expect, test } from 'vitest'
import {
  chosenOf,
  formsOf,
  loadsWhenOpened,
  outcomeOf,
  senderName,
  senderPlace,
  withIncluded,
} from './end-of-day.ts'

const sender = {
  name: 'Mason Trading',
  company: '',
  street1: '100 Congress Ave',
  street2: '',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
}

test('a sender is named, with the place on one line', () => {
  expect(senderName(sender)).toBe('Mason Trading')
  expect(senderName({ ...sender, name: '', company: 'Mason Inc' })).toBe('Mason Inc')
  expect(senderPlace(sender)).toBe('100 Congress Ave, Austin, TX 78701')
  expect(senderPlace({ ...sender, street2: 'Ste 2' })).toBe(
    '100 Congress Ave, Ste 2, Austin, TX 78701',
  )
})

test('labels become as many forms as the carrier needs', () => {
  expect(formsOf(500, 500)).toBe(1)
  expect(formsOf(501, 500)).toBe(2)
  expect(formsOf(0, 500)).toBe(1)
})

test('parcels are left out one by one or together, and one that has gone changes nothing', () => {
  const ids = ['1', '2', '3']
  const none = new Set<string>()
  expect(chosenOf(ids, none)).toEqual(ids)
  expect(chosenOf(ids, new Set(['9']))).toEqual(ids)
  const withoutTwo = withIncluded(none, ['1', '2'], false)
  expect(chosenOf(ids, withoutTwo)).toEqual(['3'])
  expect(chosenOf(ids, withIncluded(withoutTwo, ['2'], true))).toEqual(['2', '3'])
  expect(none.size).toBe(0)
})

test('a request with a form that may exist says so before anything else', () => {
  expect(outcomeOf([{ state: 'made' }, { state: 'unknown' }])).toBe('unknown')
  expect(outcomeOf([{ state: 'made' }, { state: 'failed' }])).toBe('failed')
  expect(outcomeOf([{ state: 'asked' }, { state: 'made' }])).toBe('asked')
  expect(outcomeOf([{ state: 'made' }])).toBe('made')
})

test('a service shows all of a few parcels, and the first ones of many', () => {
  expect(loadsWhenOpened(1, 3)).toBe(true)
  expect(loadsWhenOpened(0, 400)).toBe(true)
  expect(loadsWhenOpened(3, 3)).toBe(false)
  expect(loadsWhenOpened(25, 400)).toBe(false)
})
