import { z } from 'zod'
import { savePositionVersion } from '../../../store/change/follow-audit.queries.ts'
import { defineJobKind, type JobContext } from '../../jobs/jobs.ts'
import { deleteOtherwiseRead } from '../dns/cache.ts'
import { allCandidatesOf, deriveCandidates } from './derive.ts'
import { selectRecordIds } from './facts.queries.ts'
import { followerName } from './follow.queries.ts'
import { refreshUses } from './refresh-uses.ts'
import { DERIVATION_VERSION } from './wanted.rules.ts'

const TIMEOUT_MS = 3_600_000
/** Records per step. Steps are small, so that the process can serve requests between them. */
const RECORDS_A_STEP = 10

/** Job that derives the candidates of the whole tenant, after an import or on request. */
export const domainCandidates = defineJobKind({
  kind: 'domain-candidates',
  title: 'Search for domains of all prospects',
  permission: 'domains.decide',
  input: z.strictObject({}),
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Reads the prospects of the workspace with their evidence; writes domain candidates and ends those without evidence. Decisions do not change.',
  run: (context) => deriveAll(context),
})

/**
 * Job that derives the candidates of the whole tenant after the suffix list or the rules changed; the service queues it. It evaluates open candidates
 * again, leaves decided ones unchanged, and deletes cached DNS answers that the new suffix list assigns to another domain.
 */
export const domainReevaluation = defineJobKind({
  kind: 'domain-reevaluation',
  title: 'Evaluate domains by the present suffix list',
  permission: 'domains.decide',
  input: z.strictObject({}),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 3,
  isCancellable: true,
  touches:
    'Reads the prospects of the workspace with their evidence; evaluates open domain candidates by the present suffix list. Decisions do not change.',
  run: async (context) => {
    const result = await deriveAll(context)
    const { tenantId, effect } = context
    await effect(`finish ${DERIVATION_VERSION}`, { action: 'domain_candidate.derive' }, async (tx) => {
      const deleted = await deleteOtherwiseRead(tx)
      await savePositionVersion(tx.db, { tenantId, follower: followerName, version: DERIVATION_VERSION })
      await tx.record({ subject: allCandidatesOf(tenantId), after: { version: DERIVATION_VERSION, deleted } })
      return { deleted }
    })
    return result
  },
})

/**
 * Derives the domains that all records use first and the candidates afterwards, so that the evaluation of each candidate sees all uses. A job that
 * resumes under another derivation version starts from the beginning.
 */
async function deriveAll(context: JobContext) {
  const { store, tenantId, effect, progress, checkpoint, signal } = context
  const left = context.resume?.version === DERIVATION_VERSION ? context.resume : null
  const totals = { records: 0, opened: 0, updated: 0, superseded: 0 }
  const places = {
    uses: typeof left?.uses === 'string' ? left.uses : '',
    candidates: typeof left?.candidates === 'string' ? left.candidates : '',
  }
  const walk = async (pass: keyof typeof places, step: (ids: string[], behind: string) => Promise<void>) => {
    for (let steps = 1; ; steps++) {
      signal.throwIfAborted()
      const behind = places[pass]
      const ids = await selectRecordIds(store.reader, tenantId, behind, RECORDS_A_STEP)
      const last = ids.at(-1)
      if (last === undefined) return
      await step(ids, behind)
      places[pass] = last
      if (steps % 20 === 0) await checkpoint({ version: DERIVATION_VERSION, ...places })
    }
  }
  await walk('uses', async (ids) => {
    await refreshUses(store, tenantId, ids)
  })
  await walk('candidates', async (ids, behind) => {
    const name = `${DERIVATION_VERSION} candidates behind ${behind}`
    const step = await effect(name, { action: 'domain_candidate.derive' }, (tx) => deriveCandidates(tx, ids))
    totals.records += ids.length
    totals.opened += step.opened
    totals.updated += step.updated
    totals.superseded += step.superseded
    progress({ done: totals.records, total: null, unit: 'records' })
  })
  return totals
}
