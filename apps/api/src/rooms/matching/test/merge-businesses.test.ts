import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { breakWrites } from '../../../../test/break-writes.ts'
import { buildTestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  addNoteTo,
  createProspect,
  endProspect,
  moveTo,
  type Problem,
  walk,
} from '../../../../test/prospects.ts'
import { writerOf } from '../../../../test/writer-of.ts'
import type { Business } from '../../businesses/businesses.ts'
import { businessChildNames } from '../../facts.ts'
import { NO_REASON } from '../../pipeline/pipeline.schema.ts'
import type { AddedSuppression } from '../../suppression/suppression.schema.ts'
import type { Suggestion, SuggestionSummary } from '../matching.schema.ts'
import type { Attempt, Merge, MergePreview, MergeSummary } from '../merging/merges.schema.ts'
import { followChanges } from '../suggestions/matching-follower.ts'

async function setUp() {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const read = async (id: string) => (await manager.get<Business>(`/businesses/${id}`)).body
  return { t, manager, read }
}

test('a merge links and moves nothing: values as chosen, the others stored with their evidence, children read with their origin', async () => {
  const { t, manager, read } = await setUp()
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [
    { industry: 'Farming', tags: ['Wind'], phones: [{ value: '+27 41 555 0101' }] },
    { industry: 'Irrigation', tradingName: 'KP', tags: ['wind', 'Sea'], phones: [{ value: '+27 41 555 0102' }] },
  ])
  for (const id of [a, b]) {
    await addEvidenceTo(manager, id, { field: 'industry', value: id === a ? 'Farming' : 'Irrigation' })
    await addNoteTo(manager, id)
    await addInteractionTo(manager, id)
  }
  await moveTo(manager, b, 'contacted')
  const suggestion = await suggestionOfPair(manager, a, b)
  const preview = (await manager.get<MergePreview>(`/match-suggestions/${suggestion.id}/merge-preview`)).body
  expect(preview.fields.filter(({ mustChoose }) => mustChoose).map(({ field }) => field)).toEqual(['pipelineState'])
  expect(preview.fields.find(({ field }) => field === 'industry')).toMatchObject({ evidence: [1, 1], differs: true })
  const merge = await merged(askMerge(manager, suggestion, a, { fields: { industry: b, pipelineState: b } }))
  const [evidence] = await walk<{ id: string }>(manager, `/businesses/${a}/evidence`).then((all) => all.slice(1))
  expect(merge).toMatchObject({
    status: 'merged',
    survivor: { id: a },
    loser: { id: b },
    choices: [
      {
        field: 'industry',
        value: 'Irrigation',
        from: b,
        chosen: true,
        alternative: { value: 'Farming', from: a, evidenceIds: [evidence?.id] },
      },
      {
        field: 'pipelineState',
        value: 'contacted',
        from: b,
        chosen: true,
        alternative: { value: 'new', from: a, evidenceIds: [] },
      },
    ],
    readBack: {
      survivor: { evidence: 1, notes: 1, transitions: 0, interactions: 1 },
      loser: { evidence: 1, notes: 1, transitions: 1, interactions: 1 },
      throughSurvivor: { evidence: 2, notes: 2, transitions: 1, interactions: 2 },
    },
    reversible: { possible: true },
  })
  expect(await read(a)).toMatchObject({
    industry: 'Irrigation',
    tradingName: 'KP',
    pipelineState: 'contacted',
    tags: ['Wind', 'Sea'],
  })
  expect((await read(a)).phones.map(({ value }) => value)).toEqual(['+27 41 555 0101', '+27 41 555 0102'])
  expect(await read(b)).toMatchObject({ status: 'merged', mergedInto: a, industry: 'Irrigation' })
  for (const list of ['evidence', 'notes', 'interactions']) {
    const children = await walk<{ businessId: string }>(manager, `/businesses/${a}/${list}`, 1)
    expect([list, children.map(({ businessId }) => businessId)]).toEqual([list, [b, a]])
    expect(await walk(manager, `/businesses/${b}/${list}`)).toHaveLength(1)
  }
  type Step = { businessId: string; from: string; to: string; reason: string | null; mergeId: string | null }
  const steps = await walk<Step>(manager, `/businesses/${a}/pipeline-transitions`)
  expect(steps.map(({ businessId, from, to, reason, mergeId }) => [businessId, from, to, reason, mergeId])).toEqual([
    [a, 'new', 'contacted', 'A merge took over this state from the other record.', merge.id],
    [b, 'new', 'contacted', NO_REASON, null],
  ])
  type Event = { action: string; subject: { id: string }; before: unknown; after: { snapshotId?: string } }
  const activity = await walk<Event>(manager, `/businesses/${a}/activity`)
  const events = activity.filter(({ action }) => action === 'matching.merge')
  expect(events.map(({ after }) => after.snapshotId)).toEqual([merge.snapshotId, merge.snapshotId])
  expect(events.find(({ subject }) => subject.id === a)).toMatchObject({
    before: { industry: 'Farming', tradingName: null, pipelineState: 'new' },
    after: { industry: 'Irrigation', tradingName: 'KP', pipelineState: 'contacted', mergeId: merge.id, merged: b },
  })
  expect(events.find(({ subject }) => subject.id === b)).toMatchObject({
    before: { status: 'active' },
    after: { status: 'merged', mergedInto: a, mergeId: merge.id, suggestionId: suggestion.id, score: suggestion.score },
  })
  expect(activity.filter(({ action }) => action === 'business.create')).toHaveLength(2)
  expect((await walk<Business>(manager, '/businesses')).map(({ id }) => id)).toEqual([a])
  const refused = await manager.patch<Problem>(`/businesses/${b}`, { name: 'X' }, { 'if-match': '"3"' })
  expect([refused.status, refused.body.code]).toEqual([422, 'business_not_active'])
})

