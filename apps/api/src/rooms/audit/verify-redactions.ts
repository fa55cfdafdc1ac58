import { type Kysely, sql } from 'kysely'
import { type AuditEventTable, auditEventHash } from '../../store/audit-chain.ts'
import { residueOf, statementOf } from '../../store/audit-redaction.ts'
import type { Database } from '../../store/database.ts'
import { findEventRow } from './audit.queries.ts'

type Db = Kysely<Database>
type Found = ReadonlyMap<number, 'as stated' | 'otherwise'>

/**
 * Which events of a page lost their content, and whether an erasure of the same chain says so: what is left of each must be what was
 * left then, and the erasure's own event, which nothing may have altered, must hold the digest over all that it redacted.
 */
export function createRedactionCheck(
  db: Db,
  tenantId: string,
): { among(page: readonly AuditEventTable[]): Promise<Found> } {
  /** Each erasure is read once. */
  const stated = new Map<string, boolean>()
  const isStatedOnce = async (eventId: string) => {
    const known = stated.get(eventId) ?? (await isStated(db, tenantId, eventId))
    stated.set(eventId, known)
    return known
  }
  return {
    among: async (page) => {
      const [first, last] = [page[0], page.at(-1)]
      if (first === undefined || last === undefined) return new Map()
      const rows = await db
        .selectFrom('audit_redactions')
        .select(['sequence', 'event_id', 'residue'])
        .where('tenant_id', '=', tenantId)
        .where('sequence', '>=', first.sequence)
        .where('sequence', '<=', last.sequence)
        .execute()
      const events = new Map(page.map((event) => [event.sequence, event]))
      const found = new Map<number, 'as stated' | 'otherwise'>()
      for (const { sequence, event_id: eventId, residue } of rows) {
        const event = events.get(sequence)
        const isLeft = event !== undefined && isEmpty(event) && residueOf(event) === residue
        found.set(sequence, isLeft && (await isStatedOnce(eventId)) ? 'as stated' : 'otherwise')
      }
      return found
    },
  }
}

function isEmpty({ before_json, after_json, reason }: AuditEventTable): boolean {
  return before_json === null && after_json === null && reason === null
}

async function isStated(db: Db, tenantId: string, eventId: string): Promise<boolean> {
  const event = await findEventRow(db, tenantId, eventId)
  if (event?.action !== 'business.erase' || event.after_json === null || event.hash !== auditEventHash(event))
    return false
  // Named, because SQLite takes all redactions of a tenant for fewer than those of one erasure.
  const { rows } = await sql<{ sequence: number; residue: string }>`
    SELECT sequence, residue FROM audit_redactions INDEXED BY audit_redactions_by_event
    WHERE tenant_id = ${tenantId} AND event_id = ${eventId} ORDER BY sequence`.execute(db)
  const { redacted }: { redacted?: { events?: unknown; digest?: unknown } } = JSON.parse(event.after_json)
  const { events, digest } = statementOf(rows)
  return redacted?.events === events && redacted.digest === digest
}
