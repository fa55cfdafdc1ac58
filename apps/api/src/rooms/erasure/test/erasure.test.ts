import { join } from 'node:path'
import { type KyselyPlugin, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type Answer, buildTestApp, type TestApp } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import {
  addEvidenceTo,
  addInteractionTo,
  addNoteTo,
  createProspect,
  moveTo,
  type Problem,
} from '../../../../test/prospects.ts'
import { marksInTables } from '../../../../test/remains.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { sha256 } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import { contentText, linkText } from '../../../store/change/audit-chain.ts'
import { residueOf, statementOf } from '../../../store/change/audit-redaction.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import type { AuditEventTable } from '../../../store/store.table.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { verifyTenant } from '../../audit/audit.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Export } from '../../exports/exports.schema.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import type { ErasedBusiness } from '../erasure.schema.ts'

/** Text in every field of the record except its phone. */
const MARK = 'quagga'
const PHONE = '+27 82 765 4321'

async function setUp() {
  const t = await buildTestApp()
  const [operator, administrator] = [await t.as('operator'), await t.as('administrator')]
  const erase = (id: string, body: Record<string, unknown> = {}) =>
    administrator.post<ErasedBusiness>(`/businesses/${id}/erasure`, { reason: 'The person asked.', ...body })
  const refused = (answer: Answer<unknown>) => [answer.status, (answer.body as Problem).code]
  const read = async (id: string) => (await operator.get<Business>(`/businesses/${id}`)).body
  return { t, operator, administrator, erase, refused, read }
}

const remains = (t: TestApp) => marksInTables(t.store.dataDir, [MARK, PHONE])

const whole = {
  name: `${MARK} Windpumps`,
  tradingName: `${MARK} trading`,
  registrationNumber: `${MARK} 1999`,
  industry: `${MARK} industry`,
  emails: [{ value: `${MARK}@karoo.co.za`, label: MARK }],
  phones: [{ value: PHONE, label: MARK }],
  domains: [{ value: `${MARK}.co.za` }],
  address: {
    street: `1 ${MARK} street`,
    suburb: `${MARK} heights`,
    city: MARK,
    province: 'Gauteng',
    postalCode: `${MARK} 1`,
    country: `${MARK} land`,
  },
  tags: [MARK],
}

const containing = (q: string) => ({ field: 'q', op: 'contains', values: [q] })
const tagged = (tag: string) => ({ field: 'tag', op: 'any_of', values: [tag] })
const withEvidence = { field: 'hasEvidence', op: 'any_of', values: [true] }

