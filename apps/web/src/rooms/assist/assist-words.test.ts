import { readFileSync } from 'node:fs'
import type { AssistSuggestion } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { MOST_EVIDENCE, standingOf } from './assist-words.ts'

const suggestion = (part: object) => ({ stateReason: null, result: null, ...part }) as unknown as AssistSuggestion

test.each([
  [{ state: 'proposed' }, 'Waiting for approval'],
  [{ state: 'expired' }, 'Expired'],
  [{ state: 'invalidated', stateReason: { code: 'evidence_superseded' } }, 'Evidence changed'],
  [{ state: 'invalidated', stateReason: { code: 'unheard_of' } }, 'No longer valid'],
  [{ state: 'no_result', result: { kind: 'partial', detail: '1 claim was dropped.' } }, 'Partial result'],
  [{ state: 'no_result', result: { kind: 'unknown', detail: 'No claims.' } }, 'No result'],
])('a suggestion %j is shown as %s, with a next step', (part, word) => {
  const standing = standingOf(suggestion(part))
  expect(standing.word).toBe(word)
  expect(standing.next).toMatch(/\.$/)
})

test('the screen offers as many observations as the API accepts', () => {
  const bounds = readFileSync('apps/api/src/rooms/assist/bounds.ts', 'utf8')
  expect(bounds).toContain(`EVIDENCE_ITEMS = ${MOST_EVIDENCE}\n`)
})
