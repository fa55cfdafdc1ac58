import { actorKey } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import { findTransition } from '../circuit/circuit.queries.ts'
import { loadedAdapter } from '../registry/adapter-fit.rules.ts'
import { type Contract, contractItems, parseContract } from '../registry/contract.rules.ts'
import { findVersion } from '../registry/registry.queries.ts'
import { withFixedValues } from '../registry/source-adapters.ts'
import { adapterOf, getSourceRow, readStanding } from '../registry/source-state.ts'
import type { DryRun, DryRunRequest } from '../sources.schema.ts'
import { statusReasons } from './outcome.rules.ts'
import { insertQuery } from './permits.queries.ts'
import { planQuery, type Stop } from './plan-query.ts'

/**
 * Plans a query of any source and lists the conditions that would prevent it (specification, Phase 5 §3). Opens no connection, imports no transport
 * and writes no fact. Stores only the bounds of the plan and its audit event. Errors: `not_found`, `invalid_request` (the query), `conflict` (a
 * built-in source).
 */
export async function dryRun(
  tx: Tx,
  adapters: LoadedAdapters,
  sourceId: string,
  { contractVersion, query }: DryRunRequest,
): Promise<DryRun> {
  const { tenantId } = tx.actor
  const row = await getSourceRow(tx.db, tenantId, sourceId)
  const ref = adapterOf(row)
  if (ref === null) throw new AppError('conflict', 'A built-in entry makes no requests: there is nothing to plan.')
  const number = contractVersion ?? row.contract_version
  const version = await findVersion(tx.db, tenantId, sourceId, number)
  if (version === undefined) throw notFound()
  const contract = parseContract(version.contract)
  const adapter = loadedAdapter(ref, adapters)
  const whole = adapter === undefined ? query : withFixedValues(adapter, query)
  const { planned, bounds, summaries, stops } = planQuery(ref, adapters, contract, whole)
  const stoppedBy = [...(await statusStops()), ...missing(contract), ...stops]
  if (planned === undefined && stops.every(({ item }) => item !== 'settings' && item !== 'query' && item !== 'adapter'))
    stoppedBy.push({ item: 'not_loaded', reason: `The adapter ${ref.id} ${ref.version} is not loaded.` })
  const id = newId()
  const plan = { ...bounds, stoppedBy: stoppedBy.map(({ item }) => item) }
  await insertQuery(tx.db, {
    tenant_id: tenantId,
    id,
    source_id: sourceId,
    number,
    kind: 'dry_run',
    purpose: contract.purposes?.[0] ?? 'none',
    business_id: null,
    request: null,
    plan: JSON.stringify(plan),
    outcome: JSON.stringify({ outcome: 'planned' }),
    job_id: null,
    at: tx.at,
    actor: actorKey(tx.actor),
    ended_at: tx.at,
  })
  await tx.record({
    subject: { type: 'source', id: sourceId },
    after: { queryId: id, contractVersion: number, ...plan },
  })
  return {
    id,
    contractVersion: number,
    planned: summaries,
    ...bounds,
    fields: [...(bounds.fields ?? [])],
    rawRetention: contract.rawRetention ?? null,
    stoppedBy,
  }

  async function statusStops(): Promise<Stop[]> {
    if (number !== row.contract_version)
      return [
        {
          item: 'version',
          reason: `Version ${number} is not the newest one: only version ${row.contract_version} can be used.`,
        },
      ]
    const source = await readStanding({ db: tx.db, tenantId, at: tx.at, adapters }, row)
    if (source === undefined) return []
    const { status, openItems } = source.standing
    const found: Stop[] = status === 'enabled' ? [] : [{ item: 'status', reason: statusReasons[status] }]
    for (const { item, problem, detail } of openItems) found.push({ item, reason: detail ?? problem })
    const circuit = await findTransition(tx.db, { tenantId, sourceId })
    if (circuit?.state === 'open') found.push({ item: 'circuit', reason: circuit.cause })
    return found
  }

  /** Returns the missing items of the contract, if an older version is planned. For the newest version the status already lists them. */
  function missing(of: Contract): Stop[] {
    if (number === row.contract_version) return []
    return contractItems.filter((item) => of[item] === undefined).map((item) => ({ item, reason: 'missing' }))
  }
}