test('no table contains text of an erased record or its children; its rows and the chain remain', async () => {
  const { t, operator, administrator, erase, read, refused } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, administrator, `${MARK} Pair`)
  const key = newId()
  const assigned = { ...whole, assigneeId: t.tenants.home.users.operator.id }
  const created = await operator.post<Business>('/businesses', assigned, { 'idempotency-key': key })
  const { id, version } = created.body
  await operator.patch(`/businesses/${id}`, { name: `${MARK} Windmills` }, { 'if-match': `"${version}"` })
  const observation = { observation: MARK, context: MARK, url: `https://${MARK}.example/`, sourceReference: MARK }
  await addEvidenceTo(operator, id, { ...observation, field: 'email', value: `other@${MARK}.co.za`, sourceLabel: MARK })
  await addNoteTo(operator, id, { text: `${MARK} said so`, sensitive: true })
  await addInteractionTo(operator, id, { summary: `${MARK} called`, participants: [`Mr ${MARK}`] })
  await moveTo(operator, id, 'contacted', `${MARK} asked`)
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: `${MARK} asked` })

  const wanted = { source: 'prospects', format: 'csv', filter: [containing(`the ${MARK}`), withEvidence] }
  const { body: asked } = await administrator.post<Export>('/exports', wanted, { 'idempotency-key': newId() })

  const { status, body } = await erase(id)
  expect([status, body.erased]).toMatchObject([
    200,
    { records: 1, evidence: 1, notes: 1, interactions: 1, moves: 1, merges: 0, searches: 1, tombstones: 4 },
  ])
  expect((await administrator.get<Export>(`/exports/${asked.id}`)).body).toMatchObject({
    filter: [withEvidence],
    erasedFields: ['q'],
  })
  expect(body.event).toMatchObject({ action: 'business.erase', reason: 'The person asked.', subject: { id } })
  const merge = await merged(askMerge(administrator, suggestion, a))
  expect((await erase(a)).body.erased).toMatchObject({ records: 2, merges: 1, suggestions: 1 })

  expect(remains(t)).toEqual({})
  expect(await read(id)).toMatchObject({
    name: 'Erased record',
    status: 'inactive',
    erasedAt: expect.any(String),
    emails: [],
    address: { street: null, suburb: null, city: null, province: null, postalCode: null, country: null },
    provinceCode: null,
    assignee: null,
    tags: [],
    doNotContact: { reason: 'The record was erased.' },
  })
  expect(await read(b)).toMatchObject({ name: 'Erased record', status: 'merged', mergedInto: a })
  const activity = await operator.get<{ items: { action: string; after: unknown; erased: boolean }[] }>(
    `/businesses/${id}/activity`,
  )
  expect(activity.body.items.map(({ action, after, erased }) => [action, after === null, erased])).toContainEqual([
    'business.create',
    true,
    true,
  ])
  for (const query of [`q=${MARK}`, `tag=${MARK}`, 'province=GP']) {
    const { body: page } = await operator.get<{ items: unknown[]; page: { total: { value: number } } }>(
      `/businesses?${query}`,
    )
    expect([query, page.items.length, page.page.total.value]).toEqual([query, 0, 0])
  }
  for (const path of ['evidence', 'notes', 'interactions', 'pipeline-transitions', 'facts'])
    expect([path, (await operator.get(`/businesses/${id}/${path}`)).status]).toEqual([path, 200])
  expect((await administrator.get(`/match-suggestions/${suggestion.id}`)).status).toBe(200)
  expect((await administrator.get(`/merges/${merge.id}`)).body).toMatchObject({
    choices: null,
    reversible: { possible: false },
  })
  expect(
    refused(
      await administrator.post(`/merges/${merge.id}/reversal`, { reason: 'Back.' }, { 'idempotency-key': newId() }),
    ),
  ).toEqual([409, 'merge_not_reversible'])
  // The stored response is erased, but the use of the key is still recorded.
  expect((await operator.post<Business>('/businesses', { name: 'New' }, { 'idempotency-key': key })).status).toBe(422)
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
})

/**
 * Runs `what` between the two writes of an erasure: the first write determines the time of the search, the second is the change. Returns a function
 * that returns the number of writes.
 */
function beforeItsChange({ store }: TestApp, what: () => Promise<unknown>): () => number {
  const { write } = store
  let asked = 0
  store.write = async (...given) => {
    asked += 1
    if (asked === 2) {
      store.write = write
      await what()
    }
    return write(...given)
  }
  return () => asked
}

test('a response that is stored after an erasure searched is erased with it', async () => {
  const { t, operator, erase } = await setUp()
  const { id } = await createProspect(operator)
  const asked = beforeItsChange(t, async () => {
    const block = { reason: MARK }
    const key = { 'idempotency-key': newId() }
    expect((await operator.post(`/businesses/${id}/do-not-contact`, block, key)).status).toBe(200)
  })
  expect((await erase(id)).status).toBe(200)
  expect([asked(), remains(t)]).toEqual([2, {}])
})

test('stored responses of a record that is merged in during the search are erased too', async () => {
  const { t, operator, administrator, erase } = await setUp()
  const alike = { name: `${MARK} Windpumps`, emails: [{ value: `${MARK}@karoo.co.za` }] }
  const made = async () => (await operator.post<Business>('/businesses', alike, { 'idempotency-key': newId() })).body.id
  // The response of the second create contains the id of the first record as a possible duplicate.
  const [b, a] = [await made(), await made()]
  await followChanges(t.store)
  const suggestion = await suggestionOfPair(administrator, a, b)
  t.clock.advance(1_000)
  const asked = beforeItsChange(t, () => merged(askMerge(administrator, suggestion, a)))
  expect((await erase(a)).body.erased.records).toBe(2)
  expect([asked(), remains(t)]).toEqual([2, {}])
})

