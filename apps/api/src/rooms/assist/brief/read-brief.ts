import type { UserActor } from '../../../lib/actor.ts'
import { dayAt } from '../../../lib/calendar.ts'
import type { Store } from '../../../store/store.ts'
import {
  type Business,
  type FactField,
  factFields,
  familyOf,
  forReader,
  getBusiness,
  hidesWrittenFor,
} from '../../businesses/businesses.ts'
import {
  contentHashOf,
  type Evidence,
  evidenceForReader,
  type Fact,
  findEvidenceOf,
  listFacts,
  type RelatedClaim,
} from '../../evidence/evidence.ts'
import { getTenant } from '../../identity/identity.ts'
import {
  type BriefCounts,
  findLastMove,
  readCounts,
  selectClaimIds,
  selectInteractionsOf,
  selectObservedIds,
} from './brief.queries.ts'
import { BRIEF_LABEL, BRIEF_VERSION, type Brief, type BriefSentence, limits, type SectionKey } from './brief.schema.ts'
import { type Cited, isShortened, sentences, type Witness } from './sentences.rules.ts'

/*
 * The brief of a business: fixed sentences over its rows, without a model and without a stored result. Every sentence about evidence cites
 * it, and contact values are hidden as on the record itself.
 */

/** Number of claims read of fields that the record does not state; the same number as the evaluation of one field reads. */
const CLAIMS_READ = 1_000

type Observed = Map<string, { evidence: Evidence; cited: Cited }>
type Sources = {
  business: Business
  facts: Fact[]
  counts: BriefCounts
  stated: Map<FactField, string[]>
  observed: string[]
  interactions: Awaited<ReturnType<typeof selectInteractionsOf>>
  move: Awaited<ReturnType<typeof findLastMove>>
  evidence: Observed
  isHidden: boolean
  dayOf: (at: string) => string
  on: string
}

/** Composes the brief for this reader. `on`: default today in the time zone of the workspace. Writes nothing. Errors: `not_found`. */
export async function readBrief(
  store: Store,
  reader: UserActor,
  businessId: string,
  on: string | undefined,
): Promise<Brief> {
  const sources = await readSources(store, reader, businessId, on)
  const { business } = sources
  const sections: [SectionKey, BriefSentence[]][] = [
    ['do_not_contact', statusOf(sources)],
    ['known', knownOf(sources)],
    ['contradicted', contradictedOf(sources)],
    ['missing', missingOf(sources)],
    ['activity', activityOf(sources)],
    ['left_out', leftOutOf(sources)],
  ]
  return {
    businessId,
    on: sources.on,
    briefVersion: BRIEF_VERSION,
    label: BRIEF_LABEL,
    doNotContact: business.doNotContact !== null || business.survivorDoNotContact === true,
    sections: sections.map(([key, found]) => ({ key, sentences: found })),
  }
}

async function readSources(
  store: Store,
  reader: UserActor,
  businessId: string,
  requestedDay: string | undefined,
): Promise<Sources> {
  const { reader: db } = store
  const { tenantId } = reader
  const stored = await getBusiness(db, tenantId, businessId)
  const { timeZone } = await getTenant(db, tenantId)
  const dayOf = (at: string) => dayAt(at, timeZone).toString()
  const facts = await listFacts(store, reader, businessId, newestOfEachSide)
  const present = new Set(facts.map(({ field }) => field))
  const family = { tenantId, family: await familyOf(db, tenantId, businessId) }
  const missing = factFields.filter((field) => !present.has(field))
  const claims = Map.groupBy(await selectClaimIds(db, family, missing, CLAIMS_READ), ({ field }) => field)
  const stated = new Map([...claims].map(([field, rows]) => [field, rows.map(({ id }) => id)]))
  const observed = await selectObservedIds(db, family, limits.listedActivities)
  const cited = [
    ...facts.flatMap(({ evidence }) => evidence.map(({ id }) => id)),
    ...[...stated.values()].flatMap((ids) => ids.slice(0, limits.citedPerSide)),
    ...observed,
  ]
  const evidence = await readCited({ store, reader, business: stored, ids: cited })
  return {
    business: forReader(reader, stored),
    facts,
    counts: await readCounts(db, family),
    stated,
    observed,
    interactions: await selectInteractionsOf(db, family, limits.listedActivities),
    move: await findLastMove(db, tenantId, businessId),
    ...evidence,
    dayOf,
    on: requestedDay ?? dayOf(store.clock().toISOString()),
  }
}

