import { createPublicKey } from 'node:crypto'
import type { Kysely } from 'kysely'
import { requireNotAhead } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { auditEventHash, CHAIN_START } from '../../store/change/audit-chain.ts'
import type { Database } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { getNewestSequence } from './audit.queries.ts'
import type { AuditVerification } from './audit.schema.ts'
import { checkpointFile } from './checkpoints/checkpoint-file.ts'
import { readCoverage } from './checkpoints/coverage.queries.ts'
import { recordedSequence } from './checkpoints/recorded-checkpoints.queries.ts'
import { type Broken, type CheckpointOutcome, verifyCheckpoints } from './checkpoints/verify-checkpoints.ts'
import { type ChainCopy, unlikeCopy } from './compare-with-copy.ts'
import { eventsBetween } from './events-between.ts'
import { unlikeHeads } from './heads/compare-with-heads.ts'
import type { Head } from './heads/head.ts'
import { unprovenBecause } from './proof.rules.ts'
import { createRedactionCheck, type EventWithRedaction, type Redaction } from './verify-redactions.ts'

/** Maximum number of events that one request verifies. They take about a second, during which the event loop serves other requests too. */
const EVENTS_PER_REQUEST = 100_000

/** Verifies the next part of the chain for a request. With the last part it also verifies all checkpoints. */
export function verifyNextEvents(store: Store, tenantId: string, after: number): Promise<AuditVerification> {
  return verifyEventsAfter(store, tenantId, { after, limit: EVENTS_PER_REQUEST })
}

/**
 * Verifies a part of the chain in the serving process. Reads the events in order, from the one after `after`, whose own hash is trusted. No sequence
 * may be missing. Each event must match its hash and contain the hash of the previous event. Verification stops at the first broken event. With the
 * last part, every checkpoint of the tenant must be signed and match an existing event, and the checkpoints must cover recent events. Errors:
 * `cursor_ahead` (`after` is greater than the last sequence).
 */
export async function verifyEventsAfter(
  store: Store,
  tenantId: string,
  { after, limit }: { after: number; limit: number },
): Promise<AuditVerification> {
  const db = store.backgroundOf(tenantId)
  const { checkpoints, clock } = sources(store)
  const newest = await getNewestSequence(db, tenantId)
  requireNotAhead(after, newest)
  const end = Math.min(newest, after + limit)
  const chain = { after, ...(await verifyEvents(db, tenantId, after, end)) }
  if (end < newest) {
    const status = chain.broken === null ? 'partial' : 'broken'
    const nextAfter = chain.broken === null ? end : null
    return { ...whatWasChecked(chain, clock), status, nextAfter, firstBroken: chain.broken }
  }
  const recordedTo = await recordedSequence(db, tenantId)
  const outcome = (await verifyCheckpoints({ db, tenantIds: [tenantId], ...checkpoints })).get(tenantId)
  if (outcome === undefined) throw new Error('The checkpoints of a tenant were not verified.')
  return conclude({ db, tenantId, chain, outcome, recordedTo, unlike: null, now: clock(), clock })
}

/** Verifies the whole chain of one tenant with its checkpoints. No server needs to run. */
export async function verifyTenant(store: Store, tenantId: string): Promise<AuditVerification> {
  const [verified] = await verifyTenants(store, [tenantId])
  if (verified === undefined) throw new Error('The verification of a tenant has no result.')
  return verified.verification
}

type VerifyOptions = { isServed?: boolean; copy?: ChainCopy | null; heads?: readonly Head[] }
export type VerifiedTenant = { tenantId: string; verification: AuditVerification }

/**
 * Verifies the whole chains of these tenants and then the checkpoint file, once for all of them. `isServed`: true if a signing server runs; the age
 * of an event without a checkpoint is then compared with the clock. `copy`: the ends of the chains according to a copy that is stored elsewhere.
 * `heads`: signed ends of the chains that were kept elsewhere.
 */