test('suppressed values stay suppressed by their hashes in a new record; values that nobody blocked do not, unless requested', async () => {
  const { operator, erase } = await setUp()
  const add = async (body: Record<string, unknown>) => (await createProspect(operator, body)).doNotContact !== null
  const blocked = await createProspect(operator, {
    emails: [{ value: 'Old+x@karoo.co.za' }],
    phones: [{ value: '+27 82 111 2222' }],
    // A free mail domain gets no tombstone, because it would suppress everybody with a mailbox there.
    domains: [{ value: 'gmail.com' }],
  })
  await operator.post(`/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })
  const free = await createProspect(operator, { emails: [{ value: 'free@karoo.co.za' }] })
  const asked = await createProspect(operator, { emails: [{ value: 'asked@karoo.co.za' }] })
  expect((await erase(blocked.id)).body.erased.tombstones).toBe(2)
  expect((await erase(free.id)).body.erased.tombstones).toBe(0)
  expect((await erase(asked.id, { suppress: true })).body.erased.tombstones).toBe(1)
  expect(await add({ emails: [{ value: 'OLD@karoo.co.za' }] })).toBe(true)
  expect(await add({ phones: [{ value: '0821112222', region: 'ZA' }] })).toBe(true)
  expect(await add({ emails: [{ value: 'asked@karoo.co.za' }] })).toBe(true)
  expect(await add({ emails: [{ value: 'free@karoo.co.za' }] })).toBe(false)
  expect(await add({ domains: [{ value: 'gmail.com' }] })).toBe(false)
})

test('a record is erased once, together with the records merged into it; later changes are refused', async () => {
  const { t, operator, administrator, erase, refused } = await setUp()
  const manager = await t.as('manager')
  const { a, b, suggestion } = await suggestedPair(t, administrator, 'Fynbos')
  await merged(askMerge(administrator, suggestion, a))
  const changes = await t.changes(async () => {
    expect(refused(await erase(b))).toEqual([422, 'business_not_active'])
    expect(refused(await erase(a, { reason: ' ' }))).toEqual([400, 'invalid_request'])
    expect(refused(await manager.post(`/businesses/${a}/erasure`, { reason: 'No.' }))).toEqual([
      403,
      'permission_denied',
    ])
  })
  expect(changes).toEqual({})
  // A block of the survivor also applies to all records merged into it.
  expect((await operator.post(`/businesses/${a}/do-not-contact`, { reason: 'They asked.' })).status).toBe(200)
  const before = (await operator.get<Business>(`/businesses/${a}`)).body
  const { status, body } = await erase(a)
  expect([status, body.erased.records, body.erased.tombstones]).toEqual([200, 2, 1])
  const after = await t.changes(async () => {
    expect(refused(await erase(a))).toEqual([409, 'conflict'])
    expect(
      refused(await operator.patch(`/businesses/${a}`, { name: 'x' }, { 'if-match': `"${before.version + 1}"` }))[0],
    ).toBe(422)
    for (const [path, body] of [
      ['notes', { text: 'x' }],
      ['pipeline-transitions', { to: 'contacted' }],
      ['do-not-contact', { reason: 'Jan, 082 123 4567' }],
      ['do-not-contact-removal', { reason: 'Jan, 082 123 4567' }],
    ] as const)
      expect([path, (await administrator.post(`/businesses/${a}/${path}`, body)).status]).toEqual([path, 422])
  })
  expect(after).toEqual({})
})

test('a reversed merge keeps nothing of the erased record, and the other record stays complete', async () => {
  const { t, administrator, erase, read } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, administrator, MARK)
  const { id } = await merged(askMerge(administrator, suggestion, a))
  await administrator.post(`/merges/${id}/reversal`, { reason: `${MARK} is another.` }, { 'idempotency-key': newId() })
  const other = await read(b)
  await erase(a)
  expect(await read(b)).toEqual(other)
  expect((await administrator.get(`/merges/${id}`)).status).toBe(200)
  const { version } = other
  await administrator.patch(
    `/businesses/${b}`,
    { name: 'B', emails: [], phones: [], domains: [] },
    { 'if-match': `"${version}"` },
  )
  expect((await erase(b)).status).toBe(200)
  expect(remains(t)).toEqual({})
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
})

test.for(['survivor', 'loser'] as const)(
  'the reasons of a merge and its reversal are erased from the other record too when the %s is erased',
  async (erased) => {
    const { t, administrator, erase } = await setUp()
    const { a, b, suggestion } = await suggestedPair(t, administrator, 'Fynbos')
    const { id } = await merged(askMerge(administrator, suggestion, a, { reason: `The same ${MARK}.` }))
    const reversal = { reason: `Another ${MARK}.` }
    await administrator.post(`/merges/${id}/reversal`, reversal, { 'idempotency-key': newId() })
    expect(Object.keys(remains(t))).toContain('audit_events')
    expect((await erase(erased === 'survivor' ? a : b)).status).toBe(200)
    expect(remains(t)).toEqual({})
  },
)

test('merges of a record before and after it contained the erased one keep their content', async () => {
  const { t, operator, administrator, erase } = await setUp()
  const { a, b } = await suggestedPair(t, administrator, 'Fynbos')
  const alike = async () =>
    (await createProspect(operator, { name: 'Fynbos', emails: [{ value: 'desk@fynbos.co.za' }] })).id
  const absorb = async (id: string) => {
    await followChanges(t.store)
    return merged(askMerge(administrator, await suggestionOfPair(administrator, b, id), b))
  }
  const before = await absorb(await alike())
  const held = await absorb(a)
  expect((await askReversal(administrator, held.id)).status).toBe(200)
  const after = await absorb(await alike())
  expect((await erase(a)).status).toBe(200)
  type Event = { action: string; subject: { id: string }; after: { mergeId: string } | null }
  const { body } = await operator.get<{ items: Event[] }>(`/businesses/${b}/activity`)
  const own = body.items.filter(({ action, subject }) => action === 'matching.merge' && subject.id === b)
  expect(own.map((event) => event.after?.mergeId)).toEqual([after.id, undefined, before.id])
})

test('a snapshot that contains a record through another merge is emptied as well', async () => {
  const { t, administrator, erase } = await setUp()
  const { a, b, suggestion } = await suggestedPair(t, administrator, 'Merged twice')
  const first = await merged(askMerge(administrator, suggestion, a))
  const { id: top } = await createProspect(administrator, {
    name: 'Merged twice',
    emails: [{ value: 'desk@mergedtwice.co.za' }],
  })
  await followChanges(t.store)
  const second = await merged(askMerge(administrator, await suggestionOfPair(administrator, top, a), top))
  for (const { id } of [second, first]) expect((await askReversal(administrator, id)).status).toBe(200)
  const holding = async () => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM merge_snapshots WHERE instr(content, ${b}) > 0`.execute(
      t.store.reader,
    )
    return rows.map(({ id }) => id).sort()
  }
  expect(await holding()).toEqual([first.snapshotId, second.snapshotId].sort())
  expect((await erase(b)).status).toBe(200)
  expect(await holding()).toEqual([])
})

