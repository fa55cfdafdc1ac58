import { randomUUID } from 'node:crypto'
import {
  expectRefusal,
  expectStatus,
  expectThat,
  find,
  listAt,
  numberAt,
  textAt,
} from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { untilThere } from '../../acceptance/patience.ts'

export const gates: readonly Gate[] = [
  {
    phase: 11,
    checks: [
      { name: 'a prospect is reviewed as it was opened, and the queue states its predicate', run: reviewOne },
      {
        name: 'a filter is saved, shared, edited and deleted, and its tile and its list count by the same predicate',
        run: saveAndCount,
      },
      {
        name: 'a bulk action is previewed, confirmed once for two requests, reported for each record and undone',
        run: actAndUndo,
      },
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
  const words = textAt(list, 'predicate.words')
  expectThat(textAt(list, 'page.total.counts') === 'matching_set', 'The list does not name the set that it counts.')
  const path = `/saved-filters/${id}`
  const version = { 'if-match': '"1"' }
  const edit = {
    name: `Edited ${tag.slice(-12)}`,
    filter: [{ field: 'tag', op: 'any_of', values: [tag, 'acceptance-also'] }],
  }
  for (const refused of [
    await neighbour.get(path),
    await neighbour.patch(path, edit, version),
    await neighbour.send('DELETE', path),
    await neighbour.get(`/review-queue?filterId=${id}`),
  ])
    expectRefusal(refused, 404, 'not_found', 'a filter for a neighbour')
  const edited = expectStatus(await operator.patch(path, edit, version), 200, 'an edit of the filter').body
  expectThat(textAt(edited, 'name') === edit.name && numberAt(edited, 'version') === 2, 'The edit was not stored.')
  expectRefusal(await operator.patch(path, edit, version), 412, 'version_conflict', 'a stale edit of the filter')
  expectStatus(await operator.send('DELETE', path), 204, 'deleting the filter')
  expectRefusal(await manager.get(path), 404, 'not_found', 'the deleted filter')
  return `The tile of a shared filter and its list counted 1 by the same predicate (${words}); the filter was edited once and deleted.`
}

async function actAndUndo(world: World): Promise<string> {
  const { operator, neighbour } = world
  const ids = [await newProspect(world, {}), await newProspect(world, {}), await newProspect(world, {})]
  const suppress = async (id: string) =>
    expectStatus(await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'Acceptance.' }), 200, 'a block')
  await suppress(ids[2] ?? '')
  const asked = { action: 'verify', selection: { ids } }
  const preview = expectStatus(await operator.post('/bulk-reviews/previews', asked), 201, 'a preview').body
  expectThat(numberAt(preview, 'wouldChange') === 2, 'The preview does not count the two records that would change.')
  const foreign = await neighbour.post('/bulk-reviews/previews', asked)
  const found = foreign.status === 201 ? numberAt(foreign.body, 'wouldChange') : 0
  expectThat(found === 0, 'The preview of another workspace counts these records.')
  expectRefusal(
    await neighbour.get(`/bulk-reviews/previews/${textAt(preview, 'id')}`),
    404,
    'not_found',
    'a preview for a neighbour',
  )
  await suppress(ids[1] ?? '')
  const bulk = await confirm(world, preview)
  const outcomes = listAt((await operator.get(`/bulk-reviews/${bulk}/outcomes`)).body, 'items')
  const seen = outcomes.map((one) => find(one, 'code') ?? find(one, 'outcome'))
  expectThat(seen.join() === 'changed,changed_since_preview,suppressed', `The outcomes are ${seen.join(', ')}.`)
  const undo = expectStatus(await operator.post(`/bulk-reviews/${bulk}/undo-previews`), 201, 'the preview of an undo')
  await confirm(world, undo.body)
  const opening = await operator.post(`/businesses/${ids[0]}/review-openings`, {})
  expectThat(textAt(opening.body, 'reviewState.state') === 'unreviewed', 'The undone review is still there.')
  expectRefusal(await neighbour.get(`/bulk-reviews/${bulk}`), 404, 'not_found', 'a bulk action for a neighbour')
  return 'Two requests with one key made one bulk action; one of three records was verified, one suppressed before and one suppressed after the preview were refused; the undo reopened the first.'
}

/** Confirms a preview and returns its bulk when it is done. */
async function confirm({ operator }: World, preview: unknown): Promise<string> {
  const body = {
    previewId: textAt(preview, 'id'),
    fingerprint: textAt(preview, 'fingerprint'),
    reason: 'Acceptance.',
  }
  const headers = key()
  const id = textAt(expectStatus(await operator.post('/bulk-reviews', body, headers), 202, 'a bulk action').body, 'id')
  const again = expectStatus(await operator.post('/bulk-reviews', body, headers), 202, 'the same bulk action').body
  expectThat(textAt(again, 'id') === id, 'A replayed key made a second bulk action.')
  const status = await untilThere(async () => {
    const now = textAt((await operator.get(`/bulk-reviews/${id}`)).body, 'status')
    return now === 'queued' || now === 'running' ? undefined : now
  })
  expectThat(status === 'done', `The bulk action ended as ${status}.`)
  return id
}
