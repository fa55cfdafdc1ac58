import { utcMinute } from '../../../lib/calendar.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { numeral } from '../../../lib/numeral.ts'
import { type CurrentSuggestion, SUGGESTION_LABEL } from '../../assist/assist.ts'
import type { FactField } from '../../businesses/businesses.ts'
import { relationTo } from '../../evidence/evidence.thread.ts'
import type { RegistryKind, RegistryStanding } from '../../registry/registry.ts'
import { isExactQuote, markersIn } from '../content/citations.rules.ts'
import { type DraftContent, recipientOfChannel } from '../content/content.rules.ts'
import {
  type FieldValues,
  type MergeField,
  mergeFields,
  readMergeFields,
  renderText,
} from '../content/merge-fields.rules.ts'
import type { ActiveBasis } from '../legal-bases/legal-bases.queries.ts'
import { limits } from '../limits.ts'
import type { PolicyInForce } from '../policies/policies.queries.ts'

/*
 * The checks of a draft (specification, Phase 14 §2): one pure function over one consistent read. `unknown` blocks like `fail`.
 */

export const checkKeys = [
  'scope',
  'recipient',
  'suppression',
  'registry',
  'legal_basis',
  'policy',
  'merge_fields',
  'citations',
  'evidence',
  'freshness',
  'uncertainty',
  'ai_origin',
  'content',
  'caps',
  'approval',
] as const
export type CheckKey = (typeof checkKeys)[number]
export const checkResults = ['pass', 'fail', 'unknown', 'not_applicable'] as const
export type CheckResult = (typeof checkResults)[number]

/** `action`: the next step of a person; `path`: the part of the draft, or of the record, that the check is about. */
export type Check = { key: CheckKey; result: CheckResult; message: string; action: string | null; path: string | null }

export type Confidence = 'low' | 'medium' | 'high'
export type SeenEvidence = {
  id: string
  field: FactField | null
  value: string | null
  /** the texts that a quote may be a part of */
  texts: readonly (string | null)[]
  confidence: Confidence
  /** the time of the observation, or else of its capture */
  seenAt: string
  hash: string
  isSuperseded: boolean
}
export type Claim = Pick<SeenEvidence, 'id' | 'value' | 'confidence' | 'seenAt'>

/** The suggestion as which a text started, as it stands now; `missing`: it cannot be read, or belongs to another prospect. */
export type SeenSuggestion = {
  id: string
  state: CurrentSuggestion['state'] | 'missing'
  provider: string | null
  policy: string | null
}

export type Cap = { used: number; most: number; freeAt: string | null }

/** Place of a suppressed value in a draft. `line` counts from 1; null if it is not known. */
export type SuppressedPlace = { part: 'subject' | 'text'; line: number | null }

export type CheckInput = {
  now: string
  business: { status: 'active' | 'merged' | 'inactive'; isBlocked: boolean }
  content: DraftContent
  /** the recipient is a value of the record */
  isOnRecord: boolean
  values: FieldValues
  /** cited and acknowledged observations of the record, by id */
  evidence: ReadonlyMap<string, SeenEvidence>
  /** standing claims about the fields that the text uses or cites, newest first */
  claims: ReadonlyMap<FactField, readonly Claim[]>
  policy: PolicyInForce | null
  bases: readonly ActiveBasis[]
  /** the basis that an approval, or a request, is bound to */
  boundBasis: string | null
  /** null: a person wrote the text */
  suggestion: SeenSuggestion | null
  /** `text`: where a suppressed value stands in what people would copy; null if there is none */
  gate: { recipient: boolean; text: SuppressedPlace | null }
  /** null: the policy requires no registry round, or the recipient has no kind of value that rounds compare */
  registry: (RegistryStanding & { kind: RegistryKind }) | null
  caps: { recipient: Cap; person: Cap; tenant: Cap; isEveryoneAtMost: boolean; hasAskedConsent: boolean }
  approval: 'none' | 'standing' | 'ended' | 'expired'
}

const pass = (key: CheckKey, message: string): Check => ({ key, result: 'pass', message, action: null, path: null })
const none = (key: CheckKey, message: string): Check => ({
  key,
  result: 'not_applicable',
  message,
  action: null,
  path: null,
})
const block = (
  key: CheckKey,
  message: string,
  action: string,
  path: string | null,
  result: 'fail' | 'unknown' = 'fail',
): Check => ({ key, result, message, action, path })

