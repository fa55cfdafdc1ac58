import type { Logger } from 'pino'
import type { Loop } from '../../../lib/every.ts'
import { change, unchanged } from '../../../store/change/change.ts'
import { everyInOneProcess } from '../../../store/change/leases.ts'
import type { Store } from '../../../store/store.ts'
import { forEachTenant, systemActor } from '../../identity/identity.ts'
import { findEnablement, lapseOf, lapseWhereDue } from '../enablement/enablement.ts'
import { emptySuppressed, expireCandidates } from './empty-candidates.ts'

/** Half of the ten seconds within which a suppressed candidate is emptied. */
const EVERY_MS = 5_000

type Upkeep = { store: Store; log: Pick<Logger, 'error'> }

/** The newest entry that the candidates of each tenant were compared with. */
type Asked = Map<string, string>

/** Records lapses, and empties candidates that expired or that a suppression matches. */
export function startUpkeep({ store, log }: Upkeep): Loop {
  const asked: Asked = new Map()
  return everyInOneProcess(store, {
    name: 'contacts',
    ms: EVERY_MS,
    work: (isStopped) => keepUp(store, isStopped, asked),
    log,
    failed: 'the upkeep of contact candidates failed',
  })
}

/** Runs one round over all tenants. */
export async function keepUp(
  store: Store,
  isStopped: () => boolean = () => false,
  asked: Asked = new Map(),
): Promise<void> {
  await forEachTenant(store, async (tenantId) => {
    if (isStopped()) return
    await recordLapse(store, tenantId)
    const newest = await newestEntry(store, tenantId)
    if (newest !== asked.get(tenantId)) {
      await emptySuppressed(store, tenantId, isStopped)
      asked.set(tenantId, newest)
    }
    await expireCandidates(store, tenantId, isStopped)
  })
}

/** Returns the id of the newest entry. Entries are added and ended, and never changed otherwise. */
async function newestEntry(store: Store, tenantId: string): Promise<string> {
  const { newest } = await store.reader
    .selectFrom('suppressions')
    .select(({ fn }) => fn.max('id').as('newest'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return newest ?? ''
}

async function recordLapse(store: Store, tenantId: string): Promise<void> {
  const now = store.clock().toISOString()
  const asker = { db: store.reader, keys: store.keys }
  const enablement = await findEnablement(store.reader, tenantId)
  if ((await lapseOf(asker, tenantId, enablement, now)) === null) return
  const actor = systemActor('contacts', tenantId)
  await change(store, actor, { permission: null, action: 'extraction.lapse' }, async (tx) => {
    const before = await findEnablement(tx.db, tenantId)
    const { state } = await lapseWhereDue(tx)
    return before.state === state ? unchanged(null) : null
  })
}
