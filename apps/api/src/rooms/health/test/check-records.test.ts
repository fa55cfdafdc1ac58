import { describe, expect, test, vi } from 'vitest'
import { editBehind, integrityOf } from '../../../../test/integrity.ts'
import { askMerge, askReversal, merged, suggestedPair } from '../../../../test/merging.ts'
import { addEvidenceTo, createProspect } from '../../../../test/prospects.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { turnsDuring } from '../../../../test/turns.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'
import { deleteEvaluation } from '../../suppression/reevaluation/evaluation.queries.ts'
import { markEvaluatedWhenEmpty } from '../../suppression/suppression.ts'

const reason = { reason: 'They asked.' }

/** Creates a tenant with records marked by every possible cause, and with merged, lifted, removed and erased records. */
async function setUp() {
  const world = await suppressionWorld()
  const { t, operator, administrator, suppress, remove, emailed } = world
  const { dataDir } = t.store
  const tenantId = t.tenants.home.id
  await markEvaluatedWhenEmpty(t.store, tenantId)
  const block = async (id: string) =>
    expect((await operator.post(`/businesses/${id}/do-not-contact`, reason)).status).toBe(200)
  const lift = async (id: string) =>
    expect((await administrator.post(`/businesses/${id}/do-not-contact-removal`, reason)).status).toBe(200)
  const held = (await emailed('jan@karoo.co.za')).id
  const { suppression } = (await suppress('jan@karoo.co.za')).body
  const both = (await emailed('JAN@karoo.co.za')).id
  await block(both)
  const byHand = (await emailed('piet@karoo.co.za')).id
  await block(byHand)
  const lifted = (await emailed('anna@karoo.co.za')).id
  await block(lifted)
  await lift(lifted)
  const ended = (await suppress('gone@karoo.co.za')).body.suppression
  const free = (await emailed('gone@karoo.co.za')).id
  await remove(ended.id)
  const erased = (await emailed('erased@karoo.co.za')).id
  await block(erased)
  expect((await administrator.post(`/businesses/${erased}/erasure`, reason)).status).toBe(200)
  await suppress('desk@fynbos.co.za')
  const { suggestion, a, b } = await suggestedPair(t, administrator, 'Fynbos', [{ tags: ['Farm'] }])
  await merged(askMerge(administrator, suggestion, a))
  const integrity = () => integrityOf(dataDir, tenantId)
  const edit = (statement: string, options?: { withoutTriggers: boolean }) => editBehind(dataDir, statement, options)
  const ids = {
    held,
    both,
    byHand,
    lifted,
    free,
    erased,
    survivor: a,
    loser: b,
    entry: suppression.id,
    ended: ended.id,
  }
  return { ...world, dataDir, tenantId, block, integrity, edit, ids }
}

test('records without edits outside the product agree with suppressions, events and counts', async () => {
  const { integrity, dataDir, tenantId, t, administrator } = await setUp()
  expect(await integrity()).toEqual({ tenantId, records: 8, comparesValues: true, disagreements: 0, first: null })
  const { suggestion, a } = await suggestedPair(t, administrator, 'Protea')
  const { id } = await merged(askMerge(administrator, suggestion, a))
  expect((await askReversal(administrator, id)).status).toBe(200)
  await followChanges(t.store)
  expect(await integrity()).toMatchObject({ disagreements: 0, first: null })
  expect(await integrityOf(dataDir, t.tenants.other.id)).toMatchObject({ records: 0, disagreements: 0 })
})

test('22 blocked records that SQL unblocked are found, and the first is named', async () => {
  const { dataDir, tenantId, operator, block, integrity } = await setUp()
  const ids: string[] = []
  for (let n = 0; n < 22; n++) {
    const { id } = await createProspect(operator, { name: `Prospect ${n}` })
    await block(id)
    ids.push(id)
  }
  const list = ids.map((id) => `'${id}'`).join(', ')
  expect(editBehind(dataDir, `UPDATE businesses SET do_not_contact = 0 WHERE id IN (${list})`)).toBe(22)
  expect(await integrity()).toMatchObject({
    tenantId,
    disagreements: 22,
    first: expect.stringMatching(
      new RegExp(`^Record ${ids[0]} is not blocked by hand, but event \\d+ of .* \\(business.block\\) blocked it`),
    ),
  })
})

