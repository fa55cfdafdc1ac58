import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { addEvidenceTo, createProspect, type ListPage, type Problem } from '../../../../test/prospects.ts'
import type { BusinessSummary, RemovedFilterValue } from '../prospect-list.schema.ts'

async function world() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { home, other } = t.tenants
  const listed = async (conditions: object[]) => {
    const query = `conditions=${encodeURIComponent(JSON.stringify(conditions))}`
    const { body } = await operator.get<ListPage<BusinessSummary>>(`/businesses?${query}`)
    const answer = await operator.get<{ removed: RemovedFilterValue[] }>(`/businesses/removed-filter-values?${query}`)
    return { names: body.items.map(({ name }) => name).toSorted(), removed: answer.body.removed }
  }
  return { t, operator, home, other, listed }
}

test('a tag that was taken off its last record is removed; one that another record has is not', async () => {
  const { operator, listed } = await world()
  const { id } = await createProspect(operator, { name: 'A', tags: ['Solar', 'Wind'] })
  await createProspect(operator, { name: 'B', tags: ['Wind'] })
  const asked = (values: string[], op = 'any_of') => [{ field: 'tag', op, values }]
  expect(await listed(asked(['solar']))).toEqual({ names: ['A'], removed: [] })

  // A tag is renamed by replacing it.
  await operator.patch(`/businesses/${id}`, { tags: ['Solar power'] }, { 'if-match': '"1"' })
  const gone = { field: 'tag', value: 'solar', name: null }
  const nothing = { ...gone, effect: 'matches_nothing' }
  expect(await listed(asked(['solar']))).toEqual({ names: [], removed: [nothing] })
  expect(await listed(asked(['solar', 'wind'], 'none_of'))).toEqual({ names: [], removed: [nothing] })
  expect(await listed(asked(['solar', 'wind']))).toEqual({ names: ['B'], removed: [{ ...gone, effect: 'ignored' }] })
})

test('a deactivated member is named and matches what is still assigned to them; a person of another workspace matches nothing', async () => {
  const { t, operator, home, other, listed } = await world()
  const { manager, viewer } = home.users
  await createProspect(operator, { name: 'Theirs', assigneeId: manager.id })
  await createProspect(operator, { name: 'Own', assigneeId: viewer.id })
  await t.store.write({ tenantId: home.id }, async (db) => {
    await db.updateTable('memberships').set({ status: 'disabled' }).where('user_id', '=', manager.id).execute()
    return { keep: true, value: undefined }
  })
  const asked = (...values: string[]) => [{ field: 'assignee', op: 'any_of', values }]
  const former = { field: 'assignee', value: manager.id, name: manager.name, effect: 'still_matches' }
  expect(await listed(asked(manager.id))).toEqual({ names: ['Theirs'], removed: [former] })
  const all = await operator.get<ListPage<{ name: string }>>(`/businesses?assignee=${manager.id}`)
  expect(all.body.items.map(({ name }) => name)).toEqual(['Theirs'])
  const without = [{ field: 'assignee', op: 'none_of', values: [manager.id] }]
  expect(await listed(without)).toEqual({ names: ['Own'], removed: [former] })
  const stranger = other.users.manager.id
  const unknown = { field: 'assignee', value: stranger, name: null, effect: 'matches_nothing' }
  expect(await listed(asked(stranger))).toEqual({ names: [], removed: [unknown] })
  expect(await listed(asked(viewer.id, stranger))).toEqual({
    names: ['Own'],
    removed: [{ field: 'assignee', value: stranger, name: null, effect: 'ignored' }],
  })
  expect((await listed(asked('me', viewer.id))).removed).toEqual([])
})

test('a source label that no evidence has matches nothing, and excludes nothing', async () => {
  const { operator, listed } = await world()
  const { id } = await createProspect(operator, { name: 'A' })
  await addEvidenceTo(operator, id, { sourceLabel: 'Fair 2026' })
  const asked = (op: string, ...values: string[]) => [{ field: 'sourceLabel', op, values }]
  const gone = { field: 'sourceLabel', value: 'Fair 2019', name: null }
  expect(await listed(asked('any_of', 'fair 2026'))).toEqual({ names: ['A'], removed: [] })
  expect(await listed(asked('any_of', 'Fair 2019'))).toEqual({
    names: [],
    removed: [{ ...gone, effect: 'matches_nothing' }],
  })
  const ignored = { ...gone, effect: 'ignored' }
  expect(await listed(asked('any_of', 'Fair 2026', 'Fair 2019'))).toEqual({ names: ['A'], removed: [ignored] })
  expect(await listed(asked('none_of', 'Fair 2019'))).toEqual({ names: ['A'], removed: [ignored] })
  expect((await listed(asked('contains', '2019'))).removed).toEqual([])
})

test('conditions that cannot be read are rejected', async () => {
  const { operator } = await world()
  const { status, body } = await operator.get<Problem>('/businesses/removed-filter-values?conditions=x')
  expect([status, body.code]).toEqual([400, 'invalid_request'])
})
