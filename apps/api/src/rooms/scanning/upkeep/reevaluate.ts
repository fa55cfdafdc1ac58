import { isPublicAddress } from '@prospect/adapter-contract/addresses'
import type { JsonObject } from '../../../lib/json.ts'
import type { Tx } from '../../../store/change/change.ts'
import type { JobContext } from '../../jobs/jobs.ts'
import { judgePage } from '../pages/classify.rules.ts'
import { type PageFacts, repeatsBy } from '../pages/page-facts.ts'
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
} from '../scans/scans.queries.ts'
import { WHOLE_TEXT_SINCE } from '../versions.ts'

const AT_ONCE = 50

/** Returns the versions of the scanner, address and DNS rules as one text, which is stored with a scan that was evaluated by them. */
function versionsText({ scanner, address, dns }: typeof currentVersions): string {
  return `${scanner}.${address}.${dns}`
}

/**
 * Evaluates stored scans again by the present rules: classes of pages, facts that were missing on them, and addresses that were connected to. Fetches
 * nothing and never improves a result: a class and a missing fact can only become less certain, and an address that is denied now blocks the scan.
 */
export async function reevaluateScans({ store, tenantId, effect, progress }: JobContext): Promise<JsonObject> {
  let evaluated = 0
  let worse = 0
  for (let part = 0; ; part++) {
    const ids = await selectEvaluable(store.reader, { tenantId, versions: currentVersions, limit: AT_ONCE })
    if (ids.length === 0) return { evaluated, worse }
    const done = await effect(`part ${part} of ${ids[0]}`, { action: 'scan.reevaluate' }, async (tx) => {
      let worsened = 0
      for (const id of ids) if (await reevaluate(tx, id)) worsened += 1
      await tx.record({
        subject: { type: 'tenant', id: tenantId },
        after: { versions: versionsText(currentVersions), evaluated: ids.length, worse: worsened },
      })
      return worsened
    })
    evaluated += ids.length
    worse += done
    progress({ done: evaluated, total: null, unit: 'scans' })
  }
}

async function reevaluate(tx: Tx, scanId: string): Promise<boolean> {
  const { tenantId } = tx.actor
  const { pages, hops, state, reasons: stored, scannerVersion } = await selectRawPages(tx.db, { tenantId, id: scanId })
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
      evaluated_by: versionsText(currentVersions),
      reasons: JSON.stringify([...reasons]),
      ...(isDenied && state !== 'blocked' ? { state: 'blocked' as const } : {}),
    },
  )
  return isWorse || isDenied
}

/** Returns the facts without statements about text that the scanner of that time lost or did not read. Text that it found is on the page. */
function factsBy(scannerVersion: number, facts: PageFacts, pageClass: PageClass): PageFacts {
  const isMisjudged = scannerVersion < WHOLE_TEXT_SINCE && (pageClass === 'empty' || pageClass === 'needs_script')
  return { ...facts, counts: isMisjudged ? null : facts.counts, repeats: repeatsBy(scannerVersion, facts.repeats) }
}
