import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRecordColumns } from '../run/record-columns.ts'

const records = fc
  .uniqueArray(fc.record({ id: fc.uuid(), facts: fc.nat(2 ** 31 - 1).map((half) => half * 2 ** 21) }), {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 200,
    size: 'max',
  })
  .map((all) => all.toSorted((a, b) => (a.id < b.id ? -1 : 1)))

test('ids and fact numbers are read as added, and found in any order', () => {
  fc.assert(
    fc.property(records, fc.uuid(), fc.infiniteStream(fc.nat()), (all, other, anywhere) => {
      const columns = createRecordColumns()
      for (const { id, facts } of all) columns.add(id, facts)
      expect(columns.length()).toBe(all.length)
      expect(all.map((_, at) => ({ id: columns.idOf(at), facts: columns.factsOf(at) }))).toEqual(all)
      const ids = all.map(({ id }) => id)
      expect(ids.map(columns.indexOf)).toEqual([...ids.keys()])
      const scattered = all.map(() => ids[(anywhere.next().value ?? 0) % ids.length] ?? '')
      expect(scattered.map(columns.indexOf)).toEqual(scattered.map((id) => ids.indexOf(id)))
      expect(columns.indexOf(other)).toBe(ids.indexOf(other))
    }),
  )
})

test('rejects an invalid id', () => {
  const columns = createRecordColumns()
  expect(() => columns.add('r1', 1)).toThrow('r1 is not an id.')
  expect(() => columns.add('00000000-0000-7000-8000-00000000000g', 1)).toThrow('is not an id.')
  expect(columns.length()).toBe(0)
})
