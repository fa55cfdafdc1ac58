import { fingerprint } from '../../../lib/hashing.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { Purpose } from '../purposes.ts'
import { type SourceRow, selectSources } from '../registry/registry.queries.ts'
import { adapterOf, contractOf } from '../registry/source-state.ts'
import { newQuery } from './ask-source.ts'
import { statusReasons } from './outcome.rules.ts'
import { insertQuery } from './permits.queries.ts'
import { judge, type Refusal } from './permits.ts'

/** The source to which a query of a purpose is sent. `policyVersion` changes with everything that decides how the source is queried. */
type UsableSource = { sourceId: string; contractVersion: number; policyVersion: string }

const LOOKED_AT = 200
const notUsable: ReadonlySet<string> = new Set([...Object.values(statusReasons), 'source_incomplete'])

/**
 * Returns the first enabled source of this purpose, in the order of short names, with the reason if it may not be queried now. If none is enabled,
 * returns the reason of the first source. Writes nothing, except the record of a lapse that it finds (an item of an approved source that is no longer
 * valid). Errors: `invalid_request` (the query).
 */
export async function findUsableSource(
  tx: Tx,
  adapters: LoadedAdapters,
  purpose: Pick<Purpose, 'name'>,
  query: unknown,
): Promise<{ source: UsableSource; refusal: Refusal | null } | { source: null; refusal: Refusal }> {
  let first: Refusal | undefined
  for (const row of await sourcesFor(tx, purpose)) {
    const judged = await judge(tx, adapters, {
      sourceId: row.id,
      number: undefined,
      purpose,
      query,
      target: null,
      attempt: 1,
    })
    const refusal = 'refusal' in judged ? judged.refusal : null
    if (refusal === null || !notUsable.has(refusal.reason)) return { source: usable(row), refusal }
    first ??= refusal
  }
  return { source: null, refusal: first ?? { outcome: 'unavailable', reason: 'no_source' } }
}

async function sourcesFor({ db, actor: { tenantId } }: Tx, { name }: Pick<Purpose, 'name'>): Promise<SourceRow[]> {
  const found: SourceRow[] = []
  let after: [string, string] | undefined
  for (;;) {
    const rows = await selectSources(db, { tenantId, after, limit: LOOKED_AT })
    found.push(...rows.filter((row) => contractOf(row).purposes?.includes(name) === true))
    const last = rows.at(-1)
    if (last === undefined || rows.length < LOOKED_AT) return found
    after = [last.slug, last.id]
  }
}

function usable(row: SourceRow): UsableSource {
  const { settings = null } = contractOf(row)
  const policy = fingerprint({ sourceId: row.id, adapter: adapterOf(row), settings })
  return { sourceId: row.id, contractVersion: row.contract_version, policyVersion: policy.slice(0, 16) }
}

/** Stores an accepted query of another room. That room's job `jobId` later sends it through `askSource` with the returned id. */
export async function acceptQuery(
  tx: Tx,
  { sourceId, contractVersion: number }: UsableSource,
  purpose: Pick<Purpose, 'name'>,
  jobId: string | null,
): Promise<string> {
  const id = newId()
  await insertQuery(tx.db, newQuery(tx, { id, sourceId, number, purpose: purpose.name, businessId: null, jobId }))
  return id
}
