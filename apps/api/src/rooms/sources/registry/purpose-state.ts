import { findTransition } from '../circuit/circuit.queries.ts'
import type { PurposeName } from '../purposes.ts'
import { selectSources } from './registry.queries.ts'
import { contractOf, type RegistryView, readStandings } from './source-state.ts'
import type { SourceState } from './status.rules.ts'

/** The present state of the source that a room would query for its purpose. */
export type PurposeState = Pick<SourceState, 'status' | 'openItems'> & {
  sourceId: string
  isLoaded: boolean
  /** when the circuit opened; null unless it is open */
  openSince: string | null
}

const LOOKED_AT = 200

/** Returns the first enabled source of this purpose by short name; without one, the first source. Writes and sends nothing. */
export async function findPurposeState(view: RegistryView, purpose: PurposeName): Promise<PurposeState | undefined> {
  const { db, tenantId } = view
  let first: PurposeState | undefined
  let after: [string, string] | undefined
  for (;;) {
    const rows = await selectSources(db, { tenantId, after, limit: LOOKED_AT })
    const wanted = rows.filter((row) => contractOf(row).purposes?.includes(purpose) === true)
    for (const { row, present, standing } of await readStandings(view, wanted)) {
      const circuit = await findTransition(db, { tenantId, sourceId: row.id })
      const found: PurposeState = {
        sourceId: row.id,
        status: standing.status,
        openItems: standing.openItems,
        isLoaded: present.adapter === 'loaded',
        openSince: circuit?.state === 'open' ? circuit.at : null,
      }
      if (found.status === 'enabled') return found
      first ??= found
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < LOOKED_AT) return first
    after = [last.slug, last.id]
  }
}
