import { actorRef, type UserActor } from '../../lib/actor.ts'
import { AppError, requireNotAhead } from '../../lib/app-error.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { sequenceOfEvent } from '../../store/change/audit-chain.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { getNewestSequence } from '../audit/audit.ts'
import { type JobKinds, visibleKindNames } from '../jobs/jobs.ts'
import { type FeedRow, findEventAt, selectFeed, selectJobHeads } from './changes.queries.ts'
import { visibleItem } from './changes.rules.ts'
import { type ChangePage, FEED_DAYS, type FeedItem, type ListChanges } from './changes.schema.ts'

/**
 * Lists the changes of a workspace after a cursor, as far as the reader may see them. A cursor is the id of an audit event, which contains its
 * sequence: an event that another history has at this sequence has another id, so a restore is noticed. Errors: `cursor_ahead` (a restored workspace
 * does not have the event yet), `cursor_expired` (the change after the cursor is older than `FEED_DAYS`, or the event is not of this history).
 */
export async function listChanges(
  { store, kinds }: { store: Store; kinds: JobKinds },
  actor: UserActor,
  { after, limit }: ListChanges,
): Promise<ChangePage> {
  const { tenantId } = actor
  const db = store.backgroundOf(tenantId)
  const newest = await getNewestSequence(db, tenantId)
  if (after === undefined) {
    const last = await findEventAt(db, tenantId, newest)
    if (last === undefined) throw new Error('Every workspace has the event of its creation.')
    return { items: [], nextCursor: last.id, hasMore: false }
  }
  const sequence = sequenceOfEvent(after)
  requireNotAhead(sequence, newest)
  const event = await findEventAt(db, tenantId, sequence)
  if (event?.id !== after)
    throw startOver(
      'This cursor is not of the history of this workspace, for example because it was restored from a backup.',
    )
  const rows = await selectFeed(db, { tenantId, after: sequence, limit })
  const [first] = rows
  if (first !== undefined && store.clock().getTime() - Date.parse(first.at) > FEED_DAYS * DAY_MS)
    throw startOver(`The changes after this cursor are older than ${FEED_DAYS} days.`)
  const last = rows.at(-1)
  return {
    items: await itemsOf(db, rows, { actor, kinds }),
    nextCursor: last?.eventId ?? after,
    hasMore: last !== undefined && last.sequence < newest,
  }
}

async function itemsOf(
  db: Db,
  rows: readonly FeedRow[],
  { actor, kinds }: { actor: UserActor; kinds: JobKinds },
): Promise<FeedItem[]> {
  const jobIds = new Set(rows.flatMap(({ kind, id }) => (kind === 'job' ? [id] : [])))
  const heads = jobIds.size === 0 ? [] : await selectJobHeads(db, actor.tenantId, [...jobIds])
  const jobs = new Map(heads.map((head) => [head.id, head]))
  const reader = { permissions: actor.permissions, jobKinds: new Set(visibleKindNames(kinds, actor)) }
  return rows.flatMap((row) => {
    const item = visibleItem(row, jobs, reader)
    return item === undefined ? [] : [{ cursor: row.eventId, ...item, ...authorOf(row) }]
  })
}

function authorOf({ at, actor, actorName, tokenId, tokenName }: FeedRow): Pick<FeedItem, 'at' | 'actor' | 'token'> {
  const token = tokenId === null ? null : { id: tokenId, name: tokenName ?? tokenId }
  return { at, actor: actorRef(actor, actorName), token }
}

function startOver(because: string): AppError {
  return new AppError(
    'cursor_expired',
    `${because} Start over: get a new cursor without \`after\`, then read the lists that you copy.`,
  )
}
