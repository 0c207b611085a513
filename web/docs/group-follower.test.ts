import { expect, test } from 'vitest'
import { createGroupFollower } from './group-follower.ts'

test('one group follows the reader, and those opened by hand stay', () => {
  const [guides, labels, files] = [{ open: true }, { open: false }, { open: false }]
  const follow = createGroupFollower(guides)
  const open = () => [guides, labels, files].map(group => group.open)
  follow(guides)
  expect(open()).toEqual([true, false, false])
  follow(labels)
  expect(open()).toEqual([false, true, false])
  files.open = true
  follow(files)
  expect(open()).toEqual([false, false, true])
  follow(guides)
  expect(open()).toEqual([true, false, true])
})

test('a group that the reader closes stays closed until they come to it again', () => {
  const [guides, labels] = [{ open: true }, { open: false }]
  const follow = createGroupFollower(guides)
  follow(labels)
  labels.open = false
  follow(labels)
  expect(labels.open).toBe(false)
  follow(guides)
  follow(labels)
  expect(labels.open).toBe(true)
})
