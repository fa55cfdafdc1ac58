import { expect, test } from 'vitest'
import { languageName, languageOptions } from './languages.ts'

test('a code becomes the name of the language; a code without a name stays', () => {
  expect(['zu', 've', 'en-ZA', 'cs', 'qqx'].map(languageName)).toEqual([
    'Zulu',
    'Venda',
    'English (South Africa)',
    'Czech',
    'qqx',
  ])
})

test('the menu begins with the languages of the country, and keeps a stored one that it lacks', () => {
  const labels = languageOptions('').map(({ label }) => label)
  expect(labels.slice(0, 3)).toEqual(['English', 'Afrikaans', 'Zulu'])
  expect(new Set(labels).size).toBe(labels.length)
  expect(languageOptions('cs').at(-1)).toEqual({ value: 'cs', label: 'Czech' })
})
