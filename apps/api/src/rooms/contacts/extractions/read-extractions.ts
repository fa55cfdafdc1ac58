import type { Cursors, Page } from '../../../http/pagination.ts'
import { newestFirst } from '../../../http/pagination.ts'
import type { UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import type { Store } from '../../../store/store.ts'
import { getFamily } from '../../businesses/businesses.ts'
import { type CountedSighting, selectCountedSightings } from '../candidates/candidates.queries.ts'
import { findSuppressed } from '../candidates/find-suppressed.ts'
import type { ExtractionReason } from '../reasons.ts'
import { extractionsOf, findExtraction, type StoredExtraction, selectExtractions } from './extractions.queries.ts'
import type { Extraction } from './extractions.schema.ts'

const limitReasons: readonly ExtractionReason[] = ['page_limit', 'candidate_limit', 'time_limit']

/** Errors: `not_found`; those of the gate. */
export async function getExtraction(store: Store, reader: UserActor, id: string): Promise<Extraction> {
  const extraction = await findExtraction(store.reader, { tenantId: reader.tenantId, id })
  if (extraction === undefined) throw notFound()
  const [shown] = await withCounts(store, reader.tenantId, [extraction])
  if (shown === undefined) throw notFound()
  return shown
}

/** Extractions of the workspace, or of one prospect and of those merged into it, newest first. Errors: `invalid_request` (the cursor), `not_found`. */
export async function listExtractions(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { businessId, ...query }: { limit: number; cursor?: string | undefined; businessId?: string | undefined },
): Promise<Page<Extraction>> {
  const { tenantId } = reader
  const businessIds = businessId === undefined ? undefined : await getFamily(store.reader, tenantId, businessId)
  return newestFirst({
    store,
    tenantId,
    cursors,
    binding: ['extractions', tenantId, businessId ?? ''],
    query,
    fetch: async (before, limit) =>
      withCounts(store, tenantId, await selectExtractions(store.reader, { tenantId, businessIds, before, limit })),
    count: (db) => extractionsOf(db, { tenantId, businessIds }),
    toItem: (extraction) => extraction,
  })
}

/** Adds the counts. A candidate that a suppression matches is in no count. */
async function withCounts(
  store: Store,
  tenantId: string,
  extractions: readonly StoredExtraction[],
): Promise<Extraction[]> {
  const ids = extractions.map(({ id }) => id)
  const sightings = await selectCountedSightings(store.reader, tenantId, ids)
  const hidden = await findSuppressed({ db: store.reader, keys: store.keys }, tenantId, sightings)
  const shown = sightings.filter(({ candidateId, state }) => state !== 'suppressed' && !hidden.has(candidateId))
  const ofExtraction = Map.groupBy(shown, ({ extractionId }) => extractionId)
  return extractions.map(({ applied, stored, ...extraction }) => ({
    ...extraction,
    limits: { applied, reached: extraction.reasons.filter((reason) => limitReasons.includes(reason)) },
    counts: countsOf(stored, ofExtraction.get(extraction.id) ?? []),
    examples: stored.examples,
    undecided: undecidedOf(ofExtraction.get(extraction.id) ?? []),
  }))
}

function countsOf(stored: StoredExtraction['stored'], sightings: readonly CountedSighting[]): Extraction['counts'] {
  const { excluded, protected: protectedRules, suppressed, rejectedBefore, acceptedBefore } = stored
  const candidates = candidatesIn(sightings)
  const count = (result: CountedSighting['result']) => candidates.filter((one) => one.result === result).length
  const byRule: Extraction['counts']['byRule'] = { ...excluded, ...protectedRules }
  for (const { rule, result } of candidates)
    if (rule !== null && result === 'quarantined') byRule[rule] = (byRule[rule] ?? 0) + 1
  return {
    open: count('open'),
    known: count('known') + acceptedBefore,
    quarantined: count('quarantined'),
    protected: sum(protectedRules),
    excluded: sum(excluded),
    suppressed,
    rejectedBefore,
    byRule,
  }
}

function undecidedOf(sightings: readonly CountedSighting[]): Extraction['undecided'] {
  const candidates = candidatesIn(sightings)
  const count = (state: CountedSighting['state']) => candidates.filter((one) => one.state === state).length
  return { open: count('open'), known: count('known'), quarantined: count('quarantined') }
}

/** Returns each candidate once, although several pages may state its value. */
function candidatesIn(sightings: readonly CountedSighting[]): CountedSighting[] {
  return [...new Map(sightings.map((one) => [one.candidateId, one])).values()]
}

function sum(counts: Readonly<Partial<Record<string, number>>>): number {
  return Object.values(counts).reduce<number>((total, one) => total + (one ?? 0), 0)
}