/** Every check, in the order of `checkKeys`. */
export function checkDraft(input: CheckInput): Check[] {
  return [
    checkScope(input),
    checkRecipient(input),
    checkSuppression(input),
    checkRegistry(input),
    checkLegalBasis(input),
    checkPolicy(input),
    checkMergeFields(input),
    checkCitations(input),
    checkEvidence(input),
    checkFreshness(input),
    checkUncertainty(input),
    checkOrigin(input),
    checkContent(input),
    checkCaps(input),
    checkApproval(input),
  ]
}

export function isBlocking({ result }: Check): boolean {
  return result === 'fail' || result === 'unknown'
}

function checkScope({ business: { status } }: CheckInput): Check {
  if (status === 'active') return pass('scope', 'The prospect is active, and all named values belong to it.')
  return status === 'merged'
    ? block('scope', 'The prospect was merged into another one.', 'Write a new draft for that prospect.', 'business')
    : block('scope', 'The prospect is not active.', 'Close this draft.', 'business')
}

function checkRecipient({ content: { channel, recipient }, isOnRecord }: CheckInput): Check {
  const kind = recipientOfChannel[channel]
  if (recipient.kind !== kind)
    return block('recipient', `This channel reaches ${kindWords[kind]}.`, 'Choose another recipient.', 'recipient')
  if (!isOnRecord)
    return block('recipient', 'The recipient is no longer on the record.', 'Choose a value of the record.', 'recipient')
  return pass('recipient', 'The recipient is on the record and fits the channel.')
}

const kindWords = { email: 'an email address', phone: 'a phone number', address: 'a postal address' } as const

function checkSuppression({ business, gate }: CheckInput): Check {
  const action = 'Do not contact them. Close this draft.'
  if (business.isBlocked) return block('suppression', 'The prospect is marked do not contact.', action, 'business')
  if (gate.recipient) return block('suppression', 'The recipient is on the do-not-contact list.', action, 'recipient')
  if (gate.text !== null) {
    const problem = `${placeWords(gate.text)} contains an address, number or domain from the do-not-contact list.`
    return block('suppression', problem, 'Remove it.', gate.text.part)
  }
  return pass(
    'suppression',
    'The do-not-contact list blocks neither the prospect nor the recipient nor a value in the text.',
  )
}

/** Names the place and not the value, because a check is shown to people who may not see suppressed values. */
function placeWords({ part, line }: SuppressedPlace): string {
  if (part === 'subject') return 'The subject'
  return line === null ? 'The text' : `Line ${line} of the text`
}

const comparedWords: Record<RegistryKind, string> = { phone: 'phone numbers', email: 'email addresses' }

function checkRegistry({ policy, registry, content: { channel } }: CheckInput): Check {
  if (policy === null)
    return block(
      'registry',
      'No policy says how recent a registry round must be.',
      'Ask an administrator to propose a policy.',
      'policy',
      'unknown',
    )
  if (policy.registryDays === null) return none('registry', 'The policy requires no registry round.')
  if (recipientOfChannel[channel] === 'address')
    return none('registry', 'Registry rounds compare phone numbers and email addresses, not postal addresses.')
  if (registry === null)
    return block('registry', 'The registry round was not read.', 'Open the draft again.', 'registry', 'unknown')
  const compared = comparedWords[registry.kind]
  const action = 'Ask a manager to start a registry round, and to close it.'
  if (registry.cleanedAt === null)
    return block('registry', `No registry round with all ${compared} was closed.`, action, 'registry')
  const last = `The last registry round with all ${compared} was closed on ${registry.cleanedAt.slice(0, 10)}`
  if (registry.isDue)
    return block(
      'registry',
      `${last}. The policy requires one in ${numeral(policy.registryDays)} days.`,
      action,
      'registry',
    )
  if (!registry.isChecked)
    return block(
      'registry',
      `${last}. This prospect, or one of its ${compared}, was added since then: it is not yet checked.`,
      action,
      'registry',
    )
  return pass('registry', `${last}. The next one is due by ${(registry.dueAt ?? registry.cleanedAt).slice(0, 10)}.`)
}