const mark = (columns: string) => `UPDATE businesses SET ${columns} WHERE id = `

describe.each<[what: string, edit: (ids: Ids) => string, first: (ids: Ids) => string]>([
  [
    'unblocked',
    ({ byHand }) => `${mark('do_not_contact = 0')}'${byHand}'`,
    ({ byHand }) => `Record ${byHand} is not blocked by hand`,
  ],
  [
    'no longer blocked by hand beside an entry',
    ({ both }) => `${mark(`blocked_through = 'suppression'`)}'${both}'`,
    ({ both }) => `Record ${both} is not blocked by hand`,
  ],
  [
    'without a mark although an entry matches it',
    ({ held }) => `${mark('do_not_contact = 0')}'${held}'`,
    ({ held, entry }) => `Record ${held} is not do not contact, but suppression entry ${entry} matches it.`,
  ],
  [
    'blocked without an event',
    ({ free }) =>
      `${mark(`do_not_contact = 1, blocked_through = 'hand', blocked_at = 'x', blocked_by = 'x', blocked_reason = 'x'`)}'${free}'`,
    ({ free }) => `Record ${free} is do not contact by hand, but no event blocked it.`,
  ],
  [
    'blocked again after the block was lifted',
    ({ lifted }) =>
      `${mark(`do_not_contact = 1, blocked_through = 'hand', blocked_at = 'x', blocked_by = 'x', blocked_reason = 'x'`)}'${lifted}'`,
    ({ lifted }) => `Record ${lifted} is do not contact by hand, but event`,
  ],
  [
    'marked by a suppression that does not exist',
    ({ free }) =>
      `${mark(`do_not_contact = 1, blocked_through = 'suppression', blocked_at = 'x', blocked_by = 'x', blocked_reason = 'x'`)}'${free}'`,
    ({ free }) => `Record ${free} is do not contact by suppression, but no active entry matches it.`,
  ],
  [
    'an entry ended without an event',
    ({ entry }) =>
      `UPDATE suppressions SET status = 'removed', ended_at = 'x', ended_by = 'x', ended_reason = 'x' WHERE id = '${entry}'`,
    ({ entry }) => `Suppression entry ${entry} was removed, but no event removed it.`,
  ],
  [
    'an entry active again without an event',
    ({ ended }) =>
      `UPDATE suppressions SET status = 'active', ended_at = NULL, ended_by = NULL, ended_reason = NULL WHERE id = '${ended}'`,
    ({ ended }) => `Suppression entry ${ended} is active, but event`,
  ],
  [
    'a missing entry',
    ({ ended }) => `DELETE FROM suppressions WHERE id = '${ended}'`,
    ({ ended }) => `Suppression entry ${ended} is missing, which event`,
  ],
  [
    'an inactive key of an active entry',
    ({ entry }) => `UPDATE suppression_keys SET live = 0 WHERE suppression_id = '${entry}'`,
    ({ entry }) => `Suppression entry ${entry} is active, but one of its keys is not active.`,
  ],
  [
    'an inactive match of an active entry',
    ({ entry, held }) =>
      `UPDATE suppression_matches SET live = 0 WHERE suppression_id = '${entry}' AND business_id = '${held}'`,
    ({ held }) => `Record ${held} is do not contact by suppression, but no active entry matches it.`,
  ],
  [
    'a match that the survivor of a merge lost',
    ({ survivor }) => `DELETE FROM suppression_matches WHERE business_id = '${survivor}'`,
    ({ survivor }) => `Record ${survivor} is do not contact by suppression, but no active entry matches it.`,
  ],
  [
    'a missing record',
    ({ free }) => `DELETE FROM businesses WHERE id = '${free}'`,
    ({ free }) => `Record ${free} is missing, which event`,
  ],
  [
    'a count of the lists',
    () => `UPDATE business_counts SET count = count + 1 WHERE pipeline_state = 'new' AND do_not_contact = 0`,
    () =>
      'The stored count of active records in state new (province none, assignee none, do not contact 0, evidence 0) is',
  ],
  [
    'a count of a tag',
    () => `UPDATE business_tag_counts SET count = 7`,
    ({ survivor }) => `The stored count of active records with a tag of record ${survivor} is 7, but there are 1.`,
  ],
  [
    'a count of evidence',
    ({ survivor }) => `UPDATE businesses SET evidence_count = 2 WHERE id = '${survivor}'`,
    ({ survivor }) => `The stored count of evidence of record ${survivor} is 2, but there are 0.`,
  ],
  [
    'a count of suggestions',
    () => `DELETE FROM match_suggestion_counts WHERE status = 'merged'`,
    () => 'The stored count of suggestions of duplicates (merged, strong) is 0, but there are 1.',
  ],
])('edited outside the product: %s', (_what, statement, first) => {
  test('is found and named', async () => {
    const { ids, edit, integrity } = await setUp()
    expect(edit(statement(ids), { withoutTriggers: true })).toBeGreaterThan(0)
    const checked = await integrity()
    expect(checked.first).toContain(first(ids))
    expect(checked.disagreements).toBeGreaterThan(0)
  })
})

