import { daysAfter } from '../../../lib/clock.ts'
import { newId } from '../../../lib/ids.ts'
import type { Tx } from '../../../store/change/change.ts'
import { type Business, familyOf, getBusiness } from '../../businesses/businesses.ts'
import { keyHasher, recordKeysOf } from '../../contact-gate/contact-gate.ts'
import { hostOfAddress, NORMALIZATION_VERSION, valuesIn } from '../../normalization/normalization.ts'
import { candidateBounds } from '../bounds.ts'
import type { SightingTable } from '../contacts.table.ts'
import type { StoredExtraction } from '../extractions/extractions.queries.ts'
import type { StoredCounts } from '../extractions/extractions.schema.ts'
import { exampleBounds } from '../reading/excluded-example.rules.ts'
import { type ExcludedRule, excludedRules, type FoundValue, type ReadContacts } from '../reading/found-values.ts'
import { askGate } from './ask-gate.ts'
import {
  countUndecided,
  insertCandidate,
  insertSightings,
  type KnownCandidate,
  selectKnownCandidates,
  selectRejected,
  updateCandidate,
} from './candidates.queries.ts'
import { spellingsOf } from './spellings.ts'

/** The values of one page, with its address, site, scan and time of observation. */
export type ReadPageContacts = {
  url: string
  siteId: string
  scanId: string
  observedAt: string
  contacts: ReadContacts
}

export type SavedFindings = { counts: StoredCounts; isLimited: boolean }

/** One value with the pages that state it. */
type Finding = { identity: string; best: FoundValue; sightings: { page: ReadPageContacts; found: FoundValue }[] }

/**
 * Stores what pages state as candidates, after every value was asked about at the gate: a match is counted and stored nowhere. A value that was found
 * before gets a further sighting, and leaves quarantine if a page states it plainly now. Errors: those of the gate.
 */
export async function saveFindings(
  tx: Tx,
  extraction: StoredExtraction,
  read: readonly ReadPageContacts[],
): Promise<SavedFindings> {
  const { tenantId } = tx.actor
  const { businessId } = extraction
  const findings = findingsOf(read)
  const allowed = await allowedFindings(tx, findings)
  const family = await familyOf(tx.db, tenantId, businessId)
  const hash = rejectionHasher(tx)
  const hashes = allowed.flatMap((finding) => identitiesOf(finding).map(hash))
  const rejected = await selectRejected(tx.db, tenantId, family, { hashes, now: tx.at })
  const known = await selectKnownCandidates(tx.db, tenantId, family, allowed.flatMap(identitiesOf))
  const recordKeys = keysOfRecord(await getBusiness(tx.db, tenantId, businessId))
  const counts: StoredCounts = {
    excluded: summed(read.map(({ contacts }) => contacts.excluded)),
    examples: await allowedExamples(tx, read),
    protected: summed(read.map(({ contacts }) => contacts.protected)),
    suppressed: findings.length - allowed.length,
    rejectedBefore: 0,
    acceptedBefore: 0,
  }
  let room = Math.min(
    extraction.applied.candidates,
    candidateBounds.openOfBusiness - (await countUndecided(tx.db, tenantId, businessId)),
  )
  let isLimited = false
  for (const finding of allowed) {
    const identities = identitiesOf(finding)
    const candidate = identities.map((identity) => known.get(identity)).find((one) => one !== undefined)
    if (identities.some((identity) => rejected.has(hash(identity)))) counts.rejectedBefore += 1
    else if (candidate?.state === 'accepted') counts.acceptedBefore += 1
    else if (candidate !== undefined) await addSightings(tx, extraction, candidate, finding)
    else if (room <= 0) isLimited = true
    else {
      room -= 1
      const isKnown = spellingsOf(finding.best)
        .flatMap(recordKeysOf)
        .some((key) => recordKeys.has(key))
      await insertFinding(tx, extraction, finding, isKnown)
    }
  }
  return { counts, isLimited }
}

/** Returns the key by which the same value is found again on another page. */
function identityOf({ kind, value, normalized }: Pick<FoundValue, 'kind' | 'value' | 'normalized'>): string {
  return normalized === null
    ? `${kind}?${value.toLowerCase().replace(/[^\p{L}\p{N}@.+]/gu, '')}`
    : `${kind}:${normalized}`
}

/** Returns the identities of a finding: its own, and for a number in local form those by which earlier versions, which read no country, stored it. */
function identitiesOf({ identity, sightings }: Finding): string[] {
  const former = sightings.flatMap(({ found }) =>
    found.region === null ? [] : [identityOf({ ...found, normalized: null })],
  )
  return [...new Set([identity, ...former])]
}

export function rejectionHasher({ keys, actor }: Tx): (identity: string) => string {
  const hash = keyHasher(keys, actor.tenantId)
  return (identity) => hash(`contact-rejection ${identity}`)
}

function findingsOf(read: readonly ReadPageContacts[]): Finding[] {
  const all = read.flatMap((page) =>
    page.contacts.values.map((found) => ({ page, found, identity: identityOf(found) })),
  )
  return [...Map.groupBy(all, ({ identity }) => identity)].flatMap(([identity, sightings]) => {
    const open = sightings.filter(({ found }) => found.rule === null)
    const best = open.find(({ found }) => found.region === null) ?? open[0] ?? sightings[0]
    return best === undefined ? [] : [{ identity, best: best.found, sightings }]
  })
}