type Covered = Pick<CheckInput, 'bases' | 'boundBasis' | 'content' | 'policy' | 'now'>

/** The basis that covers the draft: the one that an approval is bound to, or else the one that lasts longest. */
export function coveringBasis(input: Covered): ActiveBasis | null {
  const { boundBasis } = input
  const covering = basesInForce(input).filter(
    (basis) => basis.objectedAt === null && hasNeededForm(basis, input.policy),
  )
  const bound = covering.find(({ id }) => id === boundBasis)
  return bound ?? covering.toSorted((a, b) => (a.until < b.until ? 1 : -1))[0] ?? null
}

/** A policy that requires the form accepts no basis from the time before forms were recorded. */
function hasNeededForm({ form }: ActiveBasis, policy: PolicyInForce | null): boolean {
  return form !== 'unknown' || policy === null || policy.basisForm === 'any'
}

/** The bases that would cover the draft without an objection, and if their form did not matter. */
function basesInForce({ bases, content, policy, now }: Covered): ActiveBasis[] {
  const { recipient } = content
  return bases.filter(
    (basis) =>
      !basis.isWithdrawn &&
      basis.from <= now &&
      now < basis.until &&
      basis.purpose === content.purpose &&
      basis.jurisdiction === content.jurisdiction &&
      basis.channels.includes(content.channel) &&
      (policy === null || policy.legalBases.includes(basis.kind)) &&
      (basis.recipient === null ||
        (basis.recipient.kind === recipient.kind && basis.recipient.normalized === recipient.normalized)),
  )
}

function checkLegalBasis(input: CheckInput): Check {
  if (input.policy === null)
    return block(
      'legal_basis',
      'No policy defines which legal bases are accepted.',
      'Ask an administrator to propose a policy.',
      'policy',
      'unknown',
    )
  const basis = coveringBasis(input)
  if (basis !== null) return pass('legal_basis', `A legal basis covers this draft until ${utcMinute(basis.until)}.`)
  const almost = basesInForce(input)
  if (almost.some(({ objectedAt }) => objectedAt === null))
    return block(
      'legal_basis',
      `It is unknown how they gave the legal basis of this draft, and the policy ${input.policy.name} requires this.`,
      'Withdraw the legal basis, and add it again with its form and its proof.',
      'legal-bases',
    )
  const [objectedAt] = almost
    .flatMap((basis) => basis.objectedAt ?? [])
    .toSorted()
    .reverse()
  if (objectedAt !== undefined)
    return block(
      'legal_basis',
      `The legal basis ended on ${objectedAt.slice(0, 10)}, because the prospect was marked do not contact.`,
      'Add a legal basis only if they agreed again after that day.',
      'legal-bases',
    )
  return block(
    'legal_basis',
    'No valid legal basis covers this recipient, channel, purpose and country.',
    'Add a legal basis to the prospect.',
    'legal-bases',
  )
}

function checkPolicy({ policy, now }: CheckInput): Check {
  if (policy === null)
    return block(
      'policy',
      'No policy is approved for this country and channel.',
      'Ask an administrator to propose a policy, and another person to approve it.',
      'policy',
    )
  if (policy.endsAt <= now)
    return block('policy', `The policy ${policy.name} has expired.`, 'Propose a new version.', 'policy')
  if (policy.reviewBy !== null && policy.reviewBy < now.slice(0, 10))
    return {
      ...pass(
        'policy',
        `The policy ${policy.name} applies. Its sources were due to be compared with the law by ${policy.reviewBy}.`,
      ),
      action: 'Ask its owner to compare them, and to propose a new version.',
      path: 'policy',
    }
  return pass('policy', `The policy ${policy.name} applies.`)
}

/** The merge fields of subject and text. */
export function usedFields({ subject, text }: Pick<DraftContent, 'subject' | 'text'>): MergeField[] {
  const all = [subject ?? '', text].flatMap((part) => readMergeFields(part).used.map(({ field }) => field))
  return [...new Set(all)]
}

