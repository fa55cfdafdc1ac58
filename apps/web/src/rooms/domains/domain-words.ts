import type { DnsKind, DnsObservation, DnsReason, DnsStatus, Domain, DomainCandidate } from '@prospect/api-client'
import { textInWords } from './text-words.ts'

/** Labels of DNS statuses. None of them proves anything about a business. */
export const statusWords: Record<DnsStatus, string> = {
  not_checked: 'Not checked',
  pending: 'Waiting for answer',
  resolved: 'Records found',
  no_data: 'No records',
  nxdomain: 'Domain does not exist in DNS',
  servfail: 'DNS server failed',
  timeout: 'Timed out',
  blocked: 'Blocked by policy',
  error: 'Error',
}

/** Text beside each result about what it does not prove. */
export const silenceWords: Record<DnsStatus, string> = {
  not_checked: 'Not checked, so nothing is known about the domain.',
  pending: 'A DNS query was sent, and no answer has arrived yet.',
  resolved: 'Records do not show who owns the domain.',
  no_data: 'A domain without such records may still be in use.',
  nxdomain: 'DNS does not know the domain. It may still be registered by somebody.',
  servfail: 'The DNS server failed, so nothing is known about the domain.',
  timeout: 'The DNS server did not answer in time, so nothing is known about the domain.',
  blocked: 'The DNS query was not answered, so nothing is known about the domain.',
  error: 'The DNS answer could not be used, so nothing is known about the domain.',
}

export const reasonWords: Record<DnsReason, string> = {
  refused: 'The DNS server refused to answer.',
  name_forbidden: 'The rules of the source do not allow this domain.',
  response_code: 'The DNS server answered with an error.',
  alias_loop: 'The name leads to other names that lead back to it, so DNS has no answer.',
  too_many_aliases: 'There are more than 8 aliases.',
  too_many_records: 'There are more than 100 records.',
  truncated: 'The answer was truncated and contained no record.',
  incomplete: 'Only a part of the pasted answer was read.',
  referral: 'The DNS server named other servers in place of an answer.',
  malformed: 'The answer could not be read.',
  mismatched: 'The answer was for another query.',
  answer_too_large: 'The answer of the DNS server was too large to read, so the check has no result.',
  connection_failed: 'The DNS server could not be reached.',
  interrupted: 'The check was interrupted and will not be retried.',
  not_sent: 'The query was not sent.',
}

export const kindWords: Record<DnsKind, string> = {
  MX: 'Mail servers',
  NS: 'Name servers',
  TXT: 'Texts',
}

export type RecordLine = { line: string; words: string | null }

/** One line per DNS record, with its meaning in words if its form is known. Records that are equal because their values are withheld have one line. */
export function recordLines(records: DnsObservation['records']): RecordLine[] {
  return [...new Set(records.map(recordLine))].map((line) => ({ line, words: textInWords(line) }))
}

function recordLine(record: DnsObservation['records'][number]): string {
  switch (record.kind) {
    case 'MX':
      return record.exchange === '.' ? 'Accepts no mail' : `${record.preference} ${record.exchange}`
    case 'NS':
      return record.host
    case 'TXT':
      return record.text
  }
}

/** Placeholder for a value that the API withholds from the user's role. */
export const HIDDEN = '•••'

export const unresolvedWords: Record<NonNullable<Domain['reason']>, string> = {
  public_suffix: 'Public ending: many domains share this ending',
  private_suffix: 'Private ending: a service gives names under it to its customers',
  unknown_suffix: 'Unknown ending: this domain ending is not in the list of endings',
  reserved_suffix: 'Reserved ending: only documentation and tests use this ending',
  malformed: 'Malformed',
  single_label: 'A single word',
  localhost: 'Name of the local computer',
  ip_literal: 'IP address',
}

export const bandWords: Record<DomainCandidate['band'], string> = {
  low: 'Low confidence',
  medium: 'Medium confidence',
  high: 'High confidence',
}

export const flagWords: Record<keyof DomainCandidate['flags'], string> = {
  shared: 'Shared',
  parked: 'Parked',
  wildcard: 'Wildcard',
  homograph: 'Look-alike',
  siblingSubdomain: 'Another subdomain of the same domain',
  conflictingEvidence: 'Conflicting evidence',
}

export const flagValueWords: Record<DomainCandidate['flags']['shared']['value'], string> = {
  yes: 'Yes',
  likely: 'Likely',
  no: 'No',
  unknown: 'Not known',
}

export const uncertaintyWords: Record<DomainCandidate['uncertainty'][number], string> = {
  private_suffix: 'Private domain ending.',
  unknown_suffix: 'Unknown domain ending.',
  dns_not_checked: 'DNS not checked.',
  dns_stale: 'The DNS data is stale and does not raise the confidence.',
  claim_stale: 'Evidence older than a year counts as low confidence.',
  name_alone: 'Only the name matches.',
}

const scripts = [
  'Cyrillic',
  'Greek',
  'Armenian',
  'Hebrew',
  'Arabic',
  'Devanagari',
  'Thai',
  'Hangul',
  'Hiragana',
  'Katakana',
  'Han',
] as const

/** Script of a letter that is not Latin; null for Latin letters, digits and the hyphen. */
export function scriptOf(letter: string): string | null {
  if (/^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]$/u.test(letter)) return null
  return scripts.find((script) => new RegExp(`^\\p{Script=${script}}$`, 'u').test(letter)) ?? 'another script'
}