/** Returns some of the excluded texts of all pages, without those that a suppression matches. */
async function allowedExamples(tx: Tx, read: readonly ReadPageContacts[]): Promise<StoredCounts['examples']> {
  const texts: { rule: ExcludedRule; text: string }[] = []
  for (const { contacts } of read)
    for (const rule of excludedRules) for (const text of contacts.examples[rule] ?? []) texts.push({ rule, text })
  const inTexts = texts.flatMap(({ text }) =>
    valuesIn(text).map(({ kind, normalized: value }) => ({ kind, value, text })),
  )
  const refused = new Set((await askGate(tx, tx.actor.tenantId, inTexts)).map(({ index }) => inTexts[index]?.text))
  const examples: Partial<Record<ExcludedRule, string[]>> = {}
  for (const { rule, text } of texts) {
    const shown = examples[rule] ?? []
    if (refused.has(text) || shown.includes(text) || shown.length >= exampleBounds.ofRule) continue
    examples[rule] = [...shown, text]
  }
  return examples
}

/** Returns the findings that no suppression matches. A title, heading or context with a suppressed value is emptied. */
async function allowedFindings(tx: Tx, findings: readonly Finding[]): Promise<Finding[]> {
  const { tenantId } = tx.actor
  // Every page may spell the value differently.
  const values = findings.flatMap(({ sightings }, at) =>
    sightings.flatMap(({ found }) => spellingsOf(found).map((value) => ({ ...value, at }))),
  )
  const suppressed = new Set((await askGate(tx, tenantId, values)).map(({ index }) => values[index]?.at))
  const allowed = findings.filter((_, at) => !suppressed.has(at))
  const texts = allowed.flatMap(({ sightings }) =>
    sightings.flatMap(({ page, found }) => [found.context, found.location, page.contacts.title ?? '']),
  )
  const inTexts = [...new Set(texts)].flatMap((text) =>
    valuesIn(text).map(({ kind, normalized: value }) => ({ kind, value, text })),
  )
  const matches = await askGate(tx, tenantId, inTexts)
  const refused = new Set(matches.flatMap(({ index }) => inTexts[index]?.text ?? []))
  const clean = (text: string) => (refused.has(text) ? '' : text)
  return allowed.map((finding) => ({
    ...finding,
    sightings: finding.sightings.map(({ page, found }) => ({
      page: { ...page, contacts: { ...page.contacts, title: clean(page.contacts.title ?? '') } },
      found: { ...found, context: clean(found.context), location: clean(found.location) },
    })),
  }))
}

function keysOfRecord({ emails, phones }: Business): ReadonlySet<string> {
  return new Set([
    ...emails.flatMap(({ value }) => recordKeysOf({ kind: 'email', value })),
    ...phones.flatMap(({ value, region }) => recordKeysOf({ kind: 'phone', value, region: region ?? null })),
  ])
}

async function insertFinding(tx: Tx, extraction: StoredExtraction, finding: Finding, isKnown: boolean): Promise<void> {
  const { best, identity } = finding
  const { kind, value, normalized, uncertainty, region, rule, confidence, syntax, isRole, isFreeMail } = best
  const id = newId()
  const state = isKnown ? 'known' : rule === null ? 'open' : 'quarantined'
  await insertCandidate(
    tx.db,
    {
      tenant_id: tx.actor.tenantId,
      id,
      business_id: extraction.businessId,
      extraction_id: extraction.id,
      kind,
      created_at: tx.at,
    },
    {
      state,
      value,
      normalized,
      normalization_version: NORMALIZATION_VERSION,
      uncertainty,
      region,
      identity,
      domain: kind === 'email' && normalized !== null ? hostOfAddress(normalized) : null,
      rule,
      confidence: JSON.stringify(confidence),
      syntax,
      is_role: isRole ? 1 : 0,
      is_free_mail: isFreeMail ? 1 : 0,
      delete_after: daysAfter(tx.at, extraction.applied.retentionDays),
    },
  )
  await insertSightings(tx.db, rowsOf(tx, extraction, id, finding, state))
}

async function addSightings(
  tx: Tx,
  extraction: StoredExtraction,
  { candidate_id: id, state, rule, sightings }: KnownCandidate,
  finding: Finding,
): Promise<void> {
  const { best } = finding
  const isReleased = state === 'quarantined' && best.rule === null
  if (isReleased)
    await updateCandidate(
      tx.db,
      { tenantId: tx.actor.tenantId, id },
      { state: 'open', rule: null, confidence: JSON.stringify(best.confidence) },
    )
  const now = isReleased ? 'open' : state === 'known' ? 'known' : state === 'open' ? 'open' : 'quarantined'
  const rows = rowsOf(tx, extraction, id, finding, now)
  const room = Math.max(1, candidateBounds.sightingsOfCandidate - sightings)
  await insertSightings(
    tx.db,
    rows.slice(0, room).map((row) => ({ ...row, rule: now === 'quarantined' ? (row.rule ?? rule) : row.rule })),
  )
}

function rowsOf(
  tx: Tx,
  extraction: StoredExtraction,
  candidateId: string,
  { sightings }: Finding,
  result: SightingTable['result'],
): SightingTable[] {
  return sightings.map(({ page, found }) => ({
    tenant_id: tx.actor.tenantId,
    id: newId(),
    candidate_id: candidateId,
    extraction_id: extraction.id,
    scan_id: page.scanId,
    site_id: page.siteId,
    page_url: page.url,
    page_title: page.contacts.title,
    location: found.location,
    context: found.context,
    method: found.method,
    rule: found.rule,
    result,
    observed_at: page.observedAt,
  }))
}

function summed<Rule extends string>(
  counts: readonly Readonly<Partial<Record<Rule, number>>>[],
): Partial<Record<Rule, number>> {
  const total: Partial<Record<Rule, number>> = {}
  for (const one of counts)
    for (const rule of Object.keys(one) as Rule[]) total[rule] = (total[rule] ?? 0) + (one[rule] ?? 0)
  return total
}
