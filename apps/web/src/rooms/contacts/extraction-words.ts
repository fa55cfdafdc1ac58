import type { Extraction, ExtractionChecklistItem, ExtractionReadiness } from '@prospect/api-client'
import { formatNumber } from '../../ui/text/format.ts'

export const extractionStateWords: Readonly<Record<Extraction['state'], string>> = {
  queued: 'Queued',
  running: 'Running',
  complete: 'Complete',
  deferred: 'Deferred',
  blocked: 'Blocked',
  unknown: 'Unknown in part',
  failed: 'Failed: nothing was stored',
  cancelled: 'Cancelled',
}

/** Text of each reason, with the next step. */
export const extractionReasonWords: Readonly<Record<Extraction['reasons'][number], string>> = {
  disabled: 'Contact extraction is disabled. An administrator can enable it.',
  enablement_lapsed: 'Contact extraction is no longer enabled. An administrator can enable it again.',
  site_not_approved: 'The page is not on an approved official site. Propose the site, and ask a manager to approve it.',
  site_expired: 'The approval of the official site has ended. Ask a manager to approve the site again.',
  do_not_contact: 'The prospect or its website is marked do not contact.',
  content_gone: 'The text of a page is no longer stored. Add or fetch the page again.',
  page_out_of_scope:
    'One of the pages is not a contact or about page of the official site. Use a contact or about page instead.',
  page_uncertain: 'A page may be empty, unfinished or behind a login. Open the page, and add a readable copy.',
  scan_incomplete: 'The scan read only a part of a page. Add a copy of the whole page.',
  out_of_budget:
    'The daily limit of extractions or the limit of open candidates is reached. Accept or reject some candidates, or try again tomorrow.',
  gate_unavailable: 'The do-not-contact list could not be checked. A server operator can investigate.',
  provenance_incomplete:
    'It is not stored completely where one of the pages came from. Ask the server operator to investigate.',
  page_limit: 'One extraction cannot read so many pages. Extract from the other pages separately.',
  candidate_limit: 'More values were found than one extraction stores. Decide on these candidates, then extract again.',
  time_limit: 'Reading a page took too long. Add a smaller page.',
  cancelled: 'The extraction was cancelled. Start it again.',
}

/** Summary of a result in one line, such as "3 to review · 2 quarantined · 1 protected · 14 excluded". */
export function summaryOf({ undecided, counts }: Pick<Extraction, 'undecided' | 'counts'>): string {
  const optional: [number, string][] = [
    [undecided.known, 'already on record'],
    [counts.rejectedBefore, 'rejected before'],
    [counts.suppressed, 'suppressed'],
  ]
  const parts: [number, string][] = [
    [undecided.open, 'to review'],
    [undecided.quarantined, 'quarantined'],
    [counts.protected, 'protected'],
    [counts.excluded, 'excluded'],
    ...optional.filter(([count]) => count > 0),
  ]
  return parts.map(([count, words]) => `${formatNumber(count)} ${words}`).join(' · ')
}

/** Reasons for which a text became no candidate, in display order. Protected values first, because a person can read them on the page. */
const leftOutWords = {
  cf_email: 'Protected by the site, not decoded',
  script_made: 'Made by a script of the page',
  picture: 'In a picture',
  placeholder: 'Placeholders of a form or template',
  template_leftover: 'Leftovers of a template',
  reserved_domain: 'Example addresses, which nobody can have',
  tracking: 'Addresses of tracking and mailing programs',
  fax: 'Fax numbers',
  other_number: 'Other numbers, such as VAT or registration numbers',
  unclear: 'Neither an address nor a phone number',
  malformed_link: 'Links that could not be read',
  handle: 'Names of social media accounts',
  url_user: 'User names in web addresses',
  file_name: 'File names',
  package_name: 'Names of program packages',
  attribute: 'In attributes that the page does not show',
  comment: 'In comments of the source text',
  script: 'In scripts',
  style: 'In styles',
  template: 'In templates that the page does not show',
  json_ld_unreadable: 'Structured data that could not be read',
} as const satisfies Readonly<Record<string, string>>

export type LeftOut = { reason: string; count: number; examples: readonly string[] }

/** Texts that became no candidate, counted by reason. */
export function leftOutOf({ counts, examples }: Pick<Extraction, 'counts' | 'examples'>): LeftOut[] {
  return Object.entries(leftOutWords).flatMap(([rule, reason]) => {
    const count = counts.byRule[rule] ?? 0
    return count === 0 ? [] : [{ reason, count, examples: examples[rule] ?? [] }]
  })
}

export const enablementWords: Readonly<Record<ExtractionReadiness['state'], string>> = {
  disabled: 'Disabled',
  enabled: 'Enabled',
  lapsed: 'Lapsed',
}

export const checklistWords: Readonly<Record<ExtractionChecklistItem['key'], string>> = {
  tenant_scope: 'Workspace',
  official_site: 'Approved official site',
  versions: 'Extractor and policy version',
  retention_class: 'Retention of open candidates',
  suppression_gate: 'Do-not-contact check',
  hard_limits: 'Hard limits',
}

/** Labels and maximum values of the limits of an enablement. */
export const limitWords = {
  pages: { label: 'Pages per extraction', ceiling: 10 },
  candidates: { label: 'Candidates per extraction', ceiling: 200 },
  extractionsPerDay: { label: 'Extractions per day', ceiling: 500 },
} as const
export type LimitName = keyof typeof limitWords
export const limitNames = Object.keys(limitWords) as LimitName[]

export const retentionDays = [30, 90, 180] as const