test('verifying a chain with erased events walks the chain and the erasures only once', async () => {
  const { t, operator, erase } = await setUp()
  for (let one = 0; one < 2; one++) await erase((await createProspect(operator)).id)
  const statements = watchStatements()
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => /audit_(events|redactions)/.test(sql))
  expect(asked.length).toBeGreaterThan(3)
  expect(findPlans(t.store, asked)).toEqual({ walking: [], sorting: [] })
})

test('a chain is intact when an erasure commits after its events were read', async () => {
  const { t, operator, erase } = await setUp()
  const { id } = await createProspect(operator)
  let erased: Promise<Answer<ErasedBusiness>> | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows[0] !== undefined && 'previous_hash' in result.rows[0]) erased ??= erase(id)
      await erased
      return result
    },
  }
  const store = { ...t.store, backgroundOf: () => t.store.backgroundOf(t.tenants.home.id).withPlugin(plugin) }
  expect(await verifyTenant(store, t.tenants.home.id)).toMatchObject({ status: 'intact' })
  expect((await erased)?.status).toBe(200)
})

test('verification detects new content in an erased event', async () => {
  const { t, operator, erase } = await setUp()
  await erase((await createProspect(operator)).id)
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  const redacted = connection
    .prepare<[], { sequence: number }>('SELECT sequence FROM audit_redactions LIMIT 1')
    .get() ?? { sequence: 0 }
  connection.exec(`
    DROP TRIGGER audit_events_keeps_rows;
    UPDATE audit_events SET reason = 'It was never so.' WHERE sequence = ${redacted.sequence} AND tenant_id = '${t.tenants.home.id}'`)
  connection.close()
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({
    status: 'broken',
    firstBroken: { sequence: redacted.sequence },
  })
})

