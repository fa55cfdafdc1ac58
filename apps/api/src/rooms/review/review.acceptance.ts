import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { untilThere } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 11,
    checks: [
      { name: 'a prospect is reviewed as it was opened, and the queue states its predicate', run: reviewOne },
      { name: 'a filter is saved, shared and applied, and its tile counts what it lists', run: saveAndCount },
      { name: 'a bulk action is previewed, confirmed, reported for each record and undone', run: actAndUndo },
    ],
  },
]

const key = () => ({ 'idempotency-key': randomUUID() })

async function reviewOne(world: World): Promise<string> {
  const { operator, neighbour } = world
  const id = await newProspect(world, {})
  const opening = expectStatus(await operator.post(`/businesses/${id}/review-openings`, {}), 200, 'an opening')
  const fingerprint = textAt(opening.body, 'fingerprint')
  const decision = { decision: 'verify', checkedFields: ['name'], fingerprint }
  expectStatus(await operator.post(`/businesses/${id}/reviews`, decision), 201, 'a review')
  expectRefusal(
    await operator.post(`/businesses/${id}/reviews`, decision),
    409,
    'review_outdated',
    'a second decision on the same sight',
  )
  const queue = expectStatus(await operator.get('/review-queue'), 200, 'the queue').body
  expectThat(
    listAt(queue, 'items').every((item) => find(item, 'id') !== id),
    'A reviewed prospect is still in the queue.',
  )
  const words = textAt(queue, 'predicate.words')
  expectRefusal(await neighbour.get(`/businesses/${id}/reviews`), 404, 'not_found', 'reviews for a neighbour')
  return `A second decision was refused; the queue says: ${words}`
}

async function saveAndCount(world: World): Promise<string> {
  const { operator, manager, neighbour } = world
  const tag = `Acceptance ${randomUUID()}`
  await newProspect(world, { tags: [tag] })
  const filter = [{ field: 'tag', op: 'any_of', values: [tag] }]
  const saved = await operator.post('/saved-filters', { desk: 'review', name: tag, filter, sharing: 'tenant' })
  const id = textAt(expectStatus(saved, 201, 'a saved filter').body, 'id')
  const list = expectStatus(await manager.get(`/review-queue?filterId=${id}`), 200, 'a shared filter').body
  const tile = expectStatus(await manager.get(`/dashboard/tiles/filter:${id}`), 200, 'a tile').body
  expectThat(
    find(tile, 'value') === 1 && find(list, 'page.total.value') === 1,
    'The tile and the list behind it do not count one prospect.',
  )
  expectRefusal(await neighbour.get(`/saved-filters/${id}`), 404, 'not_found', 'a filter for a neighbour')
  return 'The tile of a shared filter and its list count the same.'
}

async function actAndUndo(world: World): Promise<string> {
  const { operator, neighbour } = world
  const ids = [await newProspect(world, {}), await newProspect(world, {})]
  expectStatus(
    await operator.post(`/businesses/${ids[1]}/do-not-contact`, { reason: 'Acceptance.' }),
    200,
    'do not contact',
  )
  const bulk = await confirm(
    world,
    expectStatus(
      await operator.post('/bulk-reviews/previews', { action: 'verify', selection: { ids } }),
      201,
      'a preview',
    ).body,
  )
  const outcomes = listAt((await operator.get(`/bulk-reviews/${bulk}/outcomes`)).body, 'items')
  const seen = outcomes.map((one) => find(one, 'code') ?? find(one, 'outcome'))
  expectThat(
    seen.length === 2 && seen[0] === 'changed' && seen[1] === 'suppressed',
    `The outcomes are ${seen.join(', ')}.`,
  )
  const undo = expectStatus(await operator.post(`/bulk-reviews/${bulk}/undo-previews`), 201, 'the preview of an undo')
  await confirm(world, undo.body)
  const opening = await operator.post(`/businesses/${ids[0]}/review-openings`, {})
  expectThat(textAt(opening.body, 'reviewState.state') === 'unreviewed', 'The undone review is still there.')
  expectRefusal(await neighbour.get(`/bulk-reviews/${bulk}`), 404, 'not_found', 'a bulk action for a neighbour')
  return 'One of two records was verified, the do not contact one refused; the undo reopened the first.'
}

/** Confirms a preview and returns its bulk when it is done. */
async function confirm({ operator }: World, preview: unknown): Promise<string> {
  const body = {
    previewId: textAt(preview, 'id'),
    fingerprint: textAt(preview, 'fingerprint'),
    reason: 'Acceptance.',
  }
  const id = textAt(expectStatus(await operator.post('/bulk-reviews', body, key()), 202, 'a bulk action').body, 'id')
  const status = await untilThere(async () => {
    const now = textAt((await operator.get(`/bulk-reviews/${id}`)).body, 'status')
    return now === 'queued' || now === 'running' ? undefined : now
  })
  expectThat(status === 'done', `The bulk action ended as ${status}.`)
  return id
}