function checkMergeFields({ content, values }: CheckInput): Check {
  const parts = [
    ['subject', content.subject ?? ''],
    ['text', content.text],
  ] as const
  for (const [path, part] of parts) {
    const [unknown] = readMergeFields(part).unknown
    if (unknown !== undefined)
      return block(
        'merge_fields',
        `"${unknown.name}" is not a known field (character ${unknown.at + 1}).`,
        'Choose a field from the list.',
        path,
      )
    const [empty] = renderText(part, values).empty
    if (empty !== undefined)
      return block('merge_fields', `{{${empty}}} is empty.`, `Add the value, or a fallback: {{${empty}|…}}.`, path)
  }
  return usedFields(content).length === 0
    ? none('merge_fields', 'The text has no fields to fill in.')
    : pass('merge_fields', 'Every field in the text is known and filled.')
}

/** Fields of the record that the text shows from a value, not from a fallback. */
function shownFacts({ content, values }: CheckInput): { field: MergeField; fact: FactField; value: string }[] {
  return usedFields(content).flatMap((field) => {
    const fact = mergeFields[field]
    const value = values[field]
    return fact === null || value === null ? [] : [{ field, fact, value }]
  })
}

/** Claims that agree with a shown value, and those that contradict it. */
function claimsAbout(input: CheckInput, { fact, value }: { fact: FactField; value: string }) {
  const relation = relationTo({ field: fact, value, region: null })
  const claims = input.claims.get(fact) ?? []
  const answered = claims.map((claim) => ({
    claim,
    answer: claim.value === null ? 'unrelated' : relation(claim.value).relation,
  }))
  const those = (wanted: string) => answered.flatMap(({ claim, answer }) => (answer === wanted ? [claim] : []))
  return { supporting: those('supports'), contradicting: those('contradicts') }
}

function checkCitations(input: CheckInput): Check {
  const { content, evidence } = input
  const { citations, noCitationReason } = content
  const markers = new Set([...markersIn(content.subject ?? ''), ...markersIn(content.text)])
  const cited = new Map(citations.map((one) => [one.marker, one]))
  for (const marker of markers)
    if (!cited.has(marker))
      return block('citations', `The marker [^${marker}] has no source.`, 'Cite an observation, or remove it.', 'text')
  for (const { marker, evidenceId, quote } of citations) {
    const path = `citations.${marker}`
    if (!markers.has(marker))
      return block('citations', `The text has no marker [^${marker}].`, 'Insert it, or remove the citation.', path)
    const one = evidence.get(evidenceId)
    if (one === undefined)
      return block('citations', `[^${marker}] cites nothing of this prospect.`, 'Cite another observation.', path)
    if (quote !== null && !isExactQuote(quote, one.texts))
      return block('citations', `The quote of [^${marker}] is not in the observation.`, 'Copy it exactly.', path)
  }
  const unsupported = shownFacts(input).find((fact) => claimsAbout(input, fact).supporting.length === 0)
  if (unsupported !== undefined)
    return block(
      'citations',
      `No evidence supports the value of {{${unsupported.field}}}.`,
      'Add evidence to the prospect, or remove the field.',
      'text',
      'unknown',
    )
  if (citations.length > 0 || shownFacts(input).length > 0)
    return pass('citations', 'Every marker and every field of the record cites an observation.')
  return noCitationReason === null
    ? block(
        'citations',
        'The text cites no source.',
        'Cite an observation, or explain why no source is needed.',
        'noCitationReason',
      )
    : pass('citations', 'The text cites no source, and the reason is given.')
}

function checkEvidence({ content: { citations }, evidence }: CheckInput): Check {
  for (const { marker, evidenceId, evidenceHash } of citations) {
    const one = evidence.get(evidenceId)
    const path = `citations.${marker}`
    if (one === undefined)
      return block(
        'evidence',
        `The observation of [^${marker}] cannot be read.`,
        'Cite another observation.',
        path,
        'unknown',
      )
    if (one.hash !== evidenceHash)
      return block(
        'evidence',
        `The observation of [^${marker}] changed after it was cited.`,
        'Save the draft again.',
        path,
      )
    if (one.isSuperseded)
      return block(
        'evidence',
        `The observation of [^${marker}] was replaced by a newer one.`,
        'Cite the newer observation.',
        path,
      )
  }
  return citations.length === 0
    ? none('evidence', 'The text cites no observation by a marker.')
    : pass('evidence', 'Every cited observation is unchanged.')
}

