import { actorKey } from '../../../lib/actor.ts'
import { AppError, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Tx } from '../../../store/change/change.ts'
import { findTransition } from '../circuit/circuit.queries.ts'
import { loadedAdapter } from '../registry/adapter-fit.rules.ts'
import { type Contract, contractItems, parseContract } from '../registry/contract.rules.ts'
import { findVersion, type SourceRow } from '../registry/registry.queries.ts'
import { withFixedValues } from '../registry/source-adapters.ts'
import { adapterOf, getSourceRow, readSourceState } from '../registry/source-state.ts'
import type { DryRun, DryRunRequest } from '../sources.schema.ts'
import { statusReasons } from './outcome.rules.ts'
import { insertQuery } from './permits.queries.ts'
import { planQuery, type Stop } from './plan-query.ts'

/** A dry run, as it is stored with its Idempotency-Key. */
type StoredDryRun = { id: string; contractVersion: number }

type Reading = { db: Tx['db']; tenantId: string; at: string; adapters: LoadedAdapters }

/**
 * Plans a query of any source and lists the conditions that would prevent it (specification, Phase 5 §3). Opens no connection, imports no transport
 * and writes no fact. Stores only the bounds of the plan and its audit event. Errors: `not_found`, `invalid_request` (the query), `conflict` (a
 * built-in source).
 */
export async function dryRun(
  tx: Tx,
  adapters: LoadedAdapters,
  sourceId: string,
  request: DryRunRequest,
): Promise<StoredDryRun> {
  const { tenantId } = tx.actor
  const { contract, contractVersion, bounds, stoppedBy } = await planOf(
    { db: tx.db, tenantId, at: tx.at, adapters },
    sourceId,
    request,
  )
  const id = newId()
  const plan = { ...bounds, stoppedBy: stoppedBy.map(({ item }) => item) }
  await insertQuery(tx.db, {
    tenant_id: tenantId,
    id,
    source_id: sourceId,
    number: contractVersion,
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
    after: { queryId: id, contractVersion, ...plan },
  })
  return { id, contractVersion }
}

/** Returns the plan of a dry run, with the conditions that would prevent the query now. Errors: those of `dryRun`. */
export async function getDryRun(
  reading: Reading,
  sourceId: string,
  { id, contractVersion }: StoredDryRun,
  { query }: DryRunRequest,
): Promise<DryRun> {
  const { contract, bounds, summaries, stoppedBy } = await planOf(reading, sourceId, { contractVersion, query })
  return {
    id,
    contractVersion,
    planned: summaries,
    ...bounds,
    fields: [...(bounds.fields ?? [])],
    rawRetention: contract.rawRetention ?? null,
    stoppedBy,
  }
}

async function planOf(reading: Reading, sourceId: string, { contractVersion, query }: DryRunRequest) {
  const { db, tenantId, adapters } = reading
  const row = await getSourceRow(db, tenantId, sourceId)
  const ref = adapterOf(row)
  if (ref === null) throw new AppError('conflict', 'A built-in source sends no requests, so there is nothing to plan.')
  const number = contractVersion ?? row.contract_version
  const version = await findVersion(db, tenantId, sourceId, number)
  if (version === undefined) throw notFound()
  const contract = parseContract(version.contract)
  const adapter = loadedAdapter(ref, adapters)
  const whole = adapter === undefined ? query : withFixedValues(adapter, query)
  const { planned, bounds, summaries, stops } = planQuery(ref, adapters, contract, whole)
  const isNewest = number === row.contract_version
  const ofContract = isNewest ? await statusStops(reading, row) : [notNewest(row, number), ...missing(contract)]
  const stoppedBy = [...ofContract, ...stops]
  if (planned === undefined && stops.every(({ item }) => item !== 'settings' && item !== 'query' && item !== 'adapter'))
    stoppedBy.push({ item: 'not_loaded', reason: `The adapter ${ref.id} ${ref.version} is not loaded.` })
  return { contract, contractVersion: number, bounds, summaries, stoppedBy }
}

async function statusStops(reading: Reading, row: SourceRow): Promise<Stop[]> {
  const { db, tenantId } = reading
  const source = await readSourceState(reading, row)
  if (source === undefined) return []
  const { status, openItems } = source.state
  const found: Stop[] = status === 'enabled' ? [] : [{ item: 'status', reason: statusReasons[status] }]
  for (const { item, problem, detail } of openItems) found.push({ item, reason: detail ?? problem })
  const circuit = await findTransition(db, { tenantId, sourceId: row.id })
  if (circuit?.state === 'open') found.push({ item: 'circuit', reason: circuit.cause })
  return found
}

function notNewest({ contract_version }: SourceRow, number: number): Stop {
  const reason = `Version ${number} is not the newest one: only version ${contract_version} can be used.`
  return { item: 'version', reason }
}

/** Returns the missing items of an older version of the contract. For the newest version the status already lists them. */
function missing(of: Contract): Stop[] {
  return contractItems.filter((item) => of[item] === undefined).map((item) => ({ item, reason: 'missing' }))
}