/** Returns the cited observations with the values that the reader may see, each with the hash of its whole content. */
async function readCited({
  store: { reader: db, keys },
  reader,
  business,
  ids,
}: {
  store: Store
  reader: UserActor
  business: Business
  ids: readonly string[]
}): Promise<{ evidence: Observed; isHidden: boolean }> {
  const rows = await findEvidenceOf(db, reader.tenantId, business.id, [...new Set(ids)])
  const hides = await hidesWrittenFor(
    db,
    reader,
    business,
    rows.map(({ businessId }) => businessId),
  )
  const evidence: Observed = new Map()
  for (const row of rows) {
    const shown = await evidenceForReader({ db, keys }, reader, business, row)
    evidence.set(row.id, { evidence: shown, cited: { evidenceId: row.id, hash: contentHashOf(row) } })
  }
  return { evidence, isHidden: hides(business.id) || rows.some(({ businessId }) => hides(businessId)) }
}

/** Returns claims that support, contradict and leave open a value, so that none of them hides the others. */
function newestOfEachSide(claims: RelatedClaim[]): RelatedClaim[] {
  const of = (wanted: RelatedClaim['relation']) =>
    claims.filter(({ relation }) => relation === wanted).slice(0, limits.citedPerSide)
  return [...of('supports'), ...of('contradicts'), ...of('undecided')]
}

function statusOf({ business, dayOf }: Sources): BriefSentence[] {
  const { doNotContact, survivorDoNotContact, status } = business
  const blocks =
    doNotContact !== null
      ? [sentence('blocked', sentences.blocked({ on: dayOf(doNotContact.at), through: doNotContact.through }))]
      : [
          survivorDoNotContact === true
            ? sentence('survivor_blocked', sentences.survivorBlocked())
            : sentence('not_blocked', sentences.notBlocked()),
        ]
  if (status === 'active') return blocks
  return [...blocks, sentence(status, status === 'merged' ? sentences.merged() : sentences.inactive())]
}

function knownOf(sources: Sources): BriefSentence[] {
  const known = sources.facts.flatMap((fact, index) => {
    if (fact.standing === 'contradicted') return []
    const { field, value, supporting, undecided } = fact
    const supports = fact.evidence.filter(({ agreement }) => agreement !== 'unknown')
    const [newest] = supports
    const id = `${fact.standing}:${field}:${index}`
    if (newest === undefined) {
      const [open] = fact.evidence
      if (open === undefined) return [sentence(id, sentences.unsupported({ field, value }))]
      const text = sentences.undecided({
        field,
        value,
        count: undecided,
        other: open.value,
        newest: witness(open, sources),
        on: sources.on,
      })
      return [sentence(id, text, citing(sources, fact.evidence))]
    }
    const text = sentences.supported({
      field,
      value,
      count: supporting,
      newest: witness(newest, sources),
      other: newest.agreement === 'compatible' ? newest.value : null,
      on: sources.on,
    })
    return [sentence(id, text, citing(sources, supports))]
  })
  return [...known, sentence('pipeline', sentences.pipeline({ state: sources.business.pipelineState }))]
}

function contradictedOf(sources: Sources): BriefSentence[] {
  return sources.facts.flatMap((fact, index) => {
    const newest = fact.evidence.find(({ agreement }) => agreement === 'different')
    if (fact.standing !== 'contradicted' || newest === undefined) return []
    const { field, value, supporting, contradicting } = fact
    const text = sentences.contradicted({
      field,
      value,
      count: contradicting,
      agreeing: supporting,
      other: newest.value,
      newest: witness(newest, sources),
      on: sources.on,
    })
    const cited = fact.evidence.filter(({ agreement }) => agreement !== 'unknown')
    return [sentence(`contradicted:${field}:${index}`, text, citing(sources, cited))]
  })
}

