import { isPublicAddress } from '@prospect/adapter-contract/addresses'
import { daysAfter } from '../../../lib/clock.ts'
import type { JsonObject } from '../../../lib/json.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { judgePage } from '../pages/classify.rules.ts'
import { type PageFacts, repeatsBy } from '../pages/page-facts.ts'
import { findPolicyVersion } from '../policies/policies.queries.ts'
import type { ScanReason } from '../reasons.ts'
import type { PageClass } from '../scanning.table.ts'
import { currentVersions } from '../scans/read-scans.ts'
import {
  readReasons,
  readStoredFacts,
  selectEvaluable,
  selectRawPages,
  updateJudged,
  updateResult,
  versionsText,
} from '../scans/scans.queries.ts'
import { WHOLE_TEXT_SINCE } from '../versions.ts'

const AT_ONCE = 50

/**
 * Evaluates stored scans again by the present rules: classes of pages, facts that were missing on them, addresses that were connected to, and the
 * retention period. Fetches nothing and never improves a result: a class and a missing fact can only become less certain, an address that is denied
 * now blocks the scan, and a retention period only becomes shorter.
 */
export async function reevaluateScans({ store, tenantId, effect, progress }: JobContext): Promise<JsonObject> {
  let evaluated = 0
  let worse = 0
  for (let part = 0; ; part++) {
    const versions = await currentVersions(store.reader, tenantId)
    const ids = await selectEvaluable(store.reader, { tenantId, versions, limit: AT_ONCE })
    if (ids.length === 0) return { evaluated, worse }
    const evaluatedBy = versionsText(versions)
    const done = await effect(`part ${part} of ${ids[0]}`, { action: 'scan.reevaluate' }, async (tx) => {
      const policy = await findPolicyVersion(tx.db, tenantId, versions.policy)
      let worsened = 0
      for (const id of ids)
        if (await reevaluate(tx, id, { evaluatedBy, retentionDays: policy?.retentionDays })) worsened += 1
      await tx.record({
        subject: { type: 'tenant', id: tenantId },
        after: { versions: evaluatedBy, evaluated: ids.length, worse: worsened },
      })
      return worsened
    })
    evaluated += ids.length
    worse += done
    progress({ done: evaluated, total: null, unit: 'scans' })
  }
}

type By = { evaluatedBy: string; retentionDays: number | undefined }

async function reevaluate(tx: Tx, scanId: string, { evaluatedBy, retentionDays }: By): Promise<boolean> {
  const { tenantId } = tx.actor
  const scan = await selectRawPages(tx.db, { tenantId, id: scanId })
  const { pages, hops, state, reasons: stored, scannerVersion } = scan
  let isWorse = false
  for (const page of pages) {
    const facts = page.facts === null ? null : readStoredFacts(page.facts)
    const read = facts === null ? null : factsBy(scannerVersion, facts, page.class)
    const judged = judgePage(read, readReasons(page.reasons))
    // `content` would be a better class than the scan had, so it is never assigned.
    const next = judged.class === 'content' ? page.class : judged.class
    const nextFacts = judged.facts === null ? null : JSON.stringify(judged.facts)
    if (next === page.class && nextFacts === (facts === null ? null : JSON.stringify(facts))) continue
    await updateJudged(tx.db, { tenantId, scanId, position: page.position }, { class: next, facts: nextFacts })
    isWorse = true
  }
  const isDenied = hops.some(
    ({ verdict, address }) => verdict === 'allowed' && address !== null && !isPublicAddress(address),
  )
  const reasons = new Set<ScanReason>(readReasons(stored))
  if (isDenied) reasons.add('unsafe_address')
  if (isWorse || isDenied) reasons.add('policy_changed')
  await updateResult(
    tx.db,
    { tenantId, id: scanId },
    {
      evaluated_by: evaluatedBy,
      reasons: JSON.stringify([...reasons]),
      ...(isDenied && state !== 'blocked' ? { state: 'blocked' as const, expires_at: tx.at } : {}),
      ...(retentionDays === undefined ? {} : { delete_after: earlierEnd(scan, retentionDays) }),
    },
  )
  return isWorse || isDenied
}

/** Returns the earlier end of two retention periods: a longer period must not apply to pages that were read under a shorter one. */
function earlierEnd(scan: { requestedAt: string; deleteAfter: string | null }, retentionDays: number): string | null {
  const end = daysAfter(scan.requestedAt, retentionDays)
  return scan.deleteAfter === null || scan.deleteAfter < end ? scan.deleteAfter : end
}

/** Returns the facts without statements about text that the scanner of that time lost or did not read. Text that it found is on the page. */
function factsBy(scannerVersion: number, facts: PageFacts, pageClass: PageClass): PageFacts {
  const isMisjudged = scannerVersion < WHOLE_TEXT_SINCE && (pageClass === 'empty' || pageClass === 'needs_script')
  return { ...facts, counts: isMisjudged ? null : facts.counts, repeats: repeatsBy(scannerVersion, facts.repeats) }
}
