import { addressSignsIn, valuesIn } from '../../normalization/normalization.ts'
import { withoutMarkup, withoutReferences } from '../prompts/markup.rules.ts'
import { answerLimits } from './answer-limits.ts'
import type { Claim, DropReason } from './claims.ts'

/*
 * Validation of an answer (specification, Phase 13 §3, §4). Nothing in it is trusted: a claim passes only if every quote of it is found in
 * the item that it names, and it contains no value that the input did not contain. `examineClaims` reads the texts, which a provider chose, so
 * it runs in a thread. `validateAnswer` adds how the evidence stands and reads no text. Pure and linear.
 */

/** An item as it was sent. */
export type SentPart = {
  item: string
  /** what a quote may come from: the value, and the text */
  parts: readonly string[]
}

/** An item as it stands when the answer is validated. */
export type CitableItem = {
  item: string
  evidenceId: string
  hash: string
  /** it resolves in this business with the same hash and is not superseded */
  isCurrent: boolean
  isStale: boolean
  isContradicted: boolean
}

export type Sent = {
  receipt: string
  /** the evidence as it was sent */
  input: string
  items: readonly SentPart[]
}

/** A claim of an answer as the provider wrote it. */
export type ReadClaim = { text: string; citations: { item: string; quotes: string[] }[] }

export type Rejected = {
  kind: 'rejected'
  reason: 'answer_cut_off' | 'schema_mismatch' | 'receipt_mismatch' | 'no_claims'
}

/** A claim, and what its texts show without the evidence. */
export type ExaminedClaim = {
  text: string
  citations: {
    item: string
    quotes: string[]
    /** every quote is found in the item; false for an unknown item too */
    areFound: boolean
  }[]
  /** why the text of the claim is refused */
  problem: 'value_not_in_input' | 'too_long' | null
}
export type ExaminedAnswer = Rejected | { kind: 'read'; claims: ExaminedClaim[] }

export type Validated = Rejected | { kind: 'read'; claims: Claim[]; dropped: Map<DropReason, number> }

/** Compares the texts of the claims of an answer with what was sent. */
export function examineClaims(claims: readonly ReadClaim[], { input, items }: Sent): ExaminedClaim[] {
  const sent = new Map(items.map(({ item, parts }) => [item, parts.map(foldQuote)]))
  const given = valuesOf(input)
  return claims.map(({ text: claim, citations }) => ({
    text: claim,
    citations: citations.map(({ item, quotes }) => {
      const parts = sent.get(item) ?? []
      return { item, quotes, areFound: quotes.every((quote) => isQuoteOf(quote, parts)) }
    }),
    problem: problemOfText(claim, given),
  }))
}

/** Drops each claim that its evidence does not support as it stands now, with the reason. */
export function validateAnswer(examined: ExaminedAnswer, items: readonly CitableItem[]): Validated {
  if (examined.kind === 'rejected') return examined
  const known = new Map(items.map((item) => [item.item, item]))
  const claims: Claim[] = []
  const dropped = new Map<DropReason, number>()
  for (const { text, citations, problem: ofText } of examined.claims) {
    const cited = citations.map(({ item, ...quoted }) => ({ item: known.get(item), ...quoted }))
    const problem = problemOfCitations(cited) ?? ofText
    if (problem !== null) dropped.set(problem, (dropped.get(problem) ?? 0) + 1)
    else
      claims.push({
        text,
        citations: cited.flatMap(({ item, quotes }) =>
          item === undefined ? [] : [{ evidenceId: item.evidenceId, hash: item.hash, quotes }],
        ),
      })
  }
  return { kind: 'read', claims, dropped }
}

type Cited = { item: CitableItem | undefined; areFound: boolean }

function problemOfCitations(cited: readonly Cited[]): DropReason | null {
  for (const { item, areFound } of cited) {
    if (item === undefined) return 'item_unknown'
    if (!item.isCurrent) return 'evidence_changed'
    if (!areFound) return 'quote_not_found'
  }
  if (cited.some(({ item }) => item?.isContradicted === true)) return 'evidence_contradicted'
  if (cited.some(({ item }) => item?.isStale === true)) return 'evidence_stale'
  return null
}

/** `parts`: folded. */
function isQuoteOf(quote: string, parts: readonly string[]): boolean {
  const folded = foldQuote(quote)
  if (folded === '') return false
  return parts.some((part) => part === folded || (folded.length >= answerLimits.quoteMinimum && part.includes(folded)))
}

/** Models change quotation marks, dashes, spaces and case of a true quote; no words. */
function foldQuote(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/["'`´‘’‚‛“”„‟«»‹›]/gu, "'")
    .replace(/[\u2010-\u2015\u2212\u00AD-]/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** Texts that a claim may repeat. `text` is folded. */
type Values = { numbers: ReadonlySet<string>; contacts: ReadonlySet<string>; text: string }

const digits = /\p{Nd}+/gu

function valuesOf(input: string): Values {
  const text = foldQuote(input)
  return { numbers: new Set(text.match(digits)), contacts: new Set(contactsOf(input)), text }
}

/** Hosts of any suffix too, because a provider may invent one. */
function contactsOf(text: string): string[] {
  return valuesIn(text, { anySuffix: true }).map(({ kind, normalized }) => `${kind} ${normalized}`)
}

function problemOfText(claim: string, given: Values): ExaminedClaim['problem'] {
  if (claim.normalize('NFKC').length > answerLimits.claimLength) return 'too_long'
  return containsOnly(claim, given) ? null : 'value_not_in_input'
}

/** The input is redacted, so nearly every contact value of a claim is invented. */
function containsOnly(claim: string, { numbers, contacts, text }: Values): boolean {
  const folded = foldQuote(claim)
  return (
    (folded.match(digits) ?? []).every((number) => numbers.has(number)) &&
    folded.split(' ').every((word) => !mayBeValue(word) || text.includes(word)) &&
    [claim, withoutMarkup(withoutReferences(claim)).text].flatMap(contactsOf).every((contact) => contacts.has(contact))
  )
}

/** True for a word that may be an address or a link although none can be read, such as `jan@localhost`. */
function mayBeValue(word: string): boolean {
  return word.includes('://') || addressSignsIn(word).length > 0
}
