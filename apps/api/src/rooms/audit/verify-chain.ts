import { createPublicKey } from 'node:crypto'
import type { Kysely } from 'kysely'
import { invalidField } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { auditEventHash, CHAIN_START } from '../../store/change/audit-chain.ts'
import type { Database } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { getNewestSequence } from './audit.queries.ts'
import type { AuditVerification } from './audit.schema.ts'
import { checkpointFile } from './checkpoint-file.ts'
import { type CheckpointSource, verifyCheckpoints } from './verify-checkpoints.ts'
import { createRedactionCheck, type EventWithRedaction, type Redaction } from './verify-redactions.ts'

/** The most that one request checks: about a second of work, spread over the event loop. */
const EVENTS_PER_REQUEST = 100_000
const EVENTS_PER_QUERY = 128

export type Broken = { sequence: number; reason: string }

/** What the route answers: a bounded part of the chain and the checkpoints within it. */
export function verifyNextEvents(store: Store, tenantId: string, after: number): Promise<AuditVerification> {
  return verifyChain({ ...sources(store), tenantId, after, limit: EVENTS_PER_REQUEST })
}

/** A part of the chain of any size, for whoever goes on by themselves. */
export function verifyEventsAfter(
  store: Store,
  tenantId: string,
  { after, limit }: { after: number; limit: number },
): Promise<AuditVerification> {
  return verifyChain({ ...sources(store), tenantId, after, limit })
}

/** The whole chain of a tenant and all its checkpoints, however long it takes. For the command line. */
export function verifyTenant(store: Store, tenantId: string): Promise<AuditVerification> {
  return verifyChain({ ...sources(store), tenantId, after: 0, limit: Number.POSITIVE_INFINITY })
}

function sources(store: Store) {
  const checkpoints = { file: checkpointFile(store.dataDir), publicKey: createPublicKey(store.keys.auditSigning) }
  return { db: store.background, checkpoints, clock: store.clock }
}

type VerifyOptions = {
  db: Kysely<Database>
  tenantId: string
  after: number
  limit: number
  checkpoints: CheckpointSource
  clock: Clock
}

/**
 * Walks the chain in order from the event after `after` (whose own hash is taken as it stands): no sequence may be missing,
 * each event must give its hash and hold the hash of the one before. Then every checkpoint of that stretch must be signed and
 * name an event that is there with that hash. Stops at the first event that is broken. Throws `invalid_request` when `after`
 * lies past the end.
 */
export async function verifyChain({
  db,
  tenantId,
  after,
  limit,
  checkpoints,
  clock,
}: VerifyOptions): Promise<AuditVerification> {
  const newest = await getNewestSequence(db, tenantId)
  if (after > newest) {
    throw invalidField('after', 'too_big', `There are only ${newest} events.`)
  }
  const end = Math.min(newest, after + limit)
  const chain = await verifyEvents(db, tenantId, after, end)
  const isLast = end === newest
  const signed = await verifyCheckpoints({
    db,
    tenantId,
    after,
    upTo: isLast ? Number.POSITIVE_INFINITY : end,
    ...checkpoints,
  })
  const firstBroken = earliest(chain.broken, signed.broken)
  return {
    status: firstBroken !== null ? 'broken' : isLast ? 'intact' : 'partial',
    checkedEvents: chain.checked,
    fromSequence: chain.checked === 0 ? after : after + 1,
    toSequence: after + chain.checked,
    nextAfter: firstBroken === null && !isLast ? end : null,
    firstBroken,
    checkpoints: { checked: signed.checked, latest: signed.latest },
    verifiedAt: clock().toISOString(),
  }
}

async function verifyEvents(
  db: Kysely<Database>,
  tenantId: string,
  after: number,
  end: number,
): Promise<{ checked: number; broken: Broken | null }> {
  const breathe = createBreather()
  const redactionOf = createRedactionCheck(db, tenantId)
  let previous = { sequence: after, hash: CHAIN_START }
  if (after > 0) {
    const anchor = await eventsBetween(db, tenantId, after - 1, after)
    if (anchor[0] === undefined) return { checked: 0, broken: missing(after) }
    previous = anchor[0]
  }
  let checked = 0
  while (previous.sequence < end) {
    const page = await eventsBetween(db, tenantId, previous.sequence, end)
    if (page.length === 0) return { checked, broken: missing(previous.sequence + 1) }
    for (const event of page) {
      const broken = brokenLink(previous, event, await redactionOf(event))
      if (broken !== undefined) return { checked, broken }
      checked += 1
      previous = event
      await breathe()
    }
  }
  return { checked, broken: null }
}

/** `redacted`: whether an event whose content was erased is what the erasure left of it; undefined for one that holds its own. */
function brokenLink(
  previous: { sequence: number; hash: string },
  event: EventWithRedaction,
  redacted: Redaction | undefined,
): Broken | undefined {
  const { sequence } = event
  if (sequence !== previous.sequence + 1) return missing(previous.sequence + 1)
  if (event.previous_hash !== previous.hash)
    return { sequence, reason: `Event ${sequence} does not follow event ${previous.sequence} as it now is.` }
  if (redacted === 'as stated') return undefined
  if (redacted === 'otherwise')
    return { sequence, reason: `Event ${sequence} was emptied, and no erasure of the history says so.` }
  if (event.hash !== auditEventHash(event))
    return { sequence, reason: `Event ${sequence} was altered: its content does not give its hash.` }
  return undefined
}

function missing(sequence: number): Broken {
  return { sequence, reason: `Event ${sequence} is missing.` }
}

/** In one statement: of an erasure that commits meanwhile either all is seen or nothing. */
function eventsBetween(
  db: Kysely<Database>,
  tenantId: string,
  after: number,
  end: number,
): Promise<EventWithRedaction[]> {
  return db
    .selectFrom('audit_events as e')
    .leftJoin('audit_redactions as x', (join) =>
      join.onRef('x.tenant_id', '=', 'e.tenant_id').onRef('x.sequence', '=', 'e.sequence'),
    )
    .selectAll('e')
    .select(['x.event_id as redacted_by', 'x.residue'])
    .where('e.tenant_id', '=', tenantId)
    .where('e.sequence', '>', after)
    .where('e.sequence', '<=', end)
    .orderBy('e.sequence')
    .limit(EVENTS_PER_QUERY)
    .execute()
}

/** A broken event comes before damage of the file of checkpoints, which is no event and has sequence 0. */
function earliest(...found: (Broken | null)[]): Broken | null {
  const broken = found.filter((one) => one !== null)
  const rank = ({ sequence }: Broken) => (sequence === 0 ? Number.POSITIVE_INFINITY : sequence)
  return broken.sort((a, b) => rank(a) - rank(b))[0] ?? null
}
