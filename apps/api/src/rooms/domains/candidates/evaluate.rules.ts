import type { DnsRecord } from '@prospect/adapter-contract/dns'
import { daysAfter } from '../../../lib/clock.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { counted, numeral } from '../../../lib/numeral.ts'
import { NORMALIZATION_VERSION, SUFFIX_LIST_VERSION } from '../../normalization/normalization.ts'
import type { Band } from '../domains.table.ts'
import type { Evaluation, Flag, FlagName, Flags, Item } from './candidates.schema.ts'
import { parkingHosts } from './parking.data.ts'

/*
 * Evaluates the evidence for and against a domain of a business, and its confidence (specification, Phase 7 §5 to §6). Pure: the same facts and
 * versions give the same evaluation. DNS can support a candidate but never proves ownership.
 */

export const ALGORITHM_VERSION = 'domains-4'
/** Age at which a claim no longer counts by its confidence. An older claim counts like one of low confidence. */
const CLAIM_FRESH_DAYS = 365

export type Confidence = 'low' | 'medium' | 'high'

/** A reason why the domain may belong to the business. */
export type Support =
  /** `written`: the host as the evidence states it */
  | { code: 'claim'; evidenceId: string; host: string; written: string; confidence: Confidence; at: string }
  | { code: 'email_domain'; host: string; addresses: number }
  | { code: 'name'; label: string }
  | { code: 'person'; reason: string; at: string }

export type Lookalike = { domain: string; grade: 'foreign_letters' | 'similar_letters' }
export type DnsFact = {
  kind: 'MX' | 'NS' | 'TXT'
  status: string
  records: readonly DnsRecord[]
  observedAt: string
  /** when it becomes stale, also if that time is past */
  freshUntil: string
  isFresh: boolean
}

/** Facts of the tenant about the domain, except those of this business. */
export type Surroundings = {
  /** hash of tenant and domain, so that fingerprints of two tenants never match */
  subject: string
  isSharedHost: boolean
  suffix: 'private_suffix' | 'unknown_suffix' | null
  /** ids of the first few other records with this web domain */
  otherRecords: readonly string[]
  /** ids of the first few other records with an email address at the domain and without the web domain */
  otherMail: readonly string[]
  /** number of all other records that have the domain, by a web domain or an email address */
  otherUses: number
  /** number of open candidates of other records for the domain */
  otherProposals: number
  otherAssociations: readonly string[]
  /** true if other records have a host below the domain */
  hasSiblings: boolean
  /** known domains that look similar to this domain */
  lookalikes: readonly Lookalike[]
  /** newest observation of each record type for the domain itself */
  dns: readonly DnsFact[]
  /** newest observations of those names below the domain that no record has: status and records of each name */
  unusedNames: readonly { name: string; status: string; records: string }[]
  doNotContact: boolean
  /** time of the evaluation, from which ages are measured */
  at: string
}

/** `dueAt`: when the evaluation can next change by age alone; null if it cannot. */
export type Evaluated = { evaluation: Evaluation; band: Band; fingerprint: string; dueAt: string | null }

export function evaluate(supports: readonly Support[], around: Surroundings): Evaluated {
  const flags = flagsOf(around)
  const evidence = { for: supporting(supports, around), against: opposing(around) }
  const { doNotContact } = around
  const evaluation: Evaluation = {
    evidence,
    flags,
    freshness: freshnessOf(supports, around),
    uncertainty: uncertaintyOf(supports, around),
    doNotContact,
  }
  return {
    evaluation,
    band: bandOf(supports, around, flags),
    fingerprint: fingerprintOf(evaluation, around.subject),
    dueAt: dueAtOf(supports, around),
  }
}

type Claim = Extract<Support, { code: 'claim' }>

function claimFreshUntil({ at }: Claim): string {
  return daysAfter(at, CLAIM_FRESH_DAYS)
}

function isClaimFresh(claim: Claim, { at }: Surroundings): boolean {
  return claimFreshUntil(claim) > at
}

function claimsIn(supports: readonly Support[]): Claim[] {
  return supports.filter((support) => support.code === 'claim')
}

function dueAtOf(supports: readonly Support[], around: Surroundings): string | null {
  const claims = claimsIn(supports).filter((claim) => isClaimFresh(claim, around))
  const dns = around.dns.filter(({ isFresh }) => isFresh)
  const ends = [...claims.map(claimFreshUntil), ...dns.map(({ freshUntil }) => freshUntil)]
  return ends.toSorted()[0] ?? null
}

const parts = ['evidence', 'flags', 'versions', 'suppression'] as const
export type FingerprintPart = (typeof parts)[number]

/**
 * Returns a fingerprint in which each part is hashed separately, so that a later comparison can name the parts that changed. Evidence from uses is part
 * of the flags, because more uses must not open a rejected candidate again. Numbers of records are left out: a decision stays valid when one more of
 * many records has the domain.
 */
