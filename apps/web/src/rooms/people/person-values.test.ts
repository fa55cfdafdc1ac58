import { expect, test } from 'vitest'
import { personOf } from '../../../test/person.ts'
import { alikeWords, inOrder, joinable, joinedTo, joinedValues, personBody, valuesOf } from './person-values.ts'

const phone = {
  value: '082 555 0142',
  label: 'Mobile',
  region: 'NA',
  normalized: '+264825550142',
  uncertainty: null,
  isOfBusiness: false,
  isSuppressed: false,
}

test('a value that stays keeps its label and country, and a new number has the country of the workspace', () => {
  const person = personOf({ phones: [phone], role: 'Buyer' })
  const values = { ...valuesOf(person), phones: [phone.value, '021 555 0101'], role: ' ' }
  expect(personBody(values, person, 'ZA')).toEqual({
    name: 'Thandi Nkosi',
    role: null,
    language: null,
    note: null,
    emails: [],
    phones: [
      { value: '082 555 0142', label: 'Mobile', region: 'NA' },
      { value: '021 555 0101', label: null, region: 'ZA' },
    ],
  })
})

test('people who left are last, and each part is in the order of names', () => {
  const people = [
    personOf({ id: 'a', name: 'Zola', leftOn: '2026-11-01' }),
    personOf({ id: 'b', name: 'Thandi' }),
    personOf({ id: 'c', name: 'Anna' }),
  ]
  expect(inOrder(people).map(({ name }) => name)).toEqual(['Anna', 'Thandi', 'Zola'])
})

test('a hint names the other person and what is equal', () => {
  const anna = personOf({ id: 'a', name: 'Anna' })
  const person = personOf({
    id: 'b',
    alike: [
      { id: 'a', because: ['name', 'phone'] },
      { id: 'gone', because: ['email'] },
    ],
  })
  expect(alikeWords(person, [anna, person])).toBe('same name and number as Anna')
  expect(alikeWords(anna, [anna, person])).toBeNull()
})

test('joined values are those of the person, completed by those of the other one', () => {
  const person = personOf({ role: 'Buyer', phones: [phone] })
  const other = personOf({
    id: 'b',
    name: 'T. Nkosi',
    role: 'Owner',
    language: 'zu',
    phones: [{ ...phone, value: '+264 82 555 0142' }],
  })
  expect(joinedValues(person, other)).toEqual({
    name: 'Thandi Nkosi',
    role: 'Buyer',
    language: 'zu',
    note: '',
    emails: [],
    phones: ['082 555 0142'],
  })
})

test('a person can be joined with all others who are not joined, those who are alike first', () => {
  const person = personOf({ id: 'a', alike: [{ id: 'c', because: ['email'] }] })
  const people = [
    person,
    personOf({ id: 'b', name: 'Anna' }),
    personOf({ id: 'c', name: 'Zola' }),
    personOf({ id: 'd', name: 'Piet', joinedIntoId: 'a' }),
  ]
  expect(joinable(person, people).map(({ id }) => id)).toEqual(['c', 'b'])
  expect(joinedTo(person, people).map(({ id }) => id)).toEqual(['d'])
})
