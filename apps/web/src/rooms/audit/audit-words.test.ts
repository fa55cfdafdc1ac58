import { readFileSync } from 'node:fs'
import type { AuditEvent } from '@prospect/api-client'
import { describe, expect, test } from 'vitest'
import {
  actionSentence,
  actionsWithSentence,
  actorOf,
  differencesOf,
  mergeIdOf,
  splitTechnicalNumbers,
  withoutMergeIds,
} from './audit-words.ts'

const subjectLabel = (type: string) => `Label of ${type}`
const changesOf = (event: Parameters<typeof differencesOf>[0]) => differencesOf(event, subjectLabel)
const labelOf = (action: string) => `Label of ${action}`

function event(action: string, before: AuditEvent['before'], after: AuditEvent['after']): AuditEvent {
  return {
    id: 'e1',
    sequence: 7,
    at: '2026-11-02T08:00:00.000Z',
    actor: { kind: 'user', id: 'u1', name: 'Ama' },
    token: null,
    action,
    subject: { type: 'business', id: 'b1', name: null },
    businessId: 'b1',
    businessName: null,
    businessDoNotContact: null,
    before,
    after,
    reason: null,
    erased: false,
    correlationId: 'c1',
    hash: 'h',
    previousHash: 'p',
  }
}

describe('before and after', () => {
  test('only changed fields are shown, without bookkeeping', () => {
    const differences = changesOf(
      event(
        'business.edit',
        { name: 'Karoo', industry: 'Energy', version: 1 },
        { name: 'Karoo Sun', industry: 'Energy', version: 2 },
      ),
    )
    expect(differences).toEqual([
      {
        path: 'name',
        label: 'Registered name',
        before: { kind: 'text', lines: ['Karoo'] },
        after: { kind: 'text', lines: ['Karoo Sun'] },
      },
    ])
  })

  test('integers have separators, and a score is not rounded', () => {
    const shown = changesOf(event('x', null, { records: 3_013, score: 0.8999 }))
    expect(shown.map(({ after }) => after)).toEqual([
      { kind: 'text', lines: ['3\u00a0013'] },
      { kind: 'text', lines: ['0.8999'] },
    ])
  })

  test('ids and hashes are separated from readable values, in every field', () => {
    const { told, numbers } = splitTechnicalNumbers(
      changesOf(
        event(
          'x',
          { status: 'active' },
          {
            status: 'merged',
            mergedInto: '01a2017b-69cd-718d-85b2-243fa6a222ab',
            hash: 'ab'.repeat(32),
            businesses: ['01a2017b-69cd-718d-85b2-243fa6a222ab', '01a2017b-6bed-754c-b081-1e2735e72d3a'],
            idempotencyKey: 'k1',
            score: 1,
          },
        ),
      ),
    )
    expect(told.map(({ path }) => path)).toEqual(['status', 'score'])
    expect(numbers.map(({ path }) => path)).toEqual(['mergedInto', 'hash', 'businesses', 'idempotencyKey'])
  })

  test('vocabulary and calendar days are formatted, and user input is unchanged', () => {
    const differences = changesOf(
      event('x', null, {
        outcome: 'no_answer',
        kind: 'match-run',
        followUpOn: '2026-12-01',
        value: 'as_typed 2026-12-01',
      }),
    )
    expect(differences.map(({ after }) => after)).toEqual(
      ['no answer', 'match run', '01 Dec 2026', 'as_typed 2026-12-01'].map((line) => ({ kind: 'text', lines: [line] })),
    )
  })

  test('a report without an own name is shown by its days, any other by its name', () => {
    const days = { from: '2026-11-01', to: '2026-11-22' }
    const named = (name: string, more: object = days) =>
      changesOf(event('report.request', null, { name, ...more })).find(({ path }) => path === 'name')?.after
    const line = (words: string) => ({ kind: 'text', lines: [words] })
    expect(named('2026-11-01 to 2026-11-22')).toEqual(line('01 Nov 2026 to 22 Nov 2026'))
    expect(named('November, 2026-11-01 to 2026-11-22')).toEqual(line('November, 2026-11-01 to 2026-11-22'))
    expect(named('2026-11-01 to 2026-11-22', {})).toEqual(line('2026-11-01 to 2026-11-22'))
  })

  test('blank, null, missing and an empty list all count as absent', () => {
    expect(changesOf(event('x', { a: null, b: '', c: [] }, { d: null }))).toEqual([])
  })

  test('identifiers and people show their value or name, addresses their parts', () => {
    const differences = changesOf(
      event('business.create', null, {
        emails: [
          { value: 'a@b.example', label: 'sales' },
          { value: 'c@d.example', label: null },
        ],
        assignee: { id: 'u1', name: 'Ama' },
        address: { street: null, city: 'Beaufort West' },
      }),
    )
    expect(differences.map(({ label, after }) => [label, after])).toEqual([
      ['Emails', { kind: 'text', lines: ['a@b.example (sales)', 'c@d.example'] }],
      ['Assignee', { kind: 'text', lines: ['Ama'] }],
      ['City', { kind: 'text', lines: ['Beaufort West'] }],
    ])
  })

  test('states show their name, and instants stay instants for the zone of the tenant', () => {
    const [state, blocked] = changesOf(
      event('x', { pipelineState: 'new' }, { pipelineState: 'set_aside', at: '2026-11-02T08:00:00.000Z' }),
    )
    expect(state?.before).toEqual({ kind: 'text', lines: ['New'] })
    expect(blocked?.after).toEqual({ kind: 'time', at: '2026-11-02T08:00:00.000Z' })
  })

  test('an unknown shape is shown in plain form instead of being hidden', () => {
    expect(changesOf(event('x', null, { riskBand: [{ odd: 1 }] }))).toEqual([
      {
        path: 'riskBand',
        label: 'Risk band',
        before: { kind: 'absent' },
        after: { kind: 'text', lines: ['{"odd":1}'] },
      },
    ])
  })
})

