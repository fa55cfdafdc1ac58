import { expect, test } from 'vitest'
import { type JobWorld, jobWorld } from '../../../../test/job-world.ts'
import { askMerge, askReversal, merged, suggestionOfPair } from '../../../../test/merging.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, moveTo } from '../../../../test/prospects.ts'
import { marksInTables, marksOutsideTheLog } from '../../../../test/remains.ts'
import { newId } from '../../../lib/ids.ts'
import { verifyTenant } from '../../audit/audit.ts'
import type { Business } from '../../businesses/businesses.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { Job } from '../../jobs/jobs.schema.ts'
import { matchRun, renormalization } from '../../matching/matching.jobs.ts'
import type { Attempt } from '../../matching/merging/merges.schema.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import { reportJob } from '../../reports/reports.jobs.ts'
import type { Report } from '../../reports/reports.ts'
import type { ErasedBusiness } from '../erasure.schema.ts'

/*
 * Tests one record with every kind of child and history that the product allows. After its erasure, every table of the store and every file of the
 * data folder is searched for text that only this record contained.
 */

/**
 * Texts that only the record contains. The third is a letter that occurs only in a former name; a single letter is needed because the text index
 * stores three letters at a time.
 */
const marks = ['quagga', '8276543219', 'ჰ']
const MARK = 'quagga'

const alike = {
  registrationNumber: '2011/123456/07',
  phones: [{ value: '+27 21 555 0101' }],
  address: { street: '1 Kerk St', city: 'Prieska' },
}
const whole = {
  ...alike,
  name: 'Karoo Windpumps Quagga ჰჰჰ',
  tradingName: `${MARK} trading`,
  industry: `${MARK} industry`,
  emails: [{ value: `${MARK}@karoo.co.za`, label: MARK }],
  phones: [...alike.phones, { value: '+278276543219', label: MARK }],
  domains: [{ value: `${MARK}.co.za` }],
  tags: [MARK],
}
const observed = {
  observation: MARK,
  context: MARK,
  url: `https://${MARK}.example/`,
  sourceReference: MARK,
  sourceLabel: MARK,
}

type World = JobWorld & { administrator: JobWorld['operator'] }
type Body = Record<string, unknown>

const key = () => ({ 'idempotency-key': newId() })

async function done(answer: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(`A step was answered ${status}: ${JSON.stringify(body)}`)
}

async function edit({ operator, t }: World, id: string, body: Body): Promise<void> {
  const { version } = (await operator.get<Business>(`/businesses/${id}`)).body
  await done(operator.patch(`/businesses/${id}`, body, { 'if-match': `"${version}"` }))
  await followChanges(t.store)
}

async function mergeInto(world: World, loser: string, survivor: string, body: Body = {}) {
  const suggestion = await suggestionOfPair(world.administrator, loser, survivor)
  const merge = await merged(askMerge(world.administrator, suggestion, survivor, body, key()))
  await followChanges(world.t.store)
  return merge
}

async function reverse({ administrator, t }: World, { id }: { id: string }): Promise<void> {
  await done(askReversal(administrator, id, key()))
  await followChanges(t.store)
}

/** Sends a request that queues a job, and waits for the end of the job. */
async function job({ administrator, ended }: World, path: string, body: Body): Promise<string> {
  const asked = await administrator.post<Job & { jobId?: string }>(path, body, key())
  expect([path, asked.status]).toEqual([path, path === '/jobs' ? 202 : 201])
  const { status } = await ended(asked.body.jobId ?? asked.body.id)
  expect([path, status]).toEqual([path, 'succeeded'])
  return asked.body.id
}

/** Runs another erasure, because an erasure writes the pending texts to the index. Otherwise only more than sixty changed texts would do so. */
async function writeTheIndex({ operator, administrator, t }: World): Promise<void> {
  const { id } = await createProspect(operator, { name: 'Somebody else' })
  await done(administrator.post(`/businesses/${id}/erasure`, { reason: 'They asked.' }))
  t.clock.advance(1_000)
}

/** Creates every kind of child of a record, with corrections and transitions. */
async function describe({ operator }: World, id: string): Promise<void> {
  const first = await addEvidenceTo(operator, id, { ...observed, field: 'email', value: `other@${MARK}.co.za` })
  await addEvidenceTo(operator, id, { ...observed, field: 'phone', value: '+278276543219', supersedesId: first.id })
  for (const sensitive of [true, false]) await addNoteTo(operator, id, { text: `${MARK} said so`, sensitive })
  const talk = { summary: `${MARK} called`, participants: [`Mr ${MARK}`] }
  const said = await addInteractionTo(operator, id, talk)
  await addInteractionTo(operator, id, { ...talk, correctsId: said.id })
  await moveTo(operator, id, 'contacted', `${MARK} asked`)
}

/**
 * Creates traces of a record on other records: it is merged into a record that is edited, compared, merged and blocked with its values, and is then
 * separated again.
 */
