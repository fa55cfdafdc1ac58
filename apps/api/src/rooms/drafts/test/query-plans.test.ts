import { expect, test, vi } from 'vitest'
import { freshClient } from '../../../../test/asking.ts'
import type { ListPage } from '../../../../test/prospects.ts'
import { askedOf, findPlans, watchStatements } from '../../../../test/statement-plans.ts'
import { DAY_MS } from '../../../lib/clock.ts'
import {
  addClaim,
  approvedDraft,
  approvedPolicy,
  draftsWorld,
  follow,
  outcomeOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

/** Tables that stay small: 200 templates and 1,000 policies a workspace, one position a workspace. */
const bounded = /from "draft_(templates|policies)"/

test('no statement of the drafts room scans a whole table or tenant', async () => {
  const statements = watchStatements()
  const world = await draftsWorld()
  const { t, manager, operator, businessId, basisId } = world
  const page = async (path: string) => {
    const paged = `${path}${path.includes('?') ? '&' : '?'}limit=1`
    const { page: next } = await sent(manager.get<ListPage<unknown>>(paged))
    if (next.nextCursor !== null) await sent(manager.get(`${paged}&cursor=${next.nextCursor}`))
  }
  const template = { name: 'A', channel: 'email', purpose: 'answer', language: 'en', text: 'Hello.' }
  for (let count = 0; count < 2; count++) await sent(operator.post('/draft-templates', template))
  for (let count = 0; count < 2; count++) await writeDraft(world)
  const draft = await approvedDraft(world)
  expect(await outcomeOf(operator, draft)).toBe(201)
  await sent(operator.patch(`/drafts/${draft.id}`, { subject: 'Second' }, { 'if-match': '"1"' }))
  for (const path of [
    '/drafts',
    '/drafts?state=approved',
    '/drafts?mine=true',
    '/drafts?awaitingMyApproval=true',
    `/drafts?businessId=${businessId}`,
    `/drafts/${draft.id}/versions`,
    '/draft-approval-requests',
    '/draft-templates',
    '/draft-templates?channel=email',
    '/draft-policies?state=approved',
    `/businesses/${businessId}/legal-bases`,
  ])
    await page(path)
  await approvedDraft(world)
  await approvedPolicy(world)
  await addClaim(operator, businessId, 'name', 'Karoo Pumps')
  await follow(t)
  await sent(operator.post(`/businesses/${businessId}/legal-bases/${basisId}/withdrawal`, { reason: 'They called.' }))
  t.clock.advance(8 * DAY_MS)
  await follow(t)
  const erasing = await freshClient(t, 'administrator')
  await sent(erasing.post(`/businesses/${businessId}/erasure`, { reason: 'They asked.', suppress: false }))
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => /draft|legal_bas|store\.restore/.test(sql))
  expect(asked.length).toBeGreaterThan(60)
  expect(asked.some(({ sql }) => sql.includes('store.restore'))).toBe(true)
  const { walking } = findPlans(t.store, asked)
  expect(walking.filter(({ sql }) => !bounded.test(sql))).toEqual([])
})
