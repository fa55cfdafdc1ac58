import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type FormConflict, rebase, startOf, unitsOf, withTyped } from './form-conflicts.ts'

type Values = { title: string; text: string; citations: string[] }
const base: Values = { title: 'A', text: 'Hello', citations: ['e1'] }
const units = unitsOf(base, [['text', 'citations']])
const rebased = (theirs: Values, mine: Values, open: FormConflict<Values>[] = []) =>
  rebase(units, open, { base, theirs, mine })

describe('a form whose record changed', () => {
  test('follows in fields that were not changed, and keeps the changed ones', () => {
    const theirs = { ...base, title: 'B' }
    const mine = { ...base, text: 'Hello, Ann' }
    expect(rebased(theirs, mine)).toEqual({ values: { ...theirs, text: 'Hello, Ann' }, conflicts: [] })
  })

  test('has a conflict in a field that both changed, which keeps the typed value', () => {
    const { values, conflicts } = rebased({ ...base, title: 'B' }, { ...base, title: 'C' })
    expect(values.title).toBe('C')
    expect(conflicts).toEqual([
      { unit: ['title'], start: { title: 'A' }, theirs: { title: 'B' }, mine: { title: 'C' }, choice: null },
    ])
  })

  test('has none if both made the same change', () => {
    const both = { ...base, title: 'B' }
    expect(rebased(both, both)).toEqual({ values: both, conflicts: [] })
  })

  test('fields of one unit conflict if one side changed one and the other side another', () => {
    const { values, conflicts } = rebased({ ...base, citations: [] }, { ...base, text: 'Hello [^1]' })
    expect(values).toMatchObject({ text: 'Hello [^1]', citations: ['e1'] })
    expect(conflicts.map(({ unit }) => unit)).toEqual([['text', 'citations']])
  })

  test('a choice of the own value is valid until the record changes again; the form then takes the other value', () => {
    const mine = { ...base, title: 'C' }
    const first = rebased({ ...base, title: 'B' }, mine).conflicts
    const own = first.map((one) => ({ ...one, choice: 'mine' as const }))
    expect(rebased({ ...base, title: 'B', text: 'x' }, mine, own).conflicts).toMatchObject([{ choice: 'mine' }])
    expect(rebased({ ...base, title: 'D' }, mine, own).conflicts).toMatchObject([
      { start: { title: 'A' }, theirs: { title: 'D' }, choice: null },
    ])
    const taken = withTyped(first, { ...mine, title: 'B' })
    expect(taken).toMatchObject([{ choice: 'theirs', mine: { title: 'C' } }])
    expect(rebased({ ...base, title: 'D' }, { ...mine, title: 'B' }, taken)).toMatchObject({
      values: { title: 'D' },
      conflicts: [],
    })
  })

  test('typing over a chosen value makes it one’s own', () => {
    const first = rebased({ ...base, title: 'B' }, { ...base, title: 'C' }).conflicts
    expect(withTyped(first, { ...base, title: 'E' })).toMatchObject([{ choice: null, mine: { title: 'E' } }])
    const taken = withTyped(first, { ...base, title: 'B' })
    expect(withTyped(taken, { ...base, title: 'E' })).toMatchObject([{ choice: 'mine', mine: { title: 'E' } }])
  })

  test('the start of an open conflict is that of the person, otherwise that of the record', () => {
    const theirs = { ...base, title: 'B' }
    const { conflicts } = rebased(theirs, { ...base, title: 'C' })
    expect(startOf({ title: 'C', text: 'x' }, theirs, conflicts)).toEqual({ title: 'A', text: 'Hello' })
    const chosen = conflicts.map((one) => ({ ...one, choice: 'mine' as const }))
    expect(startOf({ title: 'C' }, theirs, chosen)).toEqual({ title: 'B' })
  })
})

const text = fc.constantFrom('', 'a', 'b', 'c')
const version: fc.Arbitrary<Values> = fc.record({ title: text, text, citations: fc.subarray(['e1', 'e2']) })

test('for any three versions, no value of either side is lost without a conflict', () => {
  fc.assert(
    fc.property(version, version, version, (from, theirs, mine) => {
      const { values, conflicts } = rebase(unitsOf(from), [], { base: from, theirs, mine })
      for (const field of ['title', 'text', 'citations'] as const) {
        const [was, their, own, now] = [from, theirs, mine, values].map((one) => JSON.stringify(one[field]))
        const isOpen = conflicts.some(({ unit }) => unit.includes(field))
        expect(isOpen).toBe(their !== was && own !== was && their !== own)
        expect(now).toBe(own === was ? their : own)
      }
    }),
  )
})
