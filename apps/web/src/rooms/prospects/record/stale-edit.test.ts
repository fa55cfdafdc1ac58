import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyRow, emptyValues, isUnchanged, type ProspectFormValues } from './prospect-form.ts'
import { compareVersions, conflictsOf, isResolved, mergeVersions, readField, staleFields } from './stale-edit.ts'

const row = (value: string, label = '') => ({ ...emptyRow(), value, label })
const base: ProspectFormValues = {
  ...emptyValues(),
  name: 'Karoo Solar',
  industry: 'Energy',
  emails: [row('info@karoo.co.za')],
  tags: ['solar', 'cold'],
}

const outcomes = (theirs: ProspectFormValues, mine: ProspectFormValues) =>
  Object.fromEntries(compareVersions(base, theirs, mine).map(({ field, outcome }) => [field, outcome]))

describe('three-way comparison', () => {
  test('untouched fields are not listed', () => {
    expect(compareVersions(base, base, base)).toEqual([])
  })

  test('a field changed by one side merges automatically and is shown', () => {
    const theirs = { ...base, industry: 'Solar' }
    const mine = { ...base, name: 'Karoo Sun' }
    expect(outcomes(theirs, mine)).toEqual({ name: 'mine', industry: 'theirs' })
    expect(mergeVersions(base, theirs, mine, {})).toMatchObject({ name: 'Karoo Sun', industry: 'Solar' })
  })

  test('the same change on both sides is no conflict', () => {
    const changed = { ...base, name: 'Karoo Sun' }
    expect(outcomes(changed, changed)).toEqual({ name: 'agreed' })
  })

  test('different changes of one field require a choice, which is applied', () => {
    const theirs = { ...base, name: 'Karoo Sun' }
    const mine = { ...base, name: 'Karoo Light' }
    const comparisons = compareVersions(base, theirs, mine)
    expect(conflictsOf(comparisons).map(({ field }) => field)).toEqual(['name'])
    expect(isResolved(comparisons, {})).toBe(false)
    expect(isResolved(comparisons, { name: 'mine' })).toBe(true)
    expect(mergeVersions(base, theirs, mine, { name: 'mine' }).name).toBe('Karoo Light')
    expect(mergeVersions(base, theirs, mine, { name: 'theirs' }).name).toBe('Karoo Sun')
  })

  test('two lists of identifiers can both be kept, each value once', () => {
    const theirs = { ...base, emails: [row('info@karoo.co.za'), row('thandi@karoo.co.za')] }
    const mine = { ...base, emails: [row('info@karoo.co.za'), row('piet@karoo.co.za', 'owner')] }
    const merged = mergeVersions(base, theirs, mine, { emails: 'both' })
    expect(readField(merged, 'emails')).toEqual(['info@karoo.co.za', 'thandi@karoo.co.za', 'piet@karoo.co.za (owner)'])
  })

  test('for a value in both lists my label wins if theirs is unchanged, otherwise theirs', () => {
    const [left, changed] = ['', 'office'].map((label) => [row('info@karoo.co.za', label), row('thandi@karoo.co.za')])
    const mine = { ...base, emails: [row('info@karoo.co.za', 'owner')] }
    const kept = (emails = base.emails) =>
      readField(mergeVersions(base, { ...base, emails }, mine, { emails: 'both' }), 'emails')
    expect(kept(left)).toEqual(['info@karoo.co.za (owner)', 'thandi@karoo.co.za'])
    expect(kept(changed)).toEqual(['info@karoo.co.za (office)', 'thandi@karoo.co.za'])
  })

  test('tags added and removed by each side are combined', () => {
    const merged = mergeVersions(
      base,
      { ...base, tags: ['solar', 'cold', 'karoo'] },
      { ...base, tags: ['solar', 'warm'] },
      {},
    )
    expect(merged.tags).toEqual(['solar', 'karoo', 'warm'])
  })

  test('the same tags in another order are no change', () => {
    const tagged = { ...base, tags: ['cold', 'solar'] }
    expect(compareVersions(tagged, tagged, { ...base, tags: ['solar', 'cold'] })).toEqual([])
  })

  test('a blank row is no change', () => {
    expect(compareVersions(base, base, { ...base, emails: [...base.emails, emptyRow()] })).toEqual([])
  })
})

const text = fc.constantFrom('', 'a', 'b', 'c')
const values = fc
  .record({
    name: text,
    industry: text,
    city: text,
    email: text,
    tags: fc.subarray(['x', 'y', 'z']),
    assigneeId: fc.constantFrom(null, 'u1'),
  })
  .map(
    ({ name, industry, city, email, tags, assigneeId }): ProspectFormValues => ({
      ...emptyValues(),
      name,
      industry,
      emails: [row(email)],
      address: { ...emptyValues().address, city },
      tags,
      assigneeId,
    }),
  )

describe('for any three versions', () => {
  test('if only I changed something, the result is mine; if only they did, theirs', () => {
    fc.assert(
      fc.property(values, values, (before, after) => {
        expect(
          isUnchanged(mergeVersions(before, before, after, {}), {
            ...after,
            tags: mergeVersions(before, before, after, {}).tags,
          }),
        ).toBe(true)
        expect(isUnchanged(mergeVersions(before, after, before, {}), after)).toBe(true)
      }),
    )
  })

  test('a field changed by one side has the value of that side', () => {
    fc.assert(
      fc.property(values, values, values, (from, theirs, mine) => {
        const merged = mergeVersions(from, theirs, mine, {})
        for (const { field, outcome } of compareVersions(from, theirs, mine)) {
          if (outcome === 'mine' && field !== 'tags') expect(readField(merged, field)).toEqual(readField(mine, field))
          if (outcome === 'theirs') expect(readField(merged, field)).toEqual(readField(theirs, field))
        }
        const touched = compareVersions(from, theirs, mine).map(({ field }) => field)
        for (const field of staleFields.filter((name) => !touched.includes(name)))
          expect(readField(merged, field)).toEqual(readField(from, field))
      }),
    )
  })
})