function fingerprintOf(evaluation: Evaluation, subject: string): string {
  const { evidence, doNotContact } = evaluation
  const isOfUses = ({ code }: Item) => code === 'other_mail'
  const of: Record<FingerprintPart, unknown> = {
    evidence: { ...evidence, against: evidence.against.filter((item) => !isOfUses(item)) },
    flags: [withoutCounts(evaluation).flags, evidence.against.filter(isOfUses)],
    versions: [ALGORITHM_VERSION, NORMALIZATION_VERSION, SUFFIX_LIST_VERSION],
    suppression: doNotContact,
  }
  return parts.map((part) => fingerprint([subject, of[part]]).slice(0, 16)).join('.')
}

/** Returns the evaluation without the reasons that are numbers of records. */
export function withoutCounts(evaluation: Evaluation): Evaluation {
  const { shared, conflictingEvidence } = evaluation.flags
  const flags = {
    ...evaluation.flags,
    shared: { ...shared, reason: '' },
    conflictingEvidence: { ...conflictingEvidence, reason: '' },
  }
  return { ...evaluation, flags }
}

/** Returns the parts in which two fingerprints differ. If one of the strings is not a fingerprint, returns all parts. */
export function changedParts(seen: string, present: string): FingerprintPart[] {
  const [before, now] = [seen.split('.'), present.split('.')]
  return parts.filter((_, at) => before[at] !== now[at])
}

/** Returns the evidence part of a fingerprint. A rejected candidate is opened again only if this part changed. */
export function evidenceOf(stored: string): string {
  return stored.split('.', 1).join()
}

function supporting(supports: readonly Support[], { dns }: Surroundings): Item[] {
  const items = supports.map(itemOf)
  const mx = dns.find(({ kind, status }) => kind === 'MX' && status === 'resolved')
  if (mx !== undefined && acceptsMail(mx.records))
    items.push({
      ...plain,
      code: 'mx',
      text: 'DNS names mail servers for the domain. That is no proof of who owns it.',
      at: mx.observedAt,
    })
  return items
}

const plain = { at: null, evidenceId: null, businessId: null }

function itemOf(support: Support): Item {
  switch (support.code) {
    case 'claim':
      return {
        ...plain,
        code: 'claim',
        text: `Evidence of ${support.confidence} confidence claims ${support.host}.`,
        at: support.at,
        evidenceId: support.evidenceId,
      }
    case 'email_domain':
      return {
        ...plain,
        code: 'email_domain',
        // The text is part of the fingerprint of the evidence, so a changed text would reopen rejected candidates.
        text:
          support.addresses === 1
            ? `An email address of the business is at ${support.host}.`
            : `${numeral(support.addresses)} email addresses of the business are at ${support.host}.`,
      }
    case 'name':
      return { ...plain, code: 'name', text: `The name of the business equals the label "${support.label}".` }
    case 'person':
      return { ...plain, code: 'person', text: `A person proposed it: ${support.reason}`, at: support.at }
  }
}

/** Returns true if the domain accepts mail. By RFC 7505 a null MX means that it does not. */
function acceptsMail(records: readonly DnsRecord[]): boolean {
  return records.some((record) => record.kind === 'MX' && record.exchange !== '.')
}

/**
 * Returns the evidence against the domain. It contains no names of other records, because an erasure of those records does not rewrite this
 * evaluation.
 */
function opposing({ otherRecords, otherMail, otherAssociations }: Surroundings): Item[] {
  const records = otherRecords.map(
    (businessId): Item => ({ ...plain, code: 'other_record', text: 'Another record has the domain.', businessId }),
  )
  const mail = otherMail.map(
    (businessId): Item => ({
      ...plain,
      code: 'other_mail',
      text: 'Another record has an email address at the domain.',
      businessId,
    }),
  )
  const associations = otherAssociations.map(
    (businessId): Item => ({
      ...plain,
      code: 'other_association',
      text: 'The domain was accepted for another business.',
      businessId,
    }),
  )
  return [...records, ...mail, ...associations]
}

const yes = (reason: string): Flag => ({ value: 'yes', reason })
const no = (reason: string): Flag => ({ value: 'no', reason })
const probable = (reason: string): Flag => ({ value: 'likely', reason })
const unknown = (reason: string): Flag => ({ value: 'unknown', reason })

function flagsOf(around: Surroundings): Flags {
  return {
    shared: sharedFlag(around),
    parked: parkedFlag(around),
    wildcard: wildcardFlag(around),
    homograph: homographFlag(around),
    siblingSubdomain: siblingFlag(around),
    conflictingEvidence: conflictFlag(around),
  }
}

/** The number of records that have a domain shows that a domain is probably shared, such as that of a mail service that no list contains. */
function sharedFlag({ isSharedHost, otherUses }: Surroundings): Flag {
  if (isSharedHost) return yes('Anybody can have a page there.')
  return otherUses > 0 ? probable(usedBy(otherUses)) : no('No other prospect uses it, and it is no known shared host.')
}

function usedBy(others: number): string {
  return counted(others, 'other prospect uses it.', 'other prospects use it.')
}