test('refuses undecided, outdated, foreign or closed pairs and writes nothing', async () => {
  const { t, manager } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
  const { id: stranger } = await createProspect(manager, { name: 'Elsewhere' })
  await moveTo(manager, b, 'contacted')
  const seen = await suggestionOfPair(manager, a, b)
  const refusals: unknown[] = []
  const ask = async (from: Suggestion, survivorId: string, body = {}) => {
    const { status, body: problem } = await askMerge(manager, from, survivorId, body)
    refusals.push([status, problem.code, problem.errors?.map(({ path, message }) => path || message)])
  }
  const changes = await t.changes(async () => {
    await ask(suggestion, a)
    await ask(seen, a)
    await ask(seen, stranger)
    await ask(seen, a, { fields: { name: stranger, pipelineState: a } })
    await ask({ ...seen, fingerprint: 'none' }, a, { fields: { pipelineState: a } })
  })
  expect(changes).toEqual({})
  expect(refusals).toEqual([
    [409, 'pair_changed', ['fingerprint', 'fingerprint']],
    [422, 'conflicts_unresolved', ['fields.pipelineState']],
    [400, 'invalid_request', ['survivorId']],
    [400, 'invalid_request', ['fields.name']],
    [409, 'pair_changed', ['fingerprint']],
  ])
  const told = await askMerge(manager, suggestion, a)
  expect(told.body.detail).toContain('“Karoo Pumps” was moved in the pipeline.')
  await endProspect(t, b, { status: 'inactive' })
  const { body: seenEnded } = await manager.get<Suggestion>(`/match-suggestions/${seen.id}`)
  const ended = await askMerge(manager, seenEnded, a, { fields: { pipelineState: a } })
  expect([ended.status, ended.body.code]).toEqual([422, 'business_not_active'])
})

test('of two people who decide the same pair at once, one succeeds and the other gets the name of the first', async () => {
  const { t, manager } = await setUp()
  const administrator = await t.as('administrator')
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
  const answers = await Promise.all([askMerge(manager, suggestion, a), askMerge(administrator, suggestion, b)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const told = answers.find(({ status }) => status === 409)
  expect(told?.body).toMatchObject({ code: 'suggestion_not_open', detail: expect.stringContaining('by ') })
  const rejected = await manager.post<Problem>(`/match-suggestions/${suggestion.id}/rejection`, { reason: 'No.' })
  expect(rejected.body.code).toBe('suggestion_not_open')
  expect(await walk(manager, '/merges')).toHaveLength(1)
})

test('the preview names the block that the survivor takes over: of one record, of the other, of both', async () => {
  const { t, manager } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps', [{ tradingName: 'KP' }])
  await manager.patch(`/businesses/${b}`, { name: 'Karoo Pump' }, { 'if-match': '"1"' })
  const said = async () =>
    (await manager.get<MergePreview>(`/match-suggestions/${suggestion.id}/merge-preview`)).body.doNotContact
  expect(await said()).toContain('Neither record is marked do not contact.')
  await manager.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })
  expect(await said()).toContain('“Karoo Pump” is marked do not contact, so the kept record will be marked too')
  await manager.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked.' })
  expect(await said()).toContain('Both records are marked do not contact, so the kept record is too.')
})

