import { expect, test } from 'vitest'
import type { TestClient } from '../../../../test/build-app.ts'
import { askMerge, askReversal, merged, suggestedPair, suggestionOfPair } from '../../../../test/merging.ts'
import { createProspect, moveTo } from '../../../../test/prospects.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import type { AuditEvent } from '../../audit/audit.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Suggestion } from '../../matching/matching.schema.ts'
import { followChanges } from '../../matching/suggestions/matching-follower.ts'

/*
 * Tests that the reasons of a do-not-contact record are hidden like notes. Reasons are free text, which can contain an address or number that a role
 * may not see (docs/decisions/free-text-is-withheld-whole.md).
 */

const secret = 'Ask jan@karoo.co.za or 082 123 4567.'
const told = /jan@karoo|082 123 4567/

async function world() {
  const made = await suppressionWorld()
  const { t, operator, administrator } = made
  const block = (id: string, reason = secret) => operator.post(`/businesses/${id}/do-not-contact`, { reason })
  const lift = (id: string, reason = secret) =>
    administrator.post(`/businesses/${id}/do-not-contact-removal`, { reason })
  const merge = async (suggestion: Suggestion, survivor: string) =>
    (await merged(askMerge(administrator, suggestion, survivor, { reason: secret }))).id
  const reverse = async (id: string) =>
    expect((await askReversal(administrator, id, undefined, secret)).status).toBe(200)
  const reject = (id: string, reason = secret) => operator.post(`/match-suggestions/${id}/rejection`, { reason })
  const pair = (name: string) => suggestedPair(t, operator, name)
  return { ...made, block, lift, merge, reverse, reject, pair }
}

async function answersOf(client: TestClient, paths: readonly string[]): Promise<[path: string, text: string][]> {
  const answers: [string, string][] = []
  for (const path of paths) {
    const { status, body } = await client.get(path)
    expect([path, status]).toEqual([path, 200])
    answers.push([path, JSON.stringify(body)])
  }
  return answers
}

/** Requires that the viewer gets no part of the text, and that roles which may see contact values get all of it. */
async function expectWithheld(
  { viewer, operator }: { viewer: TestClient; operator: TestClient },
  paths: readonly string[],
): Promise<void> {
  for (const [path, text] of await answersOf(operator, paths))
    expect([path, text]).toEqual([path, expect.stringMatching(told)])
  for (const [path, text] of await answersOf(viewer, paths)) {
    expect([path, told.exec(text)?.[0]]).toEqual([path, undefined])
    expect([path, text]).toEqual([path, expect.stringContaining('•••')])
  }
}

test('reasons of blocks, moves, merges, reversals, rejections and removals are withheld from readers without contact values; the mark stays', async () => {
  const all = await world()
  const { viewer, operator, block, lift, merge, reverse, reject, pair } = all
  const rejected = await pair('Rejected traders')
  await reject(rejected.suggestion.id)
  const reversed = await pair('Reversed traders')
  const reversedId = await merge(reversed.suggestion, reversed.a)
  await reverse(reversedId)
  const joined = await pair('Joined traders')
  const joinedId = await merge(joined.suggestion, joined.a)
  const { id } = await createProspect(operator)
  await moveTo(operator, id, 'contacted', secret)
  await block(id)
  await lift(id)
  const open = [`/businesses/${id}/activity`, `/businesses/${id}/pipeline-transitions`, `/merges/${joinedId}`]
  // No record is blocked yet, so the viewer gets the text.
  for (const [path, text] of await answersOf(viewer, open))
    expect([path, text]).toEqual([path, expect.stringMatching(told)])
  for (const blocked of [id, rejected.a, reversed.b, joined.a]) await block(blocked)
  await expectWithheld(all, [
    ...open,
    `/businesses/${id}`,
    `/businesses/${rejected.a}`,
    `/businesses/${joined.b}/activity`,
    `/businesses/${reversed.a}/activity`,
    `/match-suggestions/${rejected.suggestion.id}`,
    `/match-suggestions/${joined.suggestion.id}`,
    `/merges/${reversedId}`,
    '/merges',
  ])
  const { body } = await viewer.get<Business>(`/businesses/${id}`)
  expect(body).toMatchObject({ valuesHidden: true, doNotContact: { reason: '•••', through: 'hand' } })
})

test('a reason about two records is withheld with either, also when the other one was freed', async () => {
  const all = await world()
  const { viewer, operator, block, lift, merge, pair } = all
  const { a, b } = await pair('Freed traders')
  await block(b)
  const mergeId = await merge(await suggestionOfPair(operator, a, b), a)
  await lift(a, 'They came back.')
  await moveTo(operator, a, 'contacted', 'A word of its own.')
  expect((await viewer.get<Business>(`/businesses/${a}`)).body.doNotContact).toBeNull()
  const { body } = await viewer.get<{ items: AuditEvent[] }>(`/businesses/${a}/activity?limit=200`)
  const own = body.items.filter(({ businessId }) => businessId === a)
  expect(own.map(({ action, reason }) => [action, reason])).toEqual([
    ['pipeline.move', 'A word of its own.'],
    ['business.unblock', 'They came back.'],
    ['matching.merge', '•••'],
    ['business.block', '•••'],
    ['matching.check', null],
    ['business.create', null],
  ])
  expect(own.find(({ action }) => action === 'business.unblock')?.before).toEqual({ doNotContact: true, reason: '•••' })
  await expectWithheld(all, [`/merges/${mergeId}`, `/merges?businessId=${a}`, `/businesses/${a}/activity?limit=200`])
})

test('a pair that is suggested again withholds the last rejection if it was of a do-not-contact record', async () => {
  const all = await world()
  const { t, viewer, operator, block, lift, merge, reject } = all
  const shop = (email: string) => createProspect(operator, { name: 'Anew traders', emails: [{ value: email }] })
  const [first, other] = [await shop('desk@anew.co.za'), await shop('desk@anew.co.za')]
  await followChanges(t.store)
  await reject((await suggestionOfPair(operator, first.id, other.id)).id)
  await block(first.id)
  const survivor = await shop('desk@anew.co.za')
  await followChanges(t.store)
  await merge(await suggestionOfPair(operator, survivor.id, first.id), survivor.id)
  await lift(survivor.id)
  await followChanges(t.store)
  const { id, renews } = await suggestionOfPair(operator, survivor.id, other.id)
  expect(renews?.reason).toBe(secret)
  const { body } = await viewer.get<Suggestion>(`/match-suggestions/${id}`)
  expect(body.businesses.map(({ doNotContact }) => doNotContact)).toEqual([null, null])
  expect(body.renews).toMatchObject({ id: renews?.id, reason: '•••' })
})