function parkedFlag({ dns }: Surroundings): Flag {
  const ns = dns.find(({ kind }) => kind === 'NS')
  if (ns === undefined || ns.status !== 'resolved') return unknown('No name servers were observed.')
  if (!ns.isFresh) return unknown('The observation of its name servers is stale.')
  const parked = ns.records.some(
    (record) => record.kind === 'NS' && parkingHosts.some((host) => `.${record.host}`.endsWith(`.${host}`)),
  )
  return parked
    ? yes('Its name servers belong to a parking service.')
    : no('Its name servers are of no known parking service.')
}

function wildcardFlag({ unusedNames }: Surroundings): Flag {
  const absent = unusedNames.find(({ status }) => status === 'nxdomain')
  if (absent !== undefined) return no(`DNS has no name ${absent.name}.`)
  const present = unusedNames.filter(({ status }) => status === 'resolved')
  const answers = new Set(present.map(({ records }) => records))
  return present.length > 1 && answers.size === 1
    ? yes(`${numeral(present.length)} names that no record has were answered alike.`)
    : unknown('No name below it was observed that would show it.')
}

function homographFlag({ lookalikes: [first] }: Surroundings): Flag {
  if (first === undefined) return no('No known domain looks like it.')
  const grade = first.grade === 'foreign_letters' ? 'letters of another script' : 'similar letters'
  return yes(`It looks like a domain of another record, by ${grade}.`)
}

function siblingFlag({ hasSiblings }: Surroundings): Flag {
  return hasSiblings ? yes('Another record has another name below it.') : no('No other record has a name below it.')
}

function conflictFlag({ otherUses, otherProposals, otherAssociations: { length: accepted } }: Surroundings): Flag {
  const reasons = [
    ...(accepted > 0 ? [accepted === 1 ? 'It was accepted for another prospect.' : 'It was accepted for others.'] : []),
    ...(otherUses > 0 ? [usedBy(otherUses)] : []),
    // Most records that have the domain also have a candidate for it, so proposals count only where no record has it.
    ...(otherUses === 0 && otherProposals > 0 ? [proposedFor(otherProposals)] : []),
  ]
  return reasons.length > 0 ? yes(reasons.join(' ')) : no('No other prospect uses it, and it is proposed for no other.')
}

function proposedFor(others: number): string {
  return `It is also proposed for ${counted(others, 'other prospect', 'other prospects')}.`
}

const uncounted: readonly FlagName[] = ['shared', 'homograph', 'siblingSubdomain', 'conflictingEvidence']

/** Turns each `no` that changes of other records could contradict into `unknown`, while those changes are not counted yet. */
export function beforeCounting(flags: Flags): Flags {
  const open = uncounted.filter((name) => flags[name].value === 'no')
  const reason = unknown('Newer changes of prospects are not counted yet.')
  return { ...flags, ...Object.fromEntries(open.map((name) => [name, reason])) }
}

function freshnessOf(supports: readonly Support[], { dns }: Surroundings): Evaluation['freshness'] {
  const times = supports.flatMap((support) => ('at' in support ? [support.at] : [])).toSorted()
  const state = dns.length === 0 ? 'not_checked' : dns.every(({ isFresh }) => isFresh) ? 'fresh' : 'stale'
  return { newestEvidenceAt: times.at(-1) ?? null, dns: state }
}

/** The fingerprint does not include these reasons, because stale evidence must neither end a review nor reopen a rejected candidate. */
function uncertaintyOf(supports: readonly Support[], around: Surroundings): Evaluation['uncertainty'] {
  const { suffix, dns } = around
  const found: Evaluation['uncertainty'] = suffix === null ? [] : [suffix]
  if (dns.length === 0) found.push('dns_not_checked')
  else if (!dns.every(({ isFresh }) => isFresh)) found.push('dns_stale')
  if (claimsIn(supports).some((claim) => !isClaimFresh(claim, around))) found.push('claim_stale')
  if (supports.every(({ code }) => code === 'name')) found.push('name_alone')
  return found
}

const claimWeights = { low: 1, medium: 2, high: 3 } as const

function bandOf(supports: readonly Support[], around: Surroundings, flags: Flags): Band {
  const { suffix, dns } = around
  const claims = claimsIn(supports).map((claim) => claimWeights[isClaimFresh(claim, around) ? claim.confidence : 'low'])
  const has = (code: Support['code']) => supports.some((support) => support.code === code)
  const mail = dns.some(
    ({ kind, status, records, isFresh }) => kind === 'MX' && status === 'resolved' && isFresh && acceptsMail(records),
  )
  const weight =
    Math.max(0, ...claims) +
    (has('email_domain') ? 2 : 0) +
    (has('name') ? 1 : 0) +
    (has('person') ? 1 : 0) +
    (has('email_domain') && mail ? 1 : 0)
  // A domain that several records share is weak evidence for each of them, even if this record has much evidence for it.
  if (flags.shared.value !== 'no') return 'low'
  const doubts = [flags.parked, flags.homograph, flags.conflictingEvidence]
  const isDoubtful = suffix !== null || doubts.some(({ value }) => value === 'yes')
  const levels: readonly Band[] = ['low', 'medium', 'high']
  const level = (weight >= 4 ? 2 : weight >= 2 ? 1 : 0) - (isDoubtful ? 1 : 0)
  return levels[Math.max(0, level)] ?? 'low'
}
