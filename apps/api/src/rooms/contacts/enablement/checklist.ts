import type { Kysely } from 'kysely'
import { numeral } from '../../../lib/numeral.ts'
import type { Database } from '../../../store/database.ts'
import type { Keys } from '../../../store/files/keys.ts'
import { gate, RULES_VERSION } from '../../contact-gate/contact-gate.ts'
import { tenantExists } from '../../identity/identity.ts'
import { hasApprovedSite } from '../../scanning/scanning.ts'
import { isEvaluated } from '../../suppression/suppression.ts'
import { candidateBounds, type ExtractionLimits, readingBounds, retentionChoices, runningBounds } from '../bounds.ts'
import { EXTRACTOR_VERSION, POLICY_VERSION } from '../versions.ts'
import type { ChecklistItem } from './enablement.schema.ts'

type Asked = {
  asker: { db: Kysely<Database>; keys: Keys }
  tenantId: string
  now: string
  limits: ExtractionLimits
  /** start of the present enablement; null if extraction is not enabled */
  since: string | null
}

/** Returns the requirements of an enablement (specification, Phase 9 §2) with their present state. Writes nothing. */
export async function checklistOf({ asker, tenantId, now, limits, since }: Asked): Promise<ChecklistItem[]> {
  const { db } = asker
  const hasScope = await tenantExists(db, tenantId)
  const hasSite = await hasApprovedSite(db, tenantId, now)
  const gateProblem = await problemOfGate(asker, tenantId)
  const { pages, candidates, extractionsPerDay, retentionDays } = limits
  const item = (key: ChecklistItem['key'], isOk: boolean, reason: string, resolvedBy: string): ChecklistItem => ({
    key,
    isOk,
    reason,
    since: isOk ? since : null,
    resolvedBy,
  })
  return [
    item(
      'tenant_scope',
      hasScope,
      hasScope ? 'Extraction reads and stores data of this workspace only.' : 'The workspace was not found.',
      'server operator',
    ),
    item(
      'official_site',
      hasSite,
      hasSite
        ? 'At least one official site is approved.'
        : 'No official site is approved, or all approvals have ended.',
      'scanning.approve_site',
    ),
    item('versions', true, `Extractor ${EXTRACTOR_VERSION}, policy ${POLICY_VERSION}.`, 'server operator'),
    item(
      'retention_class',
      retentionChoices.includes(retentionDays),
      `Open contacts are stored for ${retentionDays} days.`,
      'contacts.enable',
    ),
    item(
      'suppression_gate',
      gateProblem === null,
      gateProblem ?? `Each value is checked against the do-not-contact list (rules ${RULES_VERSION}).`,
      'server operator',
    ),
    item(
      'hard_limits',
      true,
      `At most ${pages} pages and ${candidates} candidates of an extraction, ${numeral(extractionsPerDay)} extractions a day, ${numeral(readingBounds.valuesPerPage)} values of a page, ${readingBounds.pageMs / 1_000} s a page, ${numeral(candidateBounds.openOfBusiness)} undecided candidates of a prospect, ${runningBounds.ofTenant} extractions at a time; redirects and bytes as the scan policy.`,
      'contacts.enable',
    ),
  ]
}

/** Returns the problem of the gate; null if it answers by its current rules. */
async function problemOfGate(asker: Asked['asker'], tenantId: string): Promise<string | null> {
  if (!(await answersGate(asker, tenantId))) return 'The do-not-contact list does not respond.'
  return (await isEvaluated(asker.db, tenantId))
    ? null
    : 'All prospects are being compared with the do-not-contact list. Wait until the job has ended.'
}

/** Returns false if the gate fails; callers then stop. */
export async function answersGate(asker: Asked['asker'], tenantId: string): Promise<boolean> {
  try {
    await gate(asker, tenantId, [{ kind: 'domain', value: 'gate.example' }])
    return true
  } catch {
    return false
  }
}