async function liveElsewhere(world: World, id: string, other: string, [third, unlike, refused]: readonly string[]) {
  const { operator, administrator, t } = world
  const fields = { name: id, tradingName: id, industry: id, pipelineState: other }
  const first = await mergeInto(world, id, other, { fields, reason: `${MARK} is the other` })
  await edit(world, other, { tags: [MARK, 'large'] })
  await edit(world, unlike ?? '', { name: 'Something else', ...{ registrationNumber: null, phones: [], address: {} } })
  const suggestion = await suggestionOfPair(administrator, other, refused ?? '')
  await done(administrator.post(`/match-suggestions/${suggestion.id}/rejection`, { reason: 'Two shops.' }, key()))
  await done(operator.post(`/businesses/${other}/do-not-contact`, { reason: 'They asked.' }, key()))
  const second = await mergeInto(world, third ?? '', other)
  await edit(world, other, { tags: ['large', MARK] })
  await reverse(world, second)
  await reverse(world, first)
  await followChanges(t.store)
}

/** Attempts a merge that is rejected because one of the records is edited between the merge's two commits. */
async function failToMerge(world: World, loser: string, survivor: string): Promise<void> {
  const { store } = world.t
  const suggestion = await suggestionOfPair(world.administrator, loser, survivor)
  const { write } = store
  store.write = async (...given) => {
    const value = await write(...given)
    // Skip other writes, because the job worker writes as well.
    const begun = await store.reader.selectFrom('merge_attempts').select('id').where('status', '=', 'begun').execute()
    if (begun.length === 0 || store.write === write) return value
    store.write = write
    await edit(world, survivor, { industry: `${MARK} edited` })
    return value
  }
  const { body } = await askMerge(world.administrator, suggestion, survivor, {
    fields: { pipelineState: survivor },
  })
  expect(body.code).toBe('pair_changed')
}

test('no table or file contains text of a fully used record after its erasure, whichever record carried it', {
  timeout: 60_000,
}, async () => {
  const base = await jobWorld([exportJob, reportJob, matchRun, renormalization])
  base.work()
  const { t, operator } = base
  const administrator = await t.as('administrator')
  const world: World = { ...base, administrator }
  const { id } = (await operator.post<Business>('/businesses', whole, key())).body
  const names = [
    'Karoo Windpumps',
    'Karoo Windpumps Quagga',
    'Karoo Windpumps B',
    'Karoo Windpumps C',
    'Karoo Windpumps D',
  ]
  const [other = '', twin = '', ...rest] = await Promise.all(
    names.map(async (name) => (await createProspect(operator, { ...alike, name })).id),
  )
  await writeTheIndex(world)
  await edit(world, id, { name: 'Karoo Windpumps Quagga' })
  await writeTheIndex(world)
  await job(world, '/jobs', { kind: 'match-run', input: {} })
  await describe(world, id)
  await liveElsewhere(world, id, other, rest)
  await failToMerge(world, twin, id)
  await mergeInto(world, twin, id, { fields: { pipelineState: id }, reason: `${MARK} is the twin` })
  await job(world, '/jobs', { kind: 'renormalization', input: {} })
  for (const [format, filter] of [
    ['csv', [{ field: 'q', op: 'contains', values: [MARK] }]],
    ['jsonl', [{ field: 'tag', op: 'any_of', values: [MARK.toUpperCase()] }]],
    ['csv', [{ field: 'city', op: 'contains', values: [MARK] }]],
  ] as const)
    await job(world, '/exports', { source: 'prospects', format, suppressed: 'mark', filter })
  const question = { name: `All of ${MARK}`, from: '2026-11-01', to: '2026-11-20', filter: { tag: MARK } }
  const reportId = await job(world, '/reports', question)
  await job(world, '/exports', { source: 'report', format: 'csv', reportId })
  await done(operator.post(`/businesses/${id}/do-not-contact`, { reason: `${MARK} asked` }, key()))

  expect(Object.keys(marksInTables(t.store.dataDir, marks)).sort()).toMatchInlineSnapshot(`
    [
      "audit_events",
      "business_identifiers",
      "business_name_keys",
      "business_search",
      "business_search_index",
      "business_tag_counts",
      "business_tags",
      "businesses",
      "evidence",
      "exports",
      "interactions",
      "match_snapshots",
      "match_suggestions",
      "merge_snapshots",
      "merges",
      "notes",
      "pipeline_transitions",
      "reports",
      "suppression_record_keys",
    ]
  `)
  const figures = (await administrator.get<Report>(`/reports/${reportId}`)).body.result
  const { body } = await administrator.post<ErasedBusiness>(`/businesses/${id}/erasure`, {
    reason: 'The person asked.',
  })
  expect(body.erased).toMatchObject({ records: 2, exports: 4, searches: 1, tags: 3 })
  await followChanges(t.store)
  await t.store.writes.idle()

  expect(marksInTables(t.store.dataDir, marks)).toEqual({})
  expect(await marksOutsideTheLog(t.store.dataDir, marks)).toEqual([])
  expect(marks.filter((mark) => t.logged().toLowerCase().includes(mark))).toEqual([])
  expect((await administrator.get<Report>(`/reports/${reportId}`)).body).toMatchObject({
    name: '2026-11-01 to 2026-11-20',
    filter: { tag: null },
    result: figures,
  })
  const [attempt] = (await administrator.get<{ items: Attempt[] }>('/merge-attempts?limit=200')).body.items.filter(
    ({ status }) => status === 'refused',
  )
  expect(attempt?.failure).toBe('One of the two records changed in the meantime.')
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
})
