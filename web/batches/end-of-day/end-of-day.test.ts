import { expect, test } from 'vitest'
import { chosenOf, formsOf, noneOf, outcomeOf, senderName, senderPlace } from './end-of-day.ts'

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

test('a group becomes as many forms as the carrier needs', () => {
  const group = (labels: number) => ({
    ids: Array.from({ length: labels }, (_, at) => String(at + 1)),
  })
  expect(formsOf(group(500), 500)).toBe(1)
  expect(formsOf(group(501), 500)).toBe(2)
})

test('a parcel that is left out counts nowhere, and one that has gone changes nothing', () => {
  const parcel = (id: string, service: string) => ({
    id,
    trackingNumber: `94${id}`,
    service,
    receiver: 'June Rivera',
    city: 'Fresno',
    state: 'CA',
  })
  const services = [
    { name: 'Ground', labels: 2 },
    { name: 'Priority', labels: 1 },
  ]
  const group = { sender, services, ids: ['1', '2', '3'], labels: [] }
  const without = (...left: ReturnType<typeof parcel>[]) =>
    chosenOf(group, new Map(left.map(one => [one.id, one])))
  expect(without()).toEqual({ ids: group.ids, services })
  expect(without(parcel('9', 'Ground'))).toEqual({ ids: group.ids, services })
  expect(without(parcel('2', 'Priority'))).toEqual({
    ids: ['1', '3'],
    services: [{ name: 'Ground', labels: 2 }],
  })
})

test('all are left out at once, those too that are not described, and one is taken back', () => {
  const june = {
    id: '1',
    trackingNumber: '941',
    service: 'Ground',
    receiver: 'June Rivera',
    city: 'Fresno',
    state: 'CA',
  }
  const group = {
    sender,
    services: [{ name: 'Ground', labels: 3 }],
    ids: ['1', '2', '3'],
    labels: [june],
  }
  const leftOut = new Map(noneOf(group))
  expect(chosenOf(group, leftOut)).toEqual({ ids: [], services: [] })
  leftOut.delete('1')
  expect(chosenOf(group, leftOut)).toEqual({
    ids: ['1'],
    services: [{ name: 'Ground', labels: 1 }],
  })
})

test('a request with a form that may exist says so before anything else', () => {
  expect(outcomeOf([{ state: 'made' }, { state: 'unknown' }])).toBe('unknown')
  expect(outcomeOf([{ state: 'made' }, { state: 'failed' }])).toBe('failed')
  expect(outcomeOf([{ state: 'asked' }, { state: 'made' }])).toBe('asked')
  expect(outcomeOf([{ state: 'made' }])).toBe('made')
})