describe('a field has the label of its subject', () => {
  const document = readFileSync(new URL('../../../../api/src/http/openapi.json', import.meta.url), 'utf8')
  const subjects: string[] =
    JSON.parse(document).components.schemas.AuditActions.properties.subjects.items.properties.type.enum
  const about = (type: string, after: AuditEvent['after']) =>
    changesOf({ ...event('x', null, after), subject: { type, id: 's1', name: null } })

  test('only a prospect has a registered name, a record status and a pipeline state', () => {
    expect(subjects.length).toBeGreaterThan(40)
    for (const type of subjects) {
      const labels = about(type, { name: 'A', status: 'done', state: 'in_review' }).map(({ label }) => label)
      const ofProspects = labels.filter((label) => /pipeline state|record status|registered name/i.test(label))
      expect([type, ofProspects]).toEqual([type, type === 'business' ? ['Registered name', 'Record status'] : []])
    }
    expect(about('pipeline_transition', { pipelineState: 'new' })).toMatchObject([{ label: 'Pipeline state' }])
  })

  test('the state of another record names this record, in words', () => {
    expect(about('draft', { state: 'in_review' })).toMatchObject([
      { label: 'State of the label of draft', after: { lines: ['In review'] } },
    ])
    expect(
      differencesOf(
        { ...event('x', null, { state: 'set_aside' }), subject: { type: 'dns_observation', id: 's1', name: null } },
        () => 'DNS observation',
      ),
    ).toMatchObject([{ label: 'State of the DNS observation', after: { lines: ['Set aside'] } }])
  })
})

describe('an action as a phrase', () => {
  test.each([
    [event('pipeline.move', { pipelineState: 'new' }, { pipelineState: 'contacted' }), 'moved from New to Contacted'],
    [event('business.edit', { name: 'a', tags: [] }, { name: 'b', tags: ['x'] }), 'edited registered name and tags'],
    [
      event('business.edit', { address: { city: 'a', street: 'x' } }, { address: { city: 'b', street: 'y' } }),
      'edited address',
    ],
    [event('evidence.add', null, { field: 'email', value: 'x' }), 'added evidence for email'],
    [event('evidence.add', null, { observation: 'x', supersedesId: 'e0' }), 'corrected an observation'],
    [event('note.add', null, { sensitive: true }), 'added a sensitive note'],
    [event('matching.check', null, { created: 1, updated: 0, superseded: 0 }), 'suggested 1 possible duplicate'],
    [
      event('matching.check', null, { created: 2, updated: 0, superseded: 1 }),
      'suggested 2 possible duplicates and withdrew 1 suggested duplicate',
    ],
    [event('matching.check', null, { created: 3_013 }), 'suggested 3\u00a0013 possible duplicates'],
    [event('user.create', null, { role: 'viewer' }), 'created the user'],
    [event('thing.do_it', null, null), '· Label of thing.do_it'],
  ])('%#', (given, expected) => expect(actionSentence(given, labelOf)).toBe(expected))

  test('the name of a system part is capitalised, that of a person is unchanged', () => {
    expect(actorOf({ actor: { kind: 'user', id: 'u1', name: 'ama' }, token: null })).toBe('ama')
    const token = { id: 't1', name: 'Warehouse sync' }
    const byToken = { actor: { kind: 'user', id: 'u1', name: 'Ama' } as const, token }
    expect(actorOf(byToken)).toBe('Ama with the token Warehouse sync')
    expect(actorOf({ actor: { kind: 'system', name: 'matching' }, token: null })).toBe('Matching')
  })

  test('every sentence belongs to an action that the API declares', () => {
    const document = readFileSync(new URL('../../../../api/src/http/openapi.json', import.meta.url), 'utf8')
    const declared: string[] =
      JSON.parse(document).components.schemas.AuditActions.properties.items.items.properties.action.enum
    expect(declared.length).toBeGreaterThan(50)
    expect(actionsWithSentence.filter((action) => !declared.includes(action))).toEqual([])
    expect(actionsWithSentence.length).toBeGreaterThan(70)
  })
})

test('an event of a merge states its direction and leaves the ids to the link', () => {
  const came = event(
    'matching.merge',
    { name: 'A' },
    { name: 'B', mergeId: 'm', snapshotId: 's', merged: 'x', score: 1 },
  )
  const went = event('matching.merge', { status: 'active' }, { status: 'merged', mergedInto: 'y', mergeId: 'm' })
  expect(actionSentence(came, labelOf)).toBe('merged another record into this one')
  expect(actionSentence(went, labelOf)).toBe('merged it into another record')
  expect(mergeIdOf(came)).toBe('m')
  expect(changesOf(withoutMergeIds(came)).map(({ path }) => path)).toEqual(['name', 'snapshotId'])
  const other = event('business.edit', {}, { score: 1 })
  expect(withoutMergeIds(other)).toBe(other)
})
