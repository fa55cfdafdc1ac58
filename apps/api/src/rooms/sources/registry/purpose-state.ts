import { findTransition } from '../circuit/circuit.queries.ts'
import type { PurposeName } from '../purposes.ts'
import { selectSources } from './registry.queries.ts'
import { contractOf, type RegistryView, readStandings } from './source-state.ts'
import type { SourceState } from './status.rules.ts'

/** The source that a room would ask for its purpose, as it stands now. */
export type PurposeState = Pick<SourceState, 'status' | 'openItems'> & {
  sourceId: string
  isLoaded: boolean
  /** when its circuit opened; null while it is not open */
  openSince: string | null
}

const LOOKED_AT = 200

/** An enabled source of this purpose, the first by short name; otherwise the first that is not enabled. Writes and sends nothing. */
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
