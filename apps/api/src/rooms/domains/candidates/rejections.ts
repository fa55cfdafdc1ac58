import { actorKey, type UserActor } from '../../../lib/actor.ts'
import { namedIn } from '../../../lib/app-error.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { requireDomain } from '../names/require-domain.ts'
import { isWithheld } from '../names/withheld.ts'
import { getCandidateRow } from './candidates.queries.ts'
import { countOpenOf, rejectStates, selectRejectable } from './rejections.queries.ts'
import { type DomainRejection, type RejectDomain, type RejectionPreview, rejectionLimits } from './rejections.schema.ts'

/*
 * Rejects the open candidates of one domain together, for example those of a mail host that many prospects use. Nothing is accepted together: an
 * association needs a person who saw the evidence of its record.
 */

/** Counts what a rejection would reject. A domain that the reader may not see has no candidates. Errors: `domain_not_resolvable`. */
export async function previewRejection(store: Store, reader: UserActor, typed: string): Promise<RejectionPreview> {
  const { domain } = requireDomain(typed, 'domain')
  const isHidden = await isWithheld(store, reader, domain)
  const rows = isHidden ? [] : await countOpenOf(store.reader, { tenantId: reader.tenantId, domain })
  const open = { low: 0, medium: 0, high: 0 }
  for (const { band, count } of rows) open[band] = count
  const counted = open.low + open.medium + open.high
  const newest = rows.map((row) => row.newest).toSorted()
  return { open, isMore: counted > rejectionLimits.counted, through: newest.at(-1) ?? null }
}

/**
 * Rejects a bounded number of open candidates with their evaluation as it is stored, so that a candidate whose evidence changes later is opened again.
 * Candidates that became open after the preview stay open. Errors: `invalid_request` (`through`).
 */
export async function rejectCandidatesOf(
  tx: Tx,
  { through, bands, reason }: RejectDomain,
): Promise<DomainRejection | Unchanged<DomainRejection>> {
  const { tenantId } = tx.actor
  const named = await namedIn('through', 'There is no such candidate.', getCandidateRow(tx.db, tenantId, through))
  const limit = rejectionLimits.atOnce + 1
  const found = await selectRejectable(tx.db, { tenantId, domain: named.domain, through, bands, limit })
  const rejected = found.slice(0, rejectionLimits.atOnce)
  if (rejected.length === 0) return unchanged({ rejected: 0, isMore: false })
  const ids = rejected.map(({ id }) => id)
  await rejectStates(tx.db, tenantId, ids, { at: tx.at, by: actorKey(tx.actor), reason })
  for (const { id, businessId, band, fingerprint } of rejected)
    await tx.record({
      subject: { type: 'domain_candidate', id },
      businessId,
      before: { state: 'open' },
      after: { state: 'rejected', band, fingerprint },
      reason,
    })
  return { rejected: rejected.length, isMore: found.length > rejected.length }
}
