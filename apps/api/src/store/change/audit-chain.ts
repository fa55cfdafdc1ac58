import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { AuditSubject } from '../../lib/declared.ts'
import { sha256 } from '../../lib/hashing.ts'
import { newId } from '../../lib/ids.ts'
import type { Database } from '../database.ts'
import { prepared, preparedInsert } from '../engine/prepared.ts'
import type { AuditEventTable } from '../store.table.ts'

/** Value stored as the previous hash of a tenant's first event. */
export const CHAIN_START = '0'.repeat(64)
/** Form of events without an access token, and the only form before tokens existed: the hash covers the stored columns. */
const FORM_OF_COLUMNS = 1
/** Form of an event with a token, before the link form: the list of columns ends in the id of the token. */
const FORM_OF_TOKENS = 2
/** Form of all newer events, which have a salt: the hash covers the place in the chain and the hash of the content. */
const FORM_OF_LINKS = 3
const SALT_BYTES = 16

type Unsealed = Omit<AuditEventTable, 'hash'>
type Place = Pick<AuditEventTable, 'tenant_id' | 'sequence' | 'previous_hash'>

/**
 * Returns the SHA-256 of an event. It covers the previous event's hash, so a change, deletion or insertion of one event requires rewriting all later
 * events. Texts are hashed as stored, so verification needs no canonical form.
 */
export function auditEventHash(event: Unsealed): string {
  return sha256(event.salt === null ? columnsText(event) : linkText(event, sha256(contentText(event))))
}

/**
 * Returns the hashed text of an event with a salt. It has the hash of the content in place of the content, so the place of an event in the chain can
 * be shown without its content, also after an erasure (docs/decisions/hash-only-inclusion.md).
 */
export function linkText({ tenant_id, sequence, previous_hash }: Place, contentHash: string): string {
  return JSON.stringify([FORM_OF_LINKS, tenant_id, sequence, previous_hash, contentHash])
}

/** Returns the text of an event's content. It begins with the salt, so that erased content cannot be guessed from its hash. */
export function contentText(event: Omit<AuditEventTable, 'hash' | 'previous_hash'>): string {
  return JSON.stringify([
    event.salt,
    event.id,
    event.at,
    event.actor,
    event.action,
    event.subject_type,
    event.subject_id,
    event.business_id,
    event.before_json,
    event.after_json,
    event.reason,
    event.correlation_id,
    event.token_id,
  ])
}

/** Returns the hashed text of an event without a salt. */
export function columnsText(event: Unsealed): string {
  const { token_id: tokenId } = event
  return JSON.stringify([
    tokenId === null ? FORM_OF_COLUMNS : FORM_OF_TOKENS,
    event.tenant_id,
    event.sequence,
    event.id,
    event.at,
    event.actor,
    event.action,
    event.subject_type,
    event.subject_id,
    event.business_id,
    event.before_json,
    event.after_json,
    event.reason,
    event.correlation_id,
    event.previous_hash,
    ...(tokenId === null ? [] : [tokenId]),
  ])
}

export type AuditAppend = {
  at: string
  actor: string
  /** id of the access token with which a program acted for the actor */
  tokenId: string | null
  action: string
  correlationId: string
  subject: { type: AuditSubject; id: string }
  businessId?: string
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
  reason?: string | null
}

const lastEvent = prepared<{ tenantId: string }>()((db, param) =>
  db
    .selectFrom('audit_events')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', param('tenantId'))
    .orderBy('sequence', 'desc')
    .limit(1),
)

const insertEvent = preparedInsert('audit_events', [
  'tenant_id',
  'sequence',
  'id',
  'at',
  'actor',
  'action',
  'subject_type',
  'subject_id',
  'business_id',
  'before_json',
  'after_json',
  'reason',
  'correlation_id',
  'previous_hash',
  'hash',
  'token_id',
  'salt',
])

/** Position in an event's id at which its sequence begins. */
const PLACE_AT = 24
const PLACE_DIGITS = 12

/** Returns a UUIDv7 that ends in the event's sequence. Queries by id use this sequence, so the id needs no index (docs/performance/creates.md). */
export function auditEventId(sequence: number): string {
  return newId().slice(0, PLACE_AT) + sequence.toString(16).padStart(PLACE_DIGITS, '0')
}

/** Returns the sequence that an event's id contains. */
export function sequenceOfEvent(id: string): number {
  return Number.parseInt(id.slice(PLACE_AT), 16)
}

/** Returns the salt of a new event. */
export function newSalt(): string {
  return randomBytes(SALT_BYTES).toString('base64url')
}

type AuditChain = {
  /** appends one event and returns its id */
  append(event: AuditAppend): Promise<string>
}

/**
 * Returns the audit chain of a tenant for one transaction. It reads the last event once and appends events one after the other. Only `change()` may
 * append to it.
 */
export function createAuditChain(db: Kysely<Database>, tenantId: string): AuditChain {
  let head: { sequence: number; hash: string } | undefined
  return {
    append: async (event) => {
      if (head === undefined) {
        const [last] = await lastEvent(db, { tenantId })
        head = last ?? { sequence: 0, hash: CHAIN_START }
      }
      const sequence = head.sequence + 1
      const unsealed = {
        tenant_id: tenantId,
        sequence,
        id: auditEventId(sequence),
        at: event.at,
        actor: event.actor,
        action: event.action,
        subject_type: event.subject.type,
        subject_id: event.subject.id,
        business_id: event.businessId ?? null,
        before_json: jsonOrNull(event.before),
        after_json: jsonOrNull(event.after),
        reason: event.reason ?? null,
        correlation_id: event.correlationId,
        previous_hash: head.hash,
        token_id: event.tokenId,
        salt: newSalt(),
      }
      const hash = auditEventHash(unsealed)
      await insertEvent(db, { ...unsealed, hash })
      head = { sequence, hash }
      return unsealed.id
    },
  }
}

function jsonOrNull(value: Record<string, unknown> | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
