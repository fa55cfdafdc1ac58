import type { Source, SourceOpenItem } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { approvalRefusal, codeWords, openItemWords, sourceLabel, sourceSentence } from './source-words.ts'

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
    'Disabled, because legal approval is missing, and the terms review is 3 days overdue.',
  )
  expect(sourceSentence(source({ status: 'enabled' }), now)).toBe('Enabled. All conditions are met.')
  expect(sourceSentence(source({ status: 'approved' }), now)).toContain('nobody has enabled it')
})

test('a stopped source differs from one that was never configured', () => {
  const stopped = source({ status: 'enabled', circuit: { ...closed, state: 'open' } })
  expect([sourceLabel(stopped), sourceSentence(stopped, now)]).toEqual([
    'Stopped after failures',
    'Disabled, because the source was stopped after failures.',
  ])
  expect(sourceLabel(source({ status: 'incomplete' }))).toBe('Incomplete')
  expect(sourceLabel(source({ openItems: [open('approval.security', 'missing')] }))).toBe('Needs security approval')
})

test('items are described in words', () => {
  expect(openItemWords(open('terms', 'missing'), now)).toBe('terms are missing')
  expect(openItemWords(open('rate', 'missing'), now)).toBe('rate is missing')
  expect(openItemWords(open('timeoutMs', 'missing'), now)).toBe('time limit is missing')
  expect(openItemWords(open('health', 'missing'), now)).toBe('health thresholds are missing')
  expect(openItemWords(open('settings', 'missing'), now)).toBe('settings of the connector are missing')
  expect(openItemWords(open('adapter', 'not_loaded'), now)).toBe('the connector is not installed')
  expect(openItemWords(open('enablement', 'restored'), now)).toBe(
    'the data was restored from a backup after the source was enabled',
  )
})

test('an approval is refused in a sentence that names what is open, and which connector is installed', () => {
  const bound = { id: 'dns', version: '1.0.0', loadedVersion: '1.1.0' }
  const unloaded = source({ openItems: [open('approval.legal', 'missing'), open('adapter', 'not_loaded')] })
  expect(approvalRefusal(unloaded, now, bound)).toBe(
    'Cannot be approved yet, because the connector dns 1.0.0 is not installed.',
  )
  expect(approvalRefusal(source({ openItems: [open('adapter', 'changed')] }), now, bound)).toBe(
    'Cannot be approved yet, because version 1.1.0 of the connector dns is installed, and this source is bound to 1.0.0.',
  )
  expect(approvalRefusal(source({ openItems: [open('scope', 'not_accepted')] }), now, bound)).toBe(
    'Cannot be approved yet, because the connector does not accept the scope.',
  )
  expect(approvalRefusal(source({ openItems: [open('approval.legal', 'missing')] }), now, bound)).toBeNull()
})

test('codes are shown as words, and sentences as they are', () => {
  expect(codeWords('not_loaded')).toBe('not loaded')
  expect(codeWords('The adapter does not know the field content_type.')).toContain('content_type')
})
