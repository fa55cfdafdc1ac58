import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import { alongIndex, elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { anyBlockedAbove } from '../../businesses/businesses.ts'
import { gate, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'

export type Standing = {
  /** domains that a suppression entry matches */
  suppressed: ReadonlySet<string>
  /** domains that this reader may not see: suppressed ones, and those of a do not contact record, by its identifiers or by a candidate */
  withheld: ReadonlySet<string>
}

/** Returns which of the domains are suppressed and which the reader may not see. If the gate cannot answer, it throws. */
export async function standingOf(store: Store, reader: Actor, domains: readonly string[]): Promise<Standing> {
  const { tenantId } = reader
  const values = domains.map((value) => ({ kind: 'domain' as const, value }))
  const matches = await gate({ db: store.reader, keys: store.keys }, tenantId, values)
  const suppressed = new Set(matches.flatMap(({ index }) => domains[index] ?? []))
  if (!hidesValuesFrom(reader, { doNotContact: true })) return { suppressed, withheld: new Set() }
  const { rows } = await sql<{ domain: string }>`
    SELECT wanted.value AS domain FROM ${elementsOf(domains, 'wanted')}
    WHERE ${isOfBlocked(tenantId, sql.ref('wanted.value'))}`.execute(store.reader)
  return { suppressed, withheld: suppressed.union(new Set(rows.map(({ domain }) => domain))) }
}

/**
 * Returns true if the reader may not see this domain. A query that names such a domain gets the answer of a domain that nobody has, because a reader
 * could otherwise confirm a guess. If the gate cannot answer, it throws.
 */
export async function isWithheld(store: Store, reader: Actor, domain: string): Promise<boolean> {
  if (!hidesValuesFrom(reader, { doNotContact: true })) return false
  return (await standingOf(store, reader, [domain])).withheld.has(domain)
}

/**
 * Builds the condition that a do not contact record has this domain: by its identifiers, or by a candidate of it or of a record that was merged into
 * it.
 */
export function isOfBlocked(tenantId: string, domain: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(EXISTS (
      SELECT 1 FROM domain_uses u
      ${thenJoin} businesses b ON b.tenant_id = u.tenant_id AND b.id = u.business_id AND b.do_not_contact = 1
      WHERE u.tenant_id = ${tenantId} AND u.domain = ${domain})
    OR ${anyBlockedAbove(
      tenantId,
      sql`SELECT c.business_id FROM domain_candidate_states s ${alongIndex('domain_candidate_states_by_domain')}
        ${thenJoin} domain_candidates c ON c.tenant_id = s.tenant_id AND c.id = s.candidate_id
        WHERE s.tenant_id = ${tenantId} AND s.domain = ${domain}`,
    )})`
}