test.each(['the event alone', 'the record of its erasure, too'])(
  'verification detects an altered field of an erased event: %s',
  async (altered) => {
    const { t, operator, erase } = await setUp()
    await erase((await createProspect(operator)).id)
    const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
    connection.exec('DROP TRIGGER audit_events_keeps_rows; DROP TRIGGER audit_redactions_keeps_rows')
    const of = connection.prepare<[], { sequence: number; event_id: string }>('SELECT * FROM audit_redactions')
    const redacted = of.all()
    const [first] = redacted
    if (first === undefined) throw new Error('Something was erased.')
    const eventAt = connection.prepare<[number, string], AuditEventTable>(
      'SELECT * FROM audit_events WHERE sequence = ? AND tenant_id = ?',
    )
    const setActor = connection.prepare(
      "UPDATE audit_events SET actor = 'matching' WHERE sequence = ? AND tenant_id = ?",
    )
    setActor.run(first.sequence, t.tenants.home.id)
    if (altered !== 'the event alone') {
      const residues = redacted.map(({ sequence }) => {
        const event = eventAt.get(sequence, t.tenants.home.id)
        if (event === undefined) throw new Error('Events are never deleted.')
        return { sequence, residue: residueOf(event) }
      })
      const setResidue = connection.prepare('UPDATE audit_redactions SET residue = ? WHERE sequence = ?')
      for (const { sequence, residue } of residues) setResidue.run(residue, sequence)
      connection
        .prepare("UPDATE audit_events SET after_json = json_set(after_json, '$.redacted.digest', ?) WHERE id = ?")
        .run(statementOf(residues).digest, first.event_id)
    }
    connection.close()
    expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({
      status: 'broken',
      firstBroken: { sequence: first.sequence },
    })
  },
)

test('an erased event keeps its place in the chain by the hash of its content, and loses the salt', async () => {
  const { t, operator, erase } = await setUp()
  const { id } = await createProspect(operator)
  const rows = () =>
    t.store.reader
      .selectFrom('audit_events as e')
      .leftJoin('audit_redactions as x', (join) =>
        join.onRef('x.tenant_id', '=', 'e.tenant_id').onRef('x.sequence', '=', 'e.sequence'),
      )
      .selectAll('e')
      .select('x.content_hash')
      .where('e.business_id', '=', id)
      .orderBy('e.sequence')
      .executeTakeFirstOrThrow()
  const before = await rows()
  await erase(id)
  const after = await rows()
  expect(before.content_hash).toBeNull()
  expect(after).toMatchObject({ salt: null, after_json: null, content_hash: sha256(contentText(before)) })
  expect(sha256(linkText(after, after.content_hash ?? ''))).toBe(before.hash)
})

test('verification detects an event that was emptied in place of an erased one', async () => {
  const { t, operator, erase } = await setUp()
  const [{ id }, other] = [await createProspect(operator), await createProspect(operator)]
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  const eventOf = (businessId: string) =>
    connection.prepare<[string], AuditEventTable>('SELECT * FROM audit_events WHERE business_id = ?').get(businessId)
  const [taken, emptied] = [eventOf(id), eventOf(other.id)]
  if (taken === undefined || emptied === undefined) throw new Error('Both were created.')
  await erase(id)
  // Acts as a person who can write to the file and has an earlier copy: restores one event and empties another, so that the count still matches the
  // erasure.
  connection.exec('DROP TRIGGER audit_events_keeps_rows; DROP TRIGGER audit_redactions_keeps_rows')
  const write = connection.prepare('UPDATE audit_events SET after_json = ?, salt = ? WHERE id = ?')
  write.run(taken.after_json, taken.salt, taken.id)
  write.run(null, null, emptied.id)
  connection
    .prepare('UPDATE audit_redactions SET sequence = ?, residue = ?, content_hash = ? WHERE sequence = ?')
    .run(emptied.sequence, residueOf(emptied), sha256(contentText(emptied)), taken.sequence)
  connection.close()
  expect(await verifyTenant(t.store, t.tenants.home.id)).toMatchObject({
    status: 'broken',
    firstBroken: { sequence: emptied.sequence, reason: expect.stringContaining('emptied') },
  })
})

