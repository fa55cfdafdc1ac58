import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findAlike, findSame, firstNameOf } from './people.rules.ts'

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
  const people = [thandi, { id: 'b', name: 'thandi nkosi' }, { id: 'c', name: 'Pieter' }]
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

test('likeness is mutual, and nobody is alike to oneself', () => {
  const people = fc.array(fc.record({ name: fc.constantFrom('Thandi', 'Pieter', 'Zola') }), { maxLength: 8 })
  fc.assert(
    fc.property(people, (named) => {
      const alike = findAlike(
        named.map(({ name }, at) => ({ id: String(at), name })),
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
