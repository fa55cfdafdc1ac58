import { test } from 'vitest'
import { makeIdsAfter, newId } from './ids.ts'

test('identifiers are UUIDv7 and rise in order of creation, also within one millisecond', ({ expect }) => {
  const ids = Array.from({ length: 50_000 }, newId)
  expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual(
    [],
  )
  expect(ids.filter((id, index) => index > 0 && id <= (ids[index - 1] ?? ''))).toEqual([])
})

test('an identifier contains its time of creation', ({ expect }) => {
  const before = Date.now()
  const [time = 0] = [newId()].map((id) => Number.parseInt(id.replace('-', '').slice(0, 12), 16))
  expect(time).toBeGreaterThanOrEqual(before)
})

test('an identifier follows one of another process whose clock was ahead; without one it uses the current time', ({
  expect,
}) => {
  const ahead = (Date.now() + 60_000).toString(16).padStart(12, '0')
  const theirs = `${ahead.slice(0, 8)}-${ahead.slice(8)}-7fff-8fff-ffffffffffff`
  makeIdsAfter(theirs)
  const first = newId()
  makeIdsAfter('00000000-0000-7000-8000-000000000000')
  expect([theirs, first, newId()].toSorted()).toEqual([theirs, first, expect.any(String)])
})
