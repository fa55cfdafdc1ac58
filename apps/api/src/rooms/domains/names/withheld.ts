import { sql } from 'kysely'
import type { Actor } from '../../../lib/actor.ts'
import { elementsOf, thenJoin } from '../../../store/engine/dialect.ts'
import type { Store } from '../../../store/store.ts'
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
  return { suppressed, withheld: suppressed.union(new Set(rows.map(({ domain }) => domain))) }
}
