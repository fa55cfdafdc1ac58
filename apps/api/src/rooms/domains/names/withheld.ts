import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import { createBreather } from '../../../lib/event-loop.ts'
import { alongIndex, elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { anyBlockedAbove } from '../../businesses/businesses.ts'
import { gate, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import { hostOfAddress, readDomainName, unitOf, valuesIn } from '../../normalization/normalization.ts'

/** Returns those of the domains that an entry matches. If the gate cannot answer, it throws. */
export async function findSuppressedDomains(
  { reader: db, keys }: Store,
  tenantId: string,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const values = domains.map((value) => ({ kind: 'domain' as const, value }))
  const matches = await gate({ db, keys }, tenantId, values)
  return new Set(matches.flatMap(({ index }) => domains[index] ?? []))
}

/**
 * Returns those of the texts that name a domain of a do-not-contact record, by itself or behind the `@` of an address. A record has the domains of its
 * identifiers, and those of its candidates.
 */
export async function findTextsOfBlockedRecords(
  store: Store,
  tenantId: string,
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = await domainsIn(texts)
  const withheld = await findDomainsOfBlockedRecords(store, tenantId, [...new Set(named.flat())])
  return new Set(texts.filter((_, at) => named[at]?.some((domain) => withheld.has(domain)) === true))
}

/** Returns the domains that each text names. */
async function domainsIn(texts: readonly string[]): Promise<string[][]> {
  const breathe = createBreather()
  const named: string[][] = []
  for (const text of texts) {
    const hosts = valuesIn(text).flatMap(({ kind, normalized }) => (kind === 'phone' ? [] : hostOfAddress(normalized)))
    named.push(hosts.flatMap((host) => unitOf(readDomainName(host)) ?? []))
    await breathe()
  }
  return named
}

async function findDomainsOfBlockedRecords(
  store: Store,
  tenantId: string,
  domains: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ domain: string }>`
    SELECT wanted.value AS domain FROM ${elementsOf(domains, 'wanted')}
    WHERE ${isOfBlocked(tenantId, sql.ref('wanted.value'))}`.execute(store.reader)
  return new Set(rows.map(({ domain }) => domain))
}

/**
 * Returns true if the reader may not see this domain. A query that names such a domain gets the answer of a domain that nobody has, because a reader
 * could otherwise confirm a guess. If the gate cannot answer, it throws.
 */
export async function isWithheld(store: Store, reader: Actor, domain: string): Promise<boolean> {
  if (!hidesValuesFrom(reader, { doNotContact: true })) return false
  const { tenantId } = reader
  const suppressed = await findSuppressedDomains(store, tenantId, [domain])
  return suppressed.has(domain) || (await findDomainsOfBlockedRecords(store, tenantId, [domain])).has(domain)
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