export async function verifyTenants(
  store: Store,
  tenantIds: readonly string[],
  { isServed = false, copy = null, heads = [] }: VerifyOptions = {},
): Promise<VerifiedTenant[]> {
  const { checkpoints, clock } = sources(store)
  const walked: { tenantId: string; chain: WalkedChain; recordedTo: number; unlike: Broken | null }[] = []
  for (const tenantId of tenantIds) {
    const db = store.backgroundOf(tenantId)
    const newest = await getNewestSequence(db, tenantId)
    const chain = { after: 0, ...(await verifyEvents(db, tenantId, 0, newest)) }
    const unlike = earliest(await unlikeCopy(db, tenantId, copy), await unlikeHeads(db, tenantId, heads))
    walked.push({ tenantId, chain, unlike, recordedTo: await recordedSequence(db, tenantId) })
  }
  const known = copy?.checkpoints ?? []
  const outcomes = await verifyCheckpoints({ db: store.backgroundOf(null), tenantIds, known, ...checkpoints })
  const verified: VerifiedTenant[] = []
  for (const { tenantId, chain, recordedTo, unlike } of walked) {
    const outcome = outcomes.get(tenantId)
    if (outcome === undefined) throw new Error('The checkpoints of a tenant were not verified.')
    const db = store.backgroundOf(tenantId)
    const options = { db, tenantId, chain, outcome, recordedTo, unlike, now: isServed ? clock() : null, clock }
    verified.push({ tenantId, verification: await conclude(options) })
  }
  return verified
}

function sources(store: Store) {
  const checkpoints = { file: checkpointFile(store.dataDir), publicKey: createPublicKey(store.keys.auditSigning) }
  return { checkpoints, clock: store.clock }
}

type WalkedChain = { after: number; checked: number; broken: Broken | null }

/** Returns the numbers of the events that were verified, for a part of the chain that is not the last. */
function whatWasChecked({ after, checked }: WalkedChain, clock: Clock) {
  return {
    checkedEvents: checked,
    fromSequence: checked === 0 ? after : after + 1,
    toSequence: after + checked,
    provenTo: 0,
    unproven: null,
    checkpoints: { checked: 0, latest: null },
    verifiedAt: clock().toISOString(),
  }
}

async function conclude(verified: {
  db: Kysely<Database>
  tenantId: string
  chain: WalkedChain
  outcome: CheckpointOutcome
  recordedTo: number
  unlike: Broken | null
  now: Date | null
  clock: Clock
}): Promise<AuditVerification> {
  const { db, tenantId, chain, outcome, recordedTo, unlike, now, clock } = verified
  const { checked, latest, broken } = outcome
  const coveredTo = latest?.sequence ?? 0
  const firstBroken = earliest(chain.broken, broken, unlike)
  const coverage = await readCoverage(db, tenantId, { coveredTo, recordedTo })
  const unproven = firstBroken === null ? unprovenBecause(coverage, now) : null
  return {
    ...whatWasChecked(chain, clock),
    status: firstBroken !== null ? 'broken' : unproven !== null ? 'unproven' : 'intact',
    nextAfter: null,
    firstBroken,
    unproven,
    provenTo: firstBroken === null ? coveredTo : 0,
    checkpoints: { checked, latest },
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

/**
 * Returns the fault of an event; undefined if it is intact. `redacted`: whether an event without content matches what its erasure recorded; undefined
 * for an event with content.
 */
function brokenLink(
  previous: { sequence: number; hash: string },
  event: EventWithRedaction,
  redacted: Redaction | undefined,
): Broken | undefined {
  const { sequence } = event
  if (sequence !== previous.sequence + 1) return missing(previous.sequence + 1)
  if (event.previous_hash !== previous.hash)
    return { sequence, reason: `Event ${sequence} does not follow event ${previous.sequence} in its current form.` }
  if (redacted === 'as stated') return undefined
  if (redacted === 'otherwise')
    return { sequence, reason: `Event ${sequence} was emptied, and no erasure of the history records it.` }
  if (event.hash !== auditEventHash(event))
    return { sequence, reason: `Event ${sequence} was altered: its content does not match its hash.` }
  return undefined
}

function missing(sequence: number): Broken {
  return { sequence, reason: `Event ${sequence} is missing.` }
}

/** Returns the fault with the lowest sequence. A fault of the checkpoint file has sequence 0 and comes after all others. */
function earliest(...found: (Broken | null)[]): Broken | null {
  const broken = found.filter((one) => one !== null)
  const rank = ({ sequence }: Broken) => (sequence === 0 ? Number.POSITIVE_INFINITY : sequence)
  return broken.sort((a, b) => rank(a) - rank(b))[0] ?? null
}
