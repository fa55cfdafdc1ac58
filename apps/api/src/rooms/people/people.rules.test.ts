import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAlike, findSame, firstNameOf, keptAmong, pairsAlike } from './people.rules.ts'

const thandi = { id: 'a', name: 'Thandi Nkosi', role: 'Buyer' }

test.each([
  ['the same name and role', { name: 'Thandi Nkosi', role: 'Buyer' }, true],
  ['another spelling', { name: ' THANDI  Nkósi', role: 'buyer' }, true],
  ['no role', { name: 'Thandi Nkosi', role: null }, true],
  ['another role', { name: 'Thandi Nkosi', role: 'Owner' }, false],
  ['another name', { name: 'Thando Nkosi', role: 'Buyer' }, false],
])('a person with %s', (_name, person, isSame) => {
  expect(findSame([thandi], person)).toBe(isSame ? thandi : undefined)
})

test('a person without a role is the same as one with a role', () => {
  expect(findSame([{ ...thandi, role: null }], { name: 'Thandi Nkosi', role: 'Owner' })?.id).toBe('a')
})

test('people with an equal name, address or number are alike, each with the reasons', () => {
  const people = [
    { ...thandi, joinedInto: null, isErased: false },
    { id: 'b', name: 'thandi nkosi', joinedInto: null, isErased: false },
    { id: 'c', name: 'Pieter', joinedInto: 'of another prospect', isErased: false },
  ]
  const values = [
    { personId: 'a', kind: 'email' as const, text: 'desk@karoo.co.za' },
    { personId: 'b', kind: 'email' as const, text: 'desk@karoo.co.za' },
    { personId: 'b', kind: 'phone' as const, text: '+27825550142' },
    { personId: 'c', kind: 'phone' as const, text: '+27825550142' },
  ]
  expect(Object.fromEntries(findAlike(people, values))).toEqual({
    a: [{ id: 'b', because: ['name', 'email'] }],
    b: [
      { id: 'a', because: ['name', 'email'] },
      { id: 'c', because: ['phone'] },
    ],
    c: [{ id: 'b', because: ['phone'] }],
  })
})

test('joined people are compared as one person, under the id that was kept', () => {
  const people = [
    { id: 'a', name: 'Thandi Nkosi', joinedInto: null, isErased: false },
    { id: 'b', name: 'T. Nkosi', joinedInto: 'a', isErased: false },
    { id: 'c', name: 'Thandi N.', joinedInto: 'b', isErased: false },
    { id: 'd', name: 'Pieter', joinedInto: null, isErased: false },
  ]
  const values = ['b', 'c', 'd'].map((personId) => ({ personId, kind: 'phone' as const, text: '+27825550142' }))
  expect(Object.fromEntries(findAlike(people, values))).toEqual({
    a: [{ id: 'd', because: ['phone'] }],
    d: [{ id: 'a', because: ['phone'] }],
  })
})

test('people of two prospects are paired by what they have in common, and a join across the two has no effect', () => {
  const person = (id: string, name: string, joinedInto: string | null = null) => ({
    ...{ id, name, joinedInto, businessId: 'x', role: null, isPresent: true, isBlocked: false, isErased: false },
  })
  const phone = (personId: string) => ({ personId, kind: 'phone' as const, text: '+27825550142' })
  const a = { people: [person('a1', 'Zola'), person('a2', 'Thandi'), person('a3', 'T.', 'a2')], values: [phone('a3')] }
  const b = { people: [person('b1', 'zola'), person('b2', 'Thandi', 'a2')], values: [phone('b2')] }
  expect(pairsAlike(a, b)).toEqual([
    { people: ['a2', 'b2'], because: ['name', 'phone'] },
    { people: ['a1', 'b1'], because: ['name'] },
  ])
})

test('a link has an effect only among the people of one prospect', () => {
  const people = [
    { id: 'a', joinedInto: null, isErased: false },
    { id: 'b', joinedInto: 'a', isErased: false },
    { id: 'c', joinedInto: 'b', isErased: false },
  ]
  expect(['a', 'b', 'c'].map(keptAmong(people))).toEqual(['a', 'a', 'a'])
  expect(['b', 'c'].map(keptAmong(people.slice(1)))).toEqual(['b', 'b'])
})

test('likeness is mutual, and nobody is alike to oneself', () => {
  const people = fc.array(fc.record({ name: fc.constantFrom('Thandi', 'Pieter', 'Zola') }), { maxLength: 8 })
  fc.assert(
    fc.property(people, (named) => {
      const alike = findAlike(
        named.map(({ name }, at) => ({ id: String(at), name, joinedInto: null, isErased: false })),
        named.map(({ name }, at) => ({ personId: String(at), kind: 'email' as const, text: name.slice(0, 1) })),
      )
      for (const [id, others] of alike)
        for (const { id: other, because } of others) {
          expect(other).not.toBe(id)
          expect(alike.get(other)).toContainEqual({ id, because })
        }
    }),
  )
})

test.each([
  ['Thandi Nkosi', 'Thandi'],
  ['Thandi', 'Thandi'],
  ['Dr. Thandi Nkosi', 'Thandi'],
  ['Nkosi, Thandi', 'Thandi'],
  ['Nkosi, Mrs Thandi', 'Thandi'],
  ["D'Arcy Smith", "D'Arcy"],
  ['Jan-Piet van der Merwe', 'Jan-Piet'],
  ['Mev Botha', null],
  ['T. Nkosi', null],
  ['J P Nkosi', null],
  ['Accounts 2', 'Accounts'],
  ['4 you', null],
])('the first name of %s is %s', (name, first) => {
  expect(firstNameOf(name)).toBe(first)
})