type Ids = Awaited<ReturnType<typeof setUp>>['ids']

test.each(['its own value', 'a value of its evidence'])(
  'a record that lost its mark together with its match is found by %s',
  async (by) => {
    const { ids, operator, integrity, edit, suppress } = await setUp()
    const claimed = await createProspect(operator, { name: 'Claimed' })
    const phone = '+27 21 555 0199'
    await addEvidenceTo(operator, claimed.id, { observation: undefined, field: 'phone', value: phone })
    const entry = (await suppress(phone, { kind: 'phone' })).body.suppression
    expect(await integrity()).toMatchObject({ disagreements: 0 })
    const [id, entryId] = by === 'its own value' ? [ids.held, ids.entry] : [claimed.id, entry.id]
    edit(`DELETE FROM suppression_matches WHERE business_id = '${id}'`, { withoutTriggers: true })
    edit(`UPDATE businesses SET do_not_contact = 0, blocked_through = 'hand' WHERE id = '${id}'`)
    expect(await integrity()).toMatchObject({
      disagreements: 1,
      first: `Record ${id} has a value that suppression entry ${entryId} forbids, but the entry does not match it.`,
    })
  },
)

test('values are not compared while the suppressions await an evaluation by new rules', async () => {
  const { t, ids, tenantId, integrity, edit } = await setUp()
  edit(`DELETE FROM suppression_matches WHERE business_id = '${ids.held}'`, { withoutTriggers: true })
  edit(`UPDATE businesses SET do_not_contact = 0 WHERE id = '${ids.held}'`, { withoutTriggers: true })
  await t.store.write('upkeep', async (db) => {
    await deleteEvaluation(db, tenantId)
    return { keep: true, value: undefined }
  })
  expect(await integrity()).toMatchObject({ comparesValues: false })
})

test('a check changes nothing, names no contact value, and does not block the event loop', async () => {
  const { t, ids, edit, integrity } = await setUp()
  for (const id of [ids.held, ids.both, ids.byHand])
    edit(`UPDATE businesses SET do_not_contact = 0 WHERE id = '${id}'`, { withoutTriggers: true })
  const changes = await t.changes(async () => {
    expect((await integrity()).first).not.toMatch(/@|karoo/i)
  })
  expect(changes).toEqual({})
  expect(await turnsDuring(integrity)).toBeGreaterThan(3)
})

test('no statement stores or sorts more than a page of records', async () => {
  const { t, integrity } = await setUp()
  const statements = watchStatements()
  await integrity()
  vi.restoreAllMocks()
  const { sorting } = findPlans(t.store, askedOf(statements))
  expect(statements.size).toBeGreaterThan(10)
  // These statements may sort: they sort one page of records, or the records that the statement was given.
  expect(sorting.filter(({ sql }) => !/FROM page|json_each/.test(sql))).toEqual([])
})
