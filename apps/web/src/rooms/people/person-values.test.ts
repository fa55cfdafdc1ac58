import { expect, test } from 'vitest'
import { personOf } from '../../../test/person.ts'
import { alikeWords, inOrder, personBody, valuesOf } from './person-values.ts'

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
