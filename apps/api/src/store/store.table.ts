// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { Generated } from 'kysely'

declare module './database.ts' {
  interface Database {
    audit_events: AuditEventTable
    audit_redactions: AuditRedactionTable
    follower_positions: FollowerPosition
    idempotency_keys: IdempotencyKeyTable
    leases: LeaseTable
    readiness_probe: ReadinessProbeTable
    store_identity: StoreIdentityTable
  }
}

export type AuditEventTable = {
  tenant_id: string
  sequence: number
  id: string
  at: string
  actor: string
  action: string
  subject_type: string
  subject_id: string
  business_id: string | null
  before_json: string | null
  after_json: string | null
  reason: string | null
  correlation_id: string
  previous_hash: string
  hash: string
  token_id: string | null
  /** random, part of the hashed content; null after a redaction, and for events from before links were hashed */
  salt: string | null
}

export type AuditRedactionTable = {
  tenant_id: string
  sequence: number
  event_id: string
  residue: string
  content_hash: string | null
}

/** The last event of a tenant that a follower has processed, and the version of the rules by which it did. */
export type FollowerPosition = { tenant_id: string; follower: string; sequence: number; version: string }

type IdempotencyKeyTable = {
  tenant_id: string
  key: string
  fingerprint: string
  result: string
  created_at: string
  /** the actor who used the key first */
  used_by: string
}

export type LeaseTable = { name: string; owner: string; expires_at: string }

export type ReadinessProbeTable = {
  id: Generated<1>
  at: string
}

export type StoreIdentityTable = {
  id: Generated<1>
  store_id: string
}