/** The evidence of the text: cited observations, and the newest one that supports each shown value. */
function reliedOn(input: CheckInput): { path: string; words: string; one: Claim & { field: FactField | null } }[] {
  const cited = input.content.citations.flatMap(({ marker, evidenceId }) => {
    const one = input.evidence.get(evidenceId)
    return one === undefined ? [] : [{ path: `citations.${marker}`, words: `[^${marker}]`, one }]
  })
  const shown = shownFacts(input).flatMap((fact) => {
    const best = claimsAbout(input, fact).supporting.toSorted((a, b) => (a.seenAt < b.seenAt ? 1 : -1))[0]
    const words = `{{${fact.field}}}`
    return best === undefined ? [] : [{ path: 'text', words, one: { ...best, field: fact.fact } }]
  })
  return [...cited, ...shown]
}

function windowOf(policy: PolicyInForce, field: FactField | null): number {
  return (field === null ? undefined : policy.freshnessDays[field]) ?? policy.freshnessDays.other ?? 0
}

function checkFreshness(input: CheckInput): Check {
  const relied = reliedOn(input)
  if (relied.length === 0) return none('freshness', 'The text uses no evidence.')
  const { policy, now } = input
  if (policy === null)
    return block(
      'freshness',
      'No policy defines how old evidence may be.',
      'Ask an administrator to propose a policy.',
      'policy',
      'unknown',
    )
  const stale = relied.find(({ one }) => daysAfter(one.seenAt, windowOf(policy, one.field)) <= now)
  if (stale === undefined) return pass('freshness', 'All evidence is recent enough.')
  return block(
    'freshness',
    `The evidence of ${stale.words} is older than ${numeral(windowOf(policy, stale.one.field))} days.`,
    'Check the fact again, and add a new observation.',
    stale.path,
  )
}

/** Returns the time at which the first evidence of the text becomes too old; null without a policy or evidence. */
export function freshUntil(input: CheckInput): string | null {
  const { policy } = input
  if (policy === null) return null
  const ends = reliedOn(input).map(({ one }) => daysAfter(one.seenAt, windowOf(policy, one.field)))
  return ends.toSorted()[0] ?? null
}

function checkUncertainty(input: CheckInput): Check {
  const { content, policy, evidence } = input
  const contradicted = shownFacts(input).find((fact) => claimsAbout(input, fact).contradicting.length > 0)
  if (contradicted !== undefined)
    return block(
      'uncertainty',
      `Evidence contradicts the value of {{${contradicted.field}}}.`,
      'Correct the record, or replace the evidence.',
      'text',
    )
  for (const { marker, evidenceId } of content.citations) {
    const one = evidence.get(evidenceId)
    if (one === undefined || one.field === null || one.value === null) continue
    const { contradicting } = claimsAbout(input, { fact: one.field, value: one.value })
    if (contradicting.length > 0)
      return block(
        'uncertainty',
        `Other evidence contradicts the observation of [^${marker}].`,
        'Replace the wrong observation.',
        `citations.${marker}`,
      )
  }
  const acknowledged = new Set(content.acknowledgements.map(({ evidenceId }) => evidenceId))
  const low = reliedOn(input).filter(({ one }) => one.confidence === 'low')
  const open = low.find(({ one }) => !acknowledged.has(one.id))
  if (open !== undefined)
    return block(
      'uncertainty',
      `The evidence of ${open.words} has low confidence.`,
      'Give a reason to use this evidence, or cite other evidence.',
      open.path,
    )
  if (low.length === 0) return pass('uncertainty', 'Nothing contradicts the text, and no evidence has low confidence.')
  if (policy === null)
    return block(
      'uncertainty',
      'No policy defines whether evidence of low confidence may be used.',
      'Ask an administrator to propose a policy.',
      'policy',
      'unknown',
    )
  return policy.acknowledgeable.includes('low_confidence')
    ? pass('uncertainty', 'A reason is given for using evidence of low confidence.')
    : block(
        'uncertainty',
        `The policy ${policy.name} accepts no evidence of low confidence.`,
        'Cite other evidence.',
        low[0]?.path ?? 'citations',
      )
}

/**
 * Checks the suggestion of a text. A suggestion is approved only while its evidence, provider and policy have the versions of its result, so
 * its state includes the match of the versions.
 */
