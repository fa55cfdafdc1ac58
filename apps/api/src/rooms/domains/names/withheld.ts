import { sql } from 'kysely'
import { createBreather } from '../../../lib/event-loop.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
import { gate } from '../../contact-gate/contact-gate.ts'
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
    SELECT u.domain FROM ${elementsOf(domains, 'wanted')} ${thenJoin} domain_uses u
      ON u.tenant_id = ${tenantId} AND u.domain = wanted.value
    ${thenJoin} businesses b ON b.tenant_id = u.tenant_id AND b.id = u.business_id AND b.do_not_contact = 1
    UNION
    SELECT s.domain FROM ${elementsOf(domains, 'wanted')} ${thenJoin} domain_candidate_states s
      ON s.tenant_id = ${tenantId} AND s.domain = wanted.value
    ${thenJoin} domain_candidates c ON c.tenant_id = s.tenant_id AND c.id = s.candidate_id
    ${thenJoin} businesses b ON b.tenant_id = c.tenant_id AND b.id = c.business_id AND b.do_not_contact = 1`.execute(
    store.reader,
  )
  return new Set(rows.map(({ domain }) => domain))
}