function missingOf(sources: Sources): BriefSentence[] {
  const present = new Set(sources.facts.map(({ field }) => field))
  return factFields.flatMap((field) => {
    if (present.has(field)) return []
    const ids = sources.stated.get(field) ?? []
    const newest = sources.evidence.get(ids[0] ?? '')?.evidence
    if (newest === undefined || newest.value === null)
      return [sentence(`missing:${field}`, sentences.missing({ field }))]
    const text = sentences.missingButStated({
      field,
      value: newest.value,
      count: ids.length,
      newest: witness(newest, sources),
      on: sources.on,
    })
    const cited = ids.slice(0, limits.citedPerSide).map((id) => ({ id }))
    return [sentence(`missing_but_stated:${field}`, text, citing(sources, cited))]
  })
}

function activityOf(sources: Sources): BriefSentence[] {
  const observed = sources.observed.flatMap((id) => {
    const evidence = sources.evidence.get(id)?.evidence
    if (evidence === undefined || evidence.observation === null) return []
    const newest = witness(evidence, sources)
    const text = sentences.observed({ text: evidence.observation, newest, on: sources.on })
    return [sentence(`observed:${id}`, text, citing(sources, [{ id }]))]
  })
  const done = sources.interactions.map(({ id, occurred_at, channel, outcome }) =>
    sentence(`interaction:${id}`, sentences.interaction({ day: sources.dayOf(occurred_at), channel, outcome })),
  )
  const { move } = sources
  return [
    ...orElse(observed, 'nothing_observed', sentences.nothingObserved),
    ...orElse(done, 'no_interaction', sentences.noInteraction),
    move === undefined
      ? sentence('never_moved', sentences.neverMoved())
      : sentence('moved', sentences.moved({ day: sources.dayOf(move.at), from: move.from_state, to: move.to_state })),
  ]
}

function leftOutOf({ counts, facts, observed, interactions, evidence, isHidden }: Sources): BriefSentence[] {
  const shortened = observed.filter((id) => isShortened(evidence.get(id)?.evidence.observation ?? '')).length
  const olderObserved = counts.observed - observed.length
  const olderInteractions = counts.interactions - counts.corrected - interactions.length
  const uncounted = new Map(
    facts.flatMap(({ field, newestCounted: limit }) => (limit === null ? [] : [[field, limit]])),
  )
  const found = [
    ...(isHidden ? [sentence('hidden', sentences.hidden())] : []),
    ...some('superseded', counts.superseded, sentences.superseded),
    ...some('older_observed', olderObserved, sentences.olderObserved),
    ...some('shortened', shortened, sentences.shortened),
    ...some('older_interactions', olderInteractions, sentences.olderInteractions),
    ...some('corrected_interactions', counts.corrected, sentences.correctedInteractions),
    ...some('notes', counts.notes, sentences.notes),
    ...[...uncounted].map(([field, limit]) => sentence(`uncounted:${field}`, sentences.uncounted({ field, limit }))),
  ]
  return orElse(found, 'nothing_left_out', sentences.nothingLeftOut)
}

function some(id: string, count: number, write: (facts: { count: number }) => string): BriefSentence[] {
  return count > 0 ? [sentence(id, write({ count }))] : []
}

function orElse(found: BriefSentence[], id: string, write: () => string): BriefSentence[] {
  return found.length > 0 ? found : [sentence(id, write())]
}

function sentence(id: string, text: string, evidence: Cited[] = []): BriefSentence {
  return { id, text, evidence }
}

function citing({ evidence }: Sources, claims: readonly { id: string }[]): Cited[] {
  return claims.flatMap(({ id }) => evidence.get(id)?.cited ?? [])
}

type Lineage = Pick<Evidence, 'sourceLabel' | 'sourceReference' | 'confidence' | 'capturedAt' | 'capturedOn'>

function witness(
  { sourceLabel, sourceReference, confidence, capturedAt, capturedOn }: Lineage,
  { dayOf }: Sources,
): Witness {
  return {
    source: sourceLabel ?? sourceReference ?? 'an unnamed source',
    confidence,
    on: capturedOn ?? dayOf(capturedAt),
  }
}
