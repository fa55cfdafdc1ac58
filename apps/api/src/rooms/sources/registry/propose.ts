import { requireVersion } from '../../../http/conditional.ts'
import { isTooEarly, TOO_EARLY } from '../../../http/text.ts'
import { actorKey } from '../../../lib/actor.ts'
import { AppError, invalidField } from '../../../lib/app-error.ts'
import { dayAt } from '../../../lib/calendar.ts'
import { newId } from '../../../lib/ids.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import { requireRoom } from '../../../store/change/quota.ts'
import { getTenant, isMember } from '../../identity/identity.ts'
import type { CreateSource, EditSource, NewVersion } from '../sources.schema.ts'
import { type Mismatch, mismatchesOf, mismatchSentence } from './adapter-fit.rules.ts'
import { type AdapterRef, type Contract, contractLimits, versionFingerprint } from './contract.rules.ts'
import { append, getAdapterSource } from './decide.ts'
import { insertSource, insertVersion, isSlugTaken, updateSource } from './registry.queries.ts'
import { sourceQuota } from './registry.quota.ts'
import { adapterOf, getSourceRow } from './source-state.ts'

type Changing = { tx: Tx; adapters: LoadedAdapters }

/** Proposes a source with the first version of its contract. Errors: `conflict`, `terms_owner_not_a_member`, `invalid_request`, `limit_reached`. */
export async function createSource({ tx, adapters }: Changing, input: CreateSource): Promise<{ id: string }> {
  const { tenantId } = tx.actor
  const { slug, name, description = null, adapter, contract } = input
  if (await isSlugTaken(tx.db, tenantId, slug))
    throw new AppError('conflict', 'Another source of this workspace has this short name. Choose another one.', {
      errors: [{ path: 'slug', code: 'taken', message: 'Another source has this short name.' }],
    })
  await requireRoom(tx, sourceQuota)
  await requireValid(tx, adapter, adapters, contract, 'contract')
  const id = newId()
  await insertSource(tx.db, {
    tenant_id: tenantId,
    id,
    slug,
    name,
    description,
    kind: 'adapter',
    adapter_id: adapter.id,
    adapter_version: adapter.version,
    contract_version: 1,
    version: 1,
    created_at: tx.at,
    created_by: actorKey(tx.actor),
    updated_at: tx.at,
  })
  const fingerprint = versionFingerprint(contract, adapter, adapters)
  await saveVersion(tx, { sourceId: id, number: 1, contract, fingerprint })
  await tx.record({ subject: { type: 'source', id }, after: { slug, name, adapter, contractVersion: 1, fingerprint } })
  return { id }
}

type Edited = { version: number }

/** Changes name and description. The contract is changed by a new version only. Errors: `not_found`, `version_conflict`. */
export async function editSource(
  tx: Tx,
  { sourceId, version, edit }: { sourceId: string; version: number; edit: EditSource },
): Promise<Edited | Unchanged<Edited>> {
  const row = await getSourceRow(tx.db, tx.actor.tenantId, sourceId)
  requireVersion(version, row.version)
  const { name = row.name, description = row.description } = edit
  if (name === row.name && description === row.description) return unchanged({ version: row.version })
  await updateSource(tx.db, row, { name, description, updated_at: tx.at })
  await tx.record({
    subject: { type: 'source', id: sourceId },
    before: { name: row.name, description: row.description },
    after: { name, description },
  })
  return { version: row.version + 1 }
}

/**
 * Saves a new version of the contract. It has no approvals, so the source is disabled. Errors: `not_found`, `source_changed`,
 * `terms_owner_not_a_member`, `invalid_request`, `conflict`.
 */
export async function saveNewVersion(changing: Changing, sourceId: string, { basedOn, contract }: NewVersion) {
  const { tx, adapters } = changing
  const { tenantId } = tx.actor
  const row = await getSourceRow(tx.db, tenantId, sourceId)
  if (basedOn !== undefined && basedOn !== row.contract_version)
    throw new AppError(
      'source_changed',
      'Another version was saved after you opened this source. Compare both versions.',
    )
  const number = row.contract_version + 1
  const adapter = adapterOf(row)
  if (adapter === null) requireRetentionAlone(contract)
  else await endEnablement(changing, sourceId)
  if (adapter !== null) await requireValid(tx, adapter, adapters, contract, 'contract')
  const fingerprint = adapter === null ? '' : versionFingerprint(contract, adapter, adapters)
  await saveVersion(tx, { sourceId, number, contract, fingerprint })
  // Reads the record's version again, because disabling the source has incremented it.
  const { version } = await getSourceRow(tx.db, tenantId, sourceId)
  await updateSource(tx.db, { ...row, version }, { contract_version: number, updated_at: tx.at })
  await tx.record({
    subject: { type: 'source', id: sourceId },
    before: { contractVersion: row.contract_version },
    after: { contractVersion: number, fingerprint },
  })
  return { contractVersion: number }
}

async function endEnablement(changing: Changing, sourceId: string): Promise<void> {
  const source = await getAdapterSource(changing, sourceId)
  const { status } = source.state
  if (status === 'withdrawn') throw new AppError('conflict', 'This source was withdrawn. Propose a new source.')
  if (status !== 'enabled') return
  const reason = 'A new version of the contract was saved.'
  await append(changing.tx, source, 'source.disable', { kind: 'disablement', reason })
}

async function saveVersion(
  tx: Tx,
  {
    sourceId,
    number,
    contract,
    fingerprint,
  }: { sourceId: string; number: number; contract: Contract; fingerprint: string },
): Promise<void> {
  await insertVersion(tx.db, {
    tenant_id: tx.actor.tenantId,
    source_id: sourceId,
    number,
    contract: JSON.stringify(contract),
    fingerprint,
    author: actorKey(tx.actor),
    created_at: tx.at,
  })
}

function requireRetentionAlone({ rawRetention, ...rest }: Contract): void {
  const others = Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (rawRetention !== undefined && others.length === 0) return
  const message = 'The contract of a built-in entry has only a retention class for raw text.'
  throw invalidField(`contract.${others[0] ?? 'rawRetention'}`, 'not_built_in', message)
}

async function requireValid(
  tx: Tx,
  adapter: AdapterRef,
  adapters: LoadedAdapters,
  contract: Contract,
  path: string,
): Promise<void> {
  const { terms, settings } = contract
  if (terms !== undefined) {
    if (!(await isMember(tx.db, tx.actor.tenantId, terms.ownerId)))
      throw new AppError('terms_owner_not_a_member', 'The terms owner must be an active member of this workspace.')
    const { timeZone } = await getTenant(tx.db, tx.actor.tenantId)
    const today = dayAt(tx.at, timeZone)
    if (isTooEarly(terms.reviewDueOn)) throw invalidField(`${path}.terms.reviewDueOn`, 'too_early', TOO_EARLY)
    if (terms.reviewDueOn > today.add({ days: contractLimits.reviewWithinDays }).toString())
      throw invalidField(
        `${path}.terms.reviewDueOn`,
        'too_late',
        `The next review is due within ${contractLimits.reviewWithinDays} days.`,
      )
  }
  // A contract without settings is incomplete, and may be saved.
  const found = mismatchesOf(adapter, adapters, contract).filter(
    ({ item }) => item !== 'settings' || settings !== undefined,
  )
  if (found.length > 0) throw notAccepted(found, path)
}

function notAccepted(found: readonly Mismatch[], at: string): AppError {
  const errors = found.map(({ path, code, message }) => ({ path: `${at}.${path}`, code, message }))
  return new AppError('invalid_request', mismatchSentence(found), { errors })
}
