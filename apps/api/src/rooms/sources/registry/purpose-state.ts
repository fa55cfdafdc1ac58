import type { Adapter } from '@prospect/adapter-contract/adapter'
import { findTransition } from '../circuit/circuit.queries.ts'
import type { PurposeName } from '../purposes.ts'
import type { Contract } from './contract.rules.ts'
import { findSource, selectSources } from './registry.queries.ts'
import { type AdapterSource, contractOf, type RegistryView, readSourceState, readSourceStates } from './source-state.ts'
import { type SourceState, sourceStatuses } from './status.rules.ts'

/** The present state of the source that would be queried for a purpose. */
export type PurposeState = Pick<SourceState, 'status' | 'openItems'> & {
  sourceId: string
  isLoaded: boolean
  /** when the circuit opened; null unless it is open */
  openSince: string | null
}

/** The present state of one source, with everything to which its approvals are bound. */
export type NamedSource = PurposeState & {
  name: string
  contractVersion: number
  contract: Contract
  adapter: { id: string; version: string }
  /** the adapter in this process, if it is the version that was approved */
  loaded: Adapter | undefined
}

const LOOKED_AT = 200

/** The statuses are declared in the order in which a source approaches its enablement. */
function progressOf({ status }: Pick<PurposeState, 'status'>): number {
  return sourceStatuses.indexOf(status)
}

/**
 * Returns the first enabled source of this purpose, in the order of short names. If none is enabled, returns the source that is nearest to its
 * enablement. Writes and sends nothing.
 */
export async function findPurposeState(view: RegistryView, purpose: PurposeName): Promise<PurposeState | undefined> {
  const { db, tenantId } = view
  let nearest: PurposeState | undefined
  let after: [string, string] | undefined
  for (;;) {
    const rows = await selectSources(db, { tenantId, after, limit: LOOKED_AT })
    const wanted = rows.filter((row) => contractOf(row).purposes?.includes(purpose) === true)
    for (const source of await readSourceStates(view, wanted)) {
      const found = await stateOf(view, source)
      if (found.status === 'enabled') return found
      if (nearest === undefined || progressOf(found) > progressOf(nearest)) nearest = found
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < LOOKED_AT) return nearest
    after = [last.slug, last.id]
  }
}

/** Returns a source of this tenant that has an adapter; undefined for any other id. Writes and sends nothing. */
export async function findSourceState(view: RegistryView, sourceId: string): Promise<NamedSource | undefined> {
  const row = await findSource(view.db, { tenantId: view.tenantId, id: sourceId })
  const source = row === undefined ? undefined : await readSourceState(view, row)
  if (source === undefined) return undefined
  const { adapter, contract } = source
  const loaded = view.adapters.items.find(({ id, version }) => id === adapter.id && version === adapter.version)
  const { name, contract_version: contractVersion } = source.row
  return { ...(await stateOf(view, source)), name, contractVersion, contract, adapter, loaded }
}

async function stateOf({ db, tenantId }: RegistryView, { row, present, state }: AdapterSource): Promise<PurposeState> {
  const circuit = await findTransition(db, { tenantId, sourceId: row.id })
  return {
    sourceId: row.id,
    status: state.status,
    openItems: state.openItems,
    isLoaded: present.adapter === 'loaded',
    openSince: circuit?.state === 'open' ? circuit.at : null,
  }
}