test('three records of one business are merged pair by pair and reversed in the opposite order', async () => {
  const { t, manager, read } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  for (const id of [a, b, c]) await addNoteTo(manager, id)
  await followChanges(t.store)
  const first = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), b))
  expect(first.suggestionId).toBe(suggestion.id)
  // The other suggestions of the merged record end too.
  const superseded = await walk<SuggestionSummary>(manager, '/match-suggestions?status=superseded')
  expect(superseded.map(({ businesses }) => businesses.map(({ id }) => id))).toEqual([[a, c]])
  await followChanges(t.store)
  expect(
    (await walk<SuggestionSummary>(manager, '/match-suggestions')).map(({ businesses }) =>
      businesses.map(({ id }) => id),
    ),
  ).toEqual([[b, c]])
  const second = await merged(askMerge(manager, await suggestionOfPair(manager, b, c), c))
  expect(
    (await walk<{ businessId: string }>(manager, `/businesses/${c}/notes`)).map(({ businessId }) => businessId),
  ).toEqual([c, b, a])
  expect([(await read(a)).mergedInto, (await read(b)).mergedInto]).toEqual([b, c])
  const early = await askReversal(manager, first.id)
  expect([early.status, early.body.code, early.body.errors?.[0]?.message]).toEqual([
    409,
    'merge_not_reversible',
    second.id,
  ])
  expect((await manager.get<Merge>(`/merges/${first.id}`)).body.reversible).toMatchObject({
    possible: false,
    firstReverse: second.id,
  })
  expect((await walk<MergeSummary>(manager, `/merges?businessId=${b}`)).map(({ id }) => id)).toEqual([
    second.id,
    first.id,
  ])
  expect((await walk<MergeSummary>(manager, `/merges?businessId=${c}`)).map(({ id }) => id)).toEqual([second.id])
  for (const { id } of [second, first]) expect((await askReversal(manager, id)).status).toBe(200)
  for (const id of [a, b, c]) {
    expect(await read(id)).toMatchObject({ status: 'active', mergedInto: null })
    expect(await walk(manager, `/businesses/${id}/notes`)).toHaveLength(1)
  }
})

test('a reversal leaves later additions and edits with the survivor, and reports them before and after', async () => {
  const { t, manager, read } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps', [
    { industry: 'Farming' },
    { industry: 'Irrigation', tradingName: 'KP' },
  ])
  const before = [await read(a), await read(b)]
  const { id } = await merged(askMerge(manager, suggestion, a, { fields: { industry: b } }))
  await addNoteTo(manager, a)
  const { version } = await read(a)
  await manager.patch(`/businesses/${a}`, { tradingName: 'Karoo', tags: ['Since'] }, { 'if-match': `"${version}"` })
  const told = (await manager.get<Merge>(`/merges/${id}`)).body.reversible?.outcome
  expect(told).toEqual({
    restored: ['industry'],
    kept: ['tradingName', 'tags'],
    conflicts: ['tradingName'],
    added: { ...Object.fromEntries(businessChildNames.map((name) => [name, 0])), notes: 1 },
    doNotContact: [],
  })
  const { body } = await askReversal(manager, id)
  expect(body).toMatchObject({
    status: 'reversed',
    reversible: null,
    reversal: { outcome: told, reason: 'Two shops after all.' },
  })
  expect(await read(a)).toMatchObject({ industry: 'Farming', tradingName: 'Karoo', tags: ['Since'] })
  expect(await read(b)).toEqual({ ...before[1], version: 3, updatedAt: expect.any(String) })
  expect(await walk(manager, `/businesses/${a}/notes`)).toHaveLength(1)
  expect((await manager.get<Suggestion>(`/match-suggestions/${suggestion.id}`)).body.status).toBe('open')
  const again = await askReversal(manager, id)
  expect([again.status, again.body.code]).toEqual([409, 'merge_not_reversible'])
})

