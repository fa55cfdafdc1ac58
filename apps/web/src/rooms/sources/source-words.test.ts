import type { Source, SourceOpenItem } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { contractChanges, openItemWords, sourceLabel, sourceSentence } from './source-words.ts'

const now = new Date('2026-11-21T08:00:00Z')
const closed: Source['circuit'] = {
  state: 'closed',
  openingId: null,
  since: null,
  cause: null,
  successes: 0,
  successesNeeded: 2,
}
const open = (item: SourceOpenItem['item'], problem: SourceOpenItem['problem'], since: string | null = null) =>
  ({ item, problem, since, responsible: 'author' }) as SourceOpenItem
const source = (changes: Partial<Source>) =>
  ({ kind: 'adapter', status: 'awaiting_approval', openItems: [], circuit: closed, ...changes }) as Source

test('the sentence names every open condition', () => {
  const openItems = [open('approval.legal', 'missing'), open('terms', 'expired', '2026-11-18T00:00:00Z')]
  expect(sourceSentence(source({ openItems }), now)).toBe(
    'Disabled: legal approval is missing, and the terms review is 3 days overdue.',
  )
  expect(sourceSentence(source({ status: 'enabled' }), now)).toBe('Enabled: all conditions are met.')
  expect(sourceSentence(source({ status: 'approved' }), now)).toContain('not enabled')
})

test('a stopped source differs from one that was never configured', () => {
  const stopped = source({ status: 'enabled', circuit: { ...closed, state: 'open' } })
  expect([sourceLabel(stopped), sourceSentence(stopped, now)]).toEqual([
    'Stopped after failures',
    'Disabled: it was stopped after failures.',
  ])
  expect(sourceLabel(source({ status: 'incomplete' }))).toBe('Incomplete')
  expect(sourceLabel(source({ openItems: [open('approval.security', 'missing')] }))).toBe('Needs security approval')
})

test('items are described in words', () => {
  expect(openItemWords(open('terms', 'missing'), now)).toBe('terms are missing')
  expect(openItemWords(open('rate', 'missing'), now)).toBe('rate is missing')
  expect(openItemWords(open('adapter', 'not_loaded'), now)).toBe('the adapter is not loaded')
  expect(openItemWords(open('enablement', 'restored'), now)).toBe('the store was restored since it was enabled')
})

test('versions are compared item by item', () => {
  expect(
    contractChanges({ concurrency: 2, purposes: ['dns'] }, { concurrency: 3, purposes: ['dns'], timeoutMs: 5 }),
  ).toEqual(['concurrency: 2 → 3', 'time limit: none → 5'])
})
