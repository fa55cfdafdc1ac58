import { newId } from '../apps/api/src/lib/ids.ts'
import {
  contactValues,
  identifierRows,
  nameKey,
  primaries,
  tagKey,
} from '../apps/api/src/rooms/businesses/record/write-business.ts'
import { searchText, tenantToken } from '../apps/api/src/rooms/businesses/search/search-text.rules.ts'
import { RULES_VERSION, recordKeysOf } from '../apps/api/src/rooms/contact-gate/keys/contact-keys.rules.ts'
import { NORMALIZATION_VERSION, nameKeyOf } from '../apps/api/src/rooms/normalization/normalization.ts'
import { auditEventHash, auditEventId, CHAIN_START, newSalt } from '../apps/api/src/store/change/audit-chain.ts'
import type { Connection } from '../apps/api/src/store/engine/connection.ts'
import type { AuditEventTable } from '../apps/api/src/store/store.table.ts'
import { type HistoryStep, historyOf, type SampleBusiness, type SamplePerson } from './sample-data.ts'

export type SeedTenant = { id: string; number: number; sequence: number; lastHash: string }

/** Author of rows that are created before the first user exists. */
const writtenBy = 'sample data'

type Columns = Record<string, string | number | null>

/** Returns functions that insert rows into the store's tables with prepared statements. The caller must have opened the transaction. */
export function createSeedWriter(db: Connection) {
  const statements = new Map<string, ReturnType<Connection['prepare']>>()

  function insert(table: string, row: Columns): number {
    const columns = Object.keys(row)
    const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`
    let statement = statements.get(text)
    if (statement === undefined) {
      statement = db.prepare(text)
      statements.set(text, statement)
    }
    return Number(statement.run(row).lastInsertRowid)
  }

  function record(
    tenant: SeedTenant,
    entry: Pick<AuditEventTable, 'at' | 'actor' | 'action' | 'subject_type' | 'subject_id'> & Partial<AuditEventTable>,
  ): void {
    const sequence = tenant.sequence + 1
    const event = {
      tenant_id: tenant.id,
      sequence,
      id: auditEventId(sequence),
      business_id: null,
      before_json: null,
      after_json: null,
      reason: null,
      correlation_id: newId(),
      previous_hash: tenant.lastHash,
      token_id: null,
      salt: newSalt(),
      ...entry,
    }
    const hash = auditEventHash(event)
    insert('audit_events', { ...event, hash })
    tenant.sequence = event.sequence
    tenant.lastHash = hash
  }

  function addTenant(number: number, name: string, at: string): SeedTenant {
    const tenant = { id: newId(), number, sequence: 0, lastHash: CHAIN_START }
    insert('tenants', { id: tenant.id, number, name, time_zone: 'Africa/Johannesburg', created_at: at })
    record(tenant, {
      at,
      actor: writtenBy,
      action: 'tenant.create',
      subject_type: 'tenant',
      subject_id: tenant.id,
      after_json: JSON.stringify({ name }),
    })
    return tenant
  }

  function addUser(
    tenant: SeedTenant,
    user: { email: string; name: string; role: string; passwordHash: string },
    at: string,
  ): string {
    const { email, name, role, passwordHash } = user
    const id = newId()
    insert('users', { id, email, name, password_hash: passwordHash, status: 'active', created_at: at })
    insert('memberships', { tenant_id: tenant.id, user_id: id, role, created_at: at })
    record(tenant, {
      at,
      actor: writtenBy,
      action: 'user.create',
      subject_type: 'user',
      subject_id: id,
      after_json: JSON.stringify({ email, name, role }),
    })
    return id
  }

  /**
   * Marks the tenant as processed. Otherwise the API would search the seeded records for duplicates, or evaluate them by new suppression rules,
   * during the measurement.
   */
  function keepFollowed({ id, sequence }: SeedTenant): void {
    insert('follower_positions', { tenant_id: id, follower: 'matching', sequence, version: '' })
    const now = new Date().toISOString()
    insert('suppression_rules', { tenant_id: id, rules_version: RULES_VERSION, evaluated_at: now })
  }

  /** Inserts a business in the state after its history. `writeStep` inserts each part of the history at its time. */
  function addBusiness(
    tenant: SeedTenant,
    members: readonly string[],
    sample: SampleBusiness,
    people: readonly SamplePerson[],
  ): string {
    const id = newId()
    const creator = members[sample.index % members.length] ?? writtenBy
    const typed = {
      email: sample.emails,
      phone: sample.phones.map(({ value, label }) => ({ value, label, region: 'ZA' })),
      domain: sample.domains,
    }
    const { street, suburb, city, province, postalCode, country } = sample.address
    const identifiers = identifierRows(tenant.id, id, typed)
    const docid = insert('businesses', {
      tenant_id: tenant.id,
      id,
      version: 1 + historyOf(sample).filter((step) => step.kind !== 'evidence').length,
      created_at: sample.createdAt,
      created_by: creator,
      updated_at: sample.updatedAt,
      name: sample.name,
      name_key: nameKey(sample.name),
      trading_name: sample.tradingName,
      registration_number: sample.registrationNumber,
      industry: sample.industry,
      street,
      suburb,
      city,
      province,
      province_code: sample.provinceCode,
      postal_code: postalCode,
      country,
      tags: JSON.stringify(sample.tags),
      assignee_id: sample.assignee === null ? null : (members[sample.assignee] ?? null),
      ...primaries(identifiers),
      status: 'active',
      merged_into: null,
      pipeline_state: sample.pipelineState,
      state_before_pause: null,
      do_not_contact: sample.doNotContact ? 1 : 0,
      blocked_at: sample.doNotContact ? sample.updatedAt : null,
      blocked_by: sample.doNotContact ? creator : null,
      blocked_reason: sample.doNotContact ? 'Asked by telephone not to be contacted again' : null,
      blocked_through: sample.doNotContact ? 'hand' : null,
      has_evidence: sample.hasEvidence ? 1 : 0,
      evidence_count: sample.hasEvidence ? 1 : 0,
      has_person: people.length > 0 ? 1 : 0,
      normalization_version: NORMALIZATION_VERSION,
    })
    for (const row of identifiers) insert('business_identifiers', row)
    for (const name_key of new Set([sample.name, sample.tradingName].filter((name) => name !== null).map(nameKeyOf)))
      insert('business_name_keys', { tenant: tenant.number, name_key, docid })
    for (const key of new Set(contactValues(typed).flatMap(recordKeysOf)))
      insert('suppression_record_keys', { tenant: tenant.number, key, docid, of_evidence: 0 })
    for (const tag of sample.tags)
      insert('business_tags', {
        tenant_id: tenant.id,
        tag_key: tagKey(tag),
        listed_at: sample.updatedAt,
        business_id: id,
        tag,
      })
    for (const person of people) addPerson(tenant, { business_id: id, by: creator, at: sample.createdAt }, person)
    const further = { names: people.map(({ name }) => name), identifiers: [] }
    const text = searchText({ ...sample, identifiers, merged: [], further })
    const indexed = { tenant: tenantToken(tenant.number), text }
    insert('business_search', { docid, ...indexed })
    insert('business_search_index', { rowid: docid, ...indexed })
    record(tenant, {
      at: sample.createdAt,
      actor: creator,
      action: 'business.create',
      subject_type: 'business',
      subject_id: id,
      business_id: id,
      after_json: JSON.stringify({
        name: sample.name,
        industry: sample.industry,
        emails: typed.email,
        phones: typed.phone,
        domains: typed.domain,
        address: sample.address,
        tags: sample.tags,
      }),
    })
    return id
  }

  function addPerson(
    tenant: SeedTenant,
    { business_id, by, at }: { business_id: string; by: string; at: string },
    { name, role }: SamplePerson,
  ): void {
    const id = newId()
    insert('people', { tenant_id: tenant.id, id, business_id, created_at: at, created_by: by })
    insert('person_states', {
      tenant_id: tenant.id,
      business_id,
      person_id: id,
      version: 1,
      name,
      role,
      updated_at: at,
    })
  }

  function writeStep(tenant: SeedTenant, people: readonly string[], businessId: string, step: HistoryStep): void {
    const actor = people[step.by % people.length] ?? writtenBy
    const event = { at: step.at, actor, business_id: businessId, correlation_id: newId() }
    const onBusiness = { ...event, subject_type: 'business', subject_id: businessId }
    switch (step.kind) {
      case 'move':
        insert('pipeline_transitions', {
          tenant_id: tenant.id,
          id: newId(),
          business_id: businessId,
          from_state: step.from,
          to_state: step.to,
          reason: null,
          at: step.at,
          actor,
          correlation_id: event.correlation_id,
          idempotency_key: null,
        })
        record(tenant, {
          ...onBusiness,
          action: 'pipeline.move',
          before_json: JSON.stringify({ pipelineState: step.from }),
          after_json: JSON.stringify({ pipelineState: step.to }),
        })
        return
      case 'evidence': {
        const id = newId()
        insert('evidence', {
          tenant_id: tenant.id,
          id,
          business_id: businessId,
          field: null,
          value: null,
          observation: 'The signboard at the gate shows the trading name',
          source_reference: null,
          source_label: 'Site visit',
          captured_at: step.at,
          observed_at: null,
          confidence: 'medium',
          context: null,
          url: null,
          supersedes_id: null,
          created_at: step.at,
          created_by: actor,
        })
        record(tenant, {
          ...event,
          action: 'evidence.add',
          subject_type: 'evidence',
          subject_id: id,
          after_json: JSON.stringify({ sourceLabel: 'Site visit', confidence: 'medium' }),
        })
        return
      }
      case 'edit':
        record(tenant, {
          ...onBusiness,
          action: 'business.edit',
          before_json: '{"industry":null}',
          after_json: '{"industry":"confirmed"}',
        })
        return
      case 'block':
        record(tenant, {
          ...onBusiness,
          action: 'business.block',
          after_json: '{"doNotContact":true}',
          reason: 'Asked by telephone not to be contacted again',
        })
    }
  }

  return { addTenant, keepFollowed, addUser, addBusiness, writeStep, record }
}