test('do not contact survives on either side, and a reversal ends only the block that the merge copied', async () => {
  for (const side of ['survivor', 'loser', 'since'] as const) {
    const { t, manager, read } = await setUp()
    const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
    const block = (id: string) => manager.post(`/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
    if (side !== 'since') await block(side === 'survivor' ? a : b)
    const { id, readBack } = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
    expect(readBack.doNotContact).toBe(side !== 'since')
    if (side === 'since') await block(a)
    expect((await read(a)).doNotContact).not.toBeNull()
    const { body } = await askReversal(manager, id)
    const blocked = { survivor: [a], loser: [b], since: [a, b] }[side]
    expect([side, body.reversal?.outcome.doNotContact]).toEqual([side, blocked.toSorted()])
    for (const one of [a, b]) expect((await read(one)).doNotContact !== null).toBe(blocked.includes(one))
  }
})

test('a reversal keeps the copied block while another record that stays merged is blocked by hand', async () => {
  const { t, manager, read } = await setUp()
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  const { id: c } = await createProspect(manager, { name: 'Karoo Pumps', emails: [{ value: 'desk@karoopumps.co.za' }] })
  await followChanges(t.store)
  const block = (one: string) => manager.post(`/businesses/${one}/do-not-contact`, { reason: 'They asked.' })
  await block(c)
  const { id } = await merged(askMerge(manager, await suggestionOfPair(manager, a, c), a))
  await block(b)
  const { body } = await askReversal(manager, id)
  expect(body.reversal?.outcome.doNotContact).toEqual([a, c].toSorted())
  for (const one of [a, b, c]) expect((await read(one)).doNotContact).not.toBeNull()
})

test('a suppression that matches either record blocks the survivor, a later one marks both where it matches, and none is lifted', async () => {
  const { t, manager, read } = await setUp()
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [
    {},
    { phones: [{ value: '+27 41 555 0102' }], domains: [{ value: 'pumps.co.za' }] },
  ])
  const suppress = async (kind: string, value: string) => {
    const entry = { kind, value, reason: 'They asked.', channel: 'phone' }
    expect((await manager.post('/suppressions', entry)).status).toBe(201)
  }
  const through = async () => [(await read(a)).doNotContact?.through, (await read(b)).doNotContact?.through]
  await suppress('phone', '+27 41 555 0102')
  const merge = await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
  expect([merge.readBack.doNotContact, await through()]).toEqual([true, ['suppression', 'suppression']])
  expect(await walk(manager, '/audit-events?action=business.match_suppression')).toMatchObject([
    { businessId: a, before: { doNotContact: false }, after: { doNotContact: true, carriedFrom: b } },
  ])
  await suppress('domain', 'pumps.co.za')
  const { body } = await askReversal(manager, merge.id)
  expect(body.reversal?.outcome.doNotContact).toEqual([a, b].toSorted())
  expect([(await read(a)).phones, await through()]).toEqual([[], ['suppression', 'suppression']])
  const live = await sql<{ business_id: string }>`SELECT business_id FROM suppression_matches WHERE live = 1`.execute(
    t.store.reader,
  )
  expect(live.rows.map(({ business_id: id }) => id).toSorted()).toEqual([a, a, b, b].toSorted())
})

test.each(['before an entry', 'while an entry'])(
  'a block lifted from the survivor %s matches the still blocked merged record does not return',
  async (when) => {
    const { t, manager, read } = await setUp()
    const administrator = await t.as('administrator')
    const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps', [{}, { domains: [{ value: 'pumps.co.za' }] }])
    await manager.post(`/businesses/${b}/do-not-contact`, { reason: 'They asked.' })
    await merged(askMerge(manager, await suggestionOfPair(manager, a, b), a))
    const entry = { kind: 'domain', value: 'pumps.co.za', reason: 'They asked.', channel: 'phone' }
    const suppress = () => manager.post<AddedSuppression>('/suppressions', entry)
    const lift = () => administrator.post(`/businesses/${a}/do-not-contact-removal`, { reason: 'Call them.' })
    const through = async () => [(await read(a)).doNotContact?.through, (await read(b)).doNotContact?.through]
    if (when === 'before an entry') expect((await lift()).status).toBe(200)
    const { suppression } = (await suppress()).body
    if (when === 'while an entry') expect((await lift()).status).toBe(200)
    expect(await through()).toEqual(['suppression', 'both'])
    await administrator.post(`/suppressions/${suppression.id}/removal`, { reason: 'By mistake.' })
    expect(await through()).toEqual([undefined, 'hand'])
  },
)

test.each([
  ['the snapshot store', 'merge_snapshots', '1'],
  ['the audit', 'audit_events', `NEW.action = 'matching.merge'`],
  ['the record of the merge', 'merges', '1'],
])(
  'a failure of %s stops the merge: nothing is changed, the attempt is recorded, nothing is tried again',
  async (_what, table, when) => {
    const { t, manager, read } = await setUp()
    const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
    const before = [await read(a), await read(b)]
    await breakWrites(t, table, when)
    const { status, body } = await askMerge(manager, suggestion, a)
    expect([status, body.code]).toEqual([500, 'merge_stopped'])
    expect([await read(a), await read(b)]).toEqual(before)
    expect(await walk<Attempt>(manager, '/merge-attempts')).toMatchObject([
      { kind: 'merge', status: 'stopped', failure: 'broken', survivor: { id: a } },
    ])
    await sql`DROP TRIGGER broken`.execute(await writerOf(t.store))
    await merged(askMerge(manager, suggestion, a))
  },
)

test.each([
  ['altered', `content = replace(content, 'Karoo', 'Other')`, 'differs from its hash'],
  [
    'as that of another merge',
    '(content, content_hash) = (SELECT content, content_hash FROM merge_snapshots WHERE id <> NEW.id)',
    'is not the one that was written',
  ],
])('a snapshot read back %s stops the merge before anything is changed', async (_how, spoil, failure) => {
  const { t, manager, read } = await setUp()
  const another = await suggestedPair(t, manager, 'Berg Pumps')
  await merged(askMerge(manager, another.suggestion, another.a))
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
  const before = [await read(a), await read(b)]
  await sql`DROP TRIGGER merge_snapshots_keeps_rows`.execute(await writerOf(t.store))
  await sql
    .raw(`CREATE TRIGGER spoilt AFTER INSERT ON merge_snapshots
    BEGIN UPDATE merge_snapshots SET ${spoil} WHERE id = NEW.id; END`)
    .execute(await writerOf(t.store))
  const { status, body } = await askMerge(manager, suggestion, a)
  expect([status, body.code]).toEqual([500, 'merge_stopped'])
  expect([await read(a), await read(b)]).toEqual(before)
  const [attempt] = await walk<Attempt>(manager, '/merge-attempts')
  expect(attempt).toMatchObject({ status: 'stopped', stage: 'change', failure: expect.stringContaining(failure) })
  await sql`DROP TRIGGER spoilt`.execute(await writerOf(t.store))
  await merged(askMerge(manager, suggestion, a))
})

test('a lost child or an altered snapshot stops a merge or reversal', async () => {
  const { t, manager, read } = await setUp()
  const { a, b } = await suggestedPair(t, manager, 'Karoo Pumps')
  await addNoteTo(manager, b)
  const suggestion = await suggestionOfPair(manager, a, b)
  await sql`DROP TRIGGER notes_loses_no_rows`.execute(await writerOf(t.store))
  await sql`CREATE TRIGGER losing AFTER UPDATE OF merged_into ON businesses BEGIN DELETE FROM notes WHERE business_id = NEW.id; END`.execute(
    await writerOf(t.store),
  )
  expect((await askMerge(manager, suggestion, a)).body.code).toBe('merge_stopped')
  expect(await walk(manager, `/businesses/${b}/notes`)).toHaveLength(1)
  expect((await walk<Attempt>(manager, '/merge-attempts'))[0]?.failure).toContain('notes of')
  await sql`DROP TRIGGER losing`.execute(await writerOf(t.store))
  const { id } = await merged(askMerge(manager, suggestion, a))
  await sql`DROP TRIGGER merge_snapshots_keeps_rows`.execute(await writerOf(t.store))
  await sql`UPDATE merge_snapshots SET content = replace(content, 'Karoo', 'Other')`.execute(await writerOf(t.store))
  expect((await askReversal(manager, id)).body.code).toBe('merge_stopped')
  expect(await read(b)).toMatchObject({ status: 'merged' })
})

test('the store refuses a cycle of merges', async () => {
  const { t, manager } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Pumps')
  await merged(askMerge(manager, suggestion, a))
  const db = await writerOf(t.store)
  const link = (from: string, to: string) =>
    sql`UPDATE businesses SET status = 'merged', merged_into = ${to} WHERE id = ${from}`.execute(db)
  await expect(link(a, b)).rejects.toThrow('merged into another one that is active')
  await expect(link(a, a)).rejects.toThrow('merged into another one that is active')
})
