import type { Suppression } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { entryName } from './suppression-words.ts'

const entry = (part: Partial<Suppression>) => entryName({ scope: null, ...part } as Suppression)

test('the name of an entry is its value, a number in groups', () => {
  expect(entry({ kind: 'phone', normalized: '+27696322336' })).toBe('+27 69 632 2336')
  expect(entry({ kind: 'email', normalized: 'info@karoo.example' })).toBe('info@karoo.example')
  expect(entry({ kind: 'domain', normalized: 'karoo.example', scope: 'with_subdomains' })).toBe(
    'karoo.example and all subdomains',
  )
  expect(entry({ kind: 'phone', normalized: null })).toBe('Erased phone')
})
