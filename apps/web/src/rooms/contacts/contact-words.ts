import type { ContactCandidate } from '@prospect/api-client'

export const stateWords: Readonly<Record<ContactCandidate['state'], string>> = {
  open: 'To review',
  known: 'Already on record',
  quarantined: 'Quarantined',
  accepted: 'Accepted',
  rejected: 'Rejected',
  suppressed: 'Do not contact',
  expired: 'Expired',
}

export const kindWords: Readonly<Record<ContactCandidate['kind'], string>> = { email: 'Email', phone: 'Phone' }

export const ruleWords: Readonly<Record<NonNullable<ContactCandidate['rule']>, string>> = {
  hidden: 'Hidden on the page',
  code: 'In code',
  quote: 'In a quote',
  user_comment: 'In a visitor’s comment',
  article: 'In an article',
  credits: 'In the credits of the site',
  link_differs: 'The link and its text differ',
  mailto_copy: 'In copies or the text of a mail link',
  written_out: 'Written out in words',
  obfuscated: 'Hidden from programs, decoded from the page',
  other_organisation: 'Of another organisation',
  json_ld_only: 'In structured data only',
  confusable: 'Letters of several scripts',
  syntax: 'Not a valid address or number',
  other_domain: 'Of another domain',
  value_limit: 'After the 50th value of the page',
}

const mxWords: Readonly<Record<NonNullable<ContactCandidate['mx']>['status'], string>> = {
  not_checked: 'Mail server not checked',
  pending: 'Mail server check pending',
  resolved: 'Mail server found',
  nxdomain: 'Mail server uncertain: the domain was not found',
  no_data: 'Mail server uncertain: the domain has no mail entry',
  timeout: 'Mail server uncertain: the query timed out',
  servfail: 'Mail server uncertain: the name server failed',
  blocked: 'Mail server uncertain: the query was blocked',
  error: 'Mail server uncertain: the name server returned an error',
}

/** Quarantine rules in display order, strongest first. */
export const rulesInOrder = Object.keys(ruleWords) as (keyof typeof ruleWords)[]

const syntaxWords = { valid: null, unusual: 'Unusual syntax', invalid: 'Invalid syntax' } as const

/** Labels of a candidate. They are independent of each other. */
export function labelsOf({ state, rule, isRole, isFreeMail, syntax, mx, confidence }: Labelled): string[] {
  const labels = [
    stateWords[state],
    rule === null ? null : ruleWords[rule],
    isRole ? 'Shared mailbox' : null,
    isFreeMail ? 'Free mail' : null,
    syntaxWords[syntax],
    mx === null ? null : mxWords[mx.status] + (mx.freshness === 'stale' ? ' (stale)' : ''),
    `Confidence: ${confidence.level}`,
  ]
  return labels.filter((label) => label !== null)
}

type Labelled = Pick<ContactCandidate, 'state' | 'rule' | 'isRole' | 'isFreeMail' | 'syntax' | 'mx' | 'confidence'>

const forWords = {
  own_domain: 'On the domain of the record',
  linked: 'The page links the address',
  structured_data: 'In structured data',
  on_contact_page: 'On a contact page',
} as const
const againstWords = {
  free_mail: 'Free mail: anybody can have such an address',
  no_country: 'Local number: the country is not known',
  workspace_country: 'Local number: read with the country of the workspace',
  unusual_syntax: 'Unusual form',
  quarantined: 'Was quarantined',
} as const

/** Reasons for and against a candidate. */
export function reasonsOf({ confidence }: Pick<ContactCandidate, 'confidence'>): { for: string[]; against: string[] } {
  const pick = (words: Readonly<Record<string, string>>) => confidence.reasons.flatMap((reason) => words[reason] ?? [])
  return { for: pick(forWords), against: pick(againstWords) }
}