test('the database refuses to empty events of records that were not erased, and verification detects it', async () => {
  const { t, operator, administrator, erase } = await setUp()
  const { id } = await createProspect(operator, { name: 'Erased' })
  const other = await createProspect(operator, { name: 'Not erased' })
  for (const one of [id, other.id]) {
    await addNoteTo(operator, one)
    await addEvidenceTo(operator, one)
  }
  const wanted = { source: 'prospects', format: 'csv', filter: [containing('karoo'), tagged('farm')] }
  await administrator.post<Export>('/exports', wanted, { 'idempotency-key': newId() })
  const question = { from: '2026-11-01', to: '2026-11-20', filter: { tag: 'farm' } }
  await administrator.post('/reports', question, { 'idempotency-key': newId() })
  await createProspect(operator, { name: 'Farm', tags: ['farm'] })
  await suggestedPair(t, administrator, 'Not erased')
  await erase(id)
  const connection = openConnection(join(t.store.dataDir, STORE_FILE), { busyTimeoutMs: 5_000 })
  const run = (text: string) => () => connection.prepare(text).run()
  const ofOther = `business_id = '${other.id}'`
  for (const text of [
    `UPDATE notes SET text = 'Erased.' WHERE ${ofOther}`,
    `UPDATE notes SET text = 'Another' WHERE business_id = '${id}'`,
    `UPDATE evidence SET observation = 'Erased.', source_label = 'Erased.' WHERE ${ofOther}`,
    `UPDATE evidence SET observed_on = '2026-11-20', observation = 'Erased.', source_label = 'Erased.' WHERE business_id = '${id}'`,
    `UPDATE audit_events SET before_json = NULL, after_json = NULL, reason = NULL WHERE ${ofOther}`,
    `UPDATE exports SET filter_json = '[]'`,
    `UPDATE exports SET filter_json = filter_json`,
    `UPDATE exports SET filter_json = json_set(filter_json, '$[1].values[0]', 'other')`,
    `UPDATE exports SET filter_json = json_remove(filter_json, '$[1]')`,
    `UPDATE reports SET filter_json = json_remove(filter_json, '$.tag')`,
    `UPDATE reports SET name = 'Another'`,
    `UPDATE match_snapshots SET words = '{"another": 2}'`,
    `DELETE FROM audit_redactions`,
    `DELETE FROM erasures`,
  ])
    expect(run(text), text).toThrow(/append-only/)
  const tenantId = t.tenants.home.id
  expect(await verifyTenant(t.store, tenantId)).toMatchObject({ status: 'intact' })
  // Acts as a person who can write to the file: drops a trigger and empties an event. No event of the chain records this.
  const { sequence } = connection
    .prepare<[], { sequence: number }>(`SELECT sequence FROM audit_events WHERE ${ofOther} ORDER BY sequence LIMIT 1`)
    .get() ?? { sequence: 0 }
  const event = connection.prepare<[], { event_id: string }>('SELECT event_id FROM audit_redactions LIMIT 1').get()
  connection.exec(`
    INSERT INTO audit_redactions VALUES ('${tenantId}', ${sequence}, '${event?.event_id}', 'forged', NULL);
    UPDATE audit_events SET before_json = NULL, after_json = NULL, reason = NULL, salt = NULL WHERE tenant_id = '${tenantId}' AND sequence = ${sequence}`)
  connection.close()
  const { status, firstBroken } = await verifyTenant(t.store, tenantId)
  expect([status, firstBroken?.reason]).toEqual(['broken', expect.stringContaining('emptied')])
})