function checkOrigin({ suggestion }: CheckInput): Check {
  if (suggestion === null) return none('ai_origin', 'A person wrote this text.')
  const action = 'Close this draft, and start a new draft from a current suggestion or without a suggestion.'
  if (suggestion.state === 'missing')
    return block('ai_origin', 'The suggestion of this text cannot be read.', action, 'suggestion', 'unknown')
  if (suggestion.state !== 'approved')
    return block(
      'ai_origin',
      'The suggestion of this text, its provider or its policy is no longer approved.',
      action,
      'suggestion',
    )
  return pass(
    'ai_origin',
    `Labelled "${SUGGESTION_LABEL}": its suggestion is approved, with the same provider and policy.`,
  )
}

/** Characters without a glyph, which may hide a sentence. Joiners of emoji and of scripts are accepted. */
const invisible = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/u

function checkContent(input: CheckInput): Check {
  const { content, policy, values } = input
  const missing = (policy?.requiredFields ?? []).find((field) => !usedFields(content).includes(field))
  if (missing !== undefined)
    return block('content', `The policy requires {{${missing}}} in the text.`, 'Insert the field.', 'text')
  if (content.channel === 'email' && content.subject === null)
    return block('content', 'An email needs a subject.', 'Enter a subject.', 'subject')
  if (content.channel !== 'email' && content.subject !== null)
    return block('content', 'Only an email has a subject.', 'Remove the subject.', 'subject')
  const { text } = renderText(content.text, values)
  const most = content.channel === 'sms' ? limits.smsLength : limits.textLength
  if (text.length > most)
    return block(
      'content',
      `The text has ${numeral(text.length)} characters, of at most ${numeral(most)}.`,
      'Shorten it.',
      'text',
    )
  if (text.trim() === '') return block('content', 'The text is empty.', 'Write it.', 'text')
  for (const [path, part] of [
    ['subject', content.subject ?? ''],
    ['text', content.text],
  ] as const)
    if (invisible.test(part))
      return block('content', 'The text contains characters that nobody can see.', 'Type the text again.', path)
  return pass('content', 'The text contains all that the policy requires, and its length fits.')
}

type Capped = Pick<CheckInput, 'caps' | 'content'>

const isAskedAgain = ({ caps, content }: Capped): boolean =>
  content.purpose === 'consent_request' && caps.hasAskedConsent

/** Returns the cap with a number that refuses a copy, if one does. */
export function reachedCap(input: Capped): 'recipient' | 'person' | 'tenant' | undefined {
  if (isAskedAgain(input)) return undefined
  const { caps } = input
  return (['recipient', 'person', 'tenant'] as const).find((name) => caps[name].used >= caps[name].most)
}

function checkCaps({ caps, content }: CheckInput): Check {
  const action = 'Wait, or write to somebody else.'
  if (isAskedAgain({ caps, content }))
    return block(
      'caps',
      'This recipient was already asked for consent once. A second request is not allowed.',
      action,
      'recipient',
    )
  const reached = reachedCap({ caps, content })
  if (reached !== undefined) {
    const { most, freeAt } = caps[reached]
    const until = freeAt === null ? '' : ` until ${utcMinute(freeAt)}`
    return block('caps', `The limit of ${most} copies ${capWords[reached]} is reached${until}.`, action, 'caps')
  }
  if (caps.isEveryoneAtMost)
    return block('caps', 'The server accepts no more copies today.', 'Try again tomorrow.', 'caps')
  return pass('caps', 'Copies are left for the recipient, for you and for the workspace.')
}

const capWords = {
  recipient: `to one recipient in ${limits.recipientDays} days`,
  person: 'by one person in 24 hours',
  tenant: 'in the workspace in 24 hours',
} as const

function checkApproval({ approval }: CheckInput): Check {
  switch (approval) {
    case 'standing':
      return pass('approval', 'Another person approved this version.')
    case 'ended':
      return block('approval', 'The approval ended, because something changed.', 'Request approval again.', 'approval')
    case 'expired':
      return block('approval', 'The approval has expired.', 'Request approval again.', 'approval')
    case 'none':
      return block('approval', 'Nobody has approved this version.', 'Request approval.', 'approval')
  }
}
