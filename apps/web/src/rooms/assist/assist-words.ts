import type { AssistPolicy, AssistPreview, AssistStatusItem, AssistSuggestion, AssistUsage } from '@prospect/api-client'

export const itemWords: Record<AssistStatusItem['key'], string> = {
  provider: 'Provider',
  tenant_scope: 'Workspace scope',
  purpose: 'Purpose',
  data_class: 'Data classes',
  redaction: 'Redaction',
  retention: 'Retention',
  budgets: 'Budgets',
  approval: 'Approval',
  enablement: 'Enablement',
}

export const resolverWords: Record<AssistStatusItem['resolvableBy'], string> = {
  administrator: 'an administrator',
  manager: 'a manager',
  server_operator: 'the server operator',
}

export const policyWords: Record<AssistPolicy['state'], string> = {
  draft: 'Draft',
  in_review: 'Waiting for approval',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
  superseded: 'Replaced',
  withdrawn: 'Withdrawn',
}

export const windowWords: Record<AssistUsage['tenant'][number]['window'], string> = {
  calls_per_minute: 'Calls per minute',
  calls_per_day: 'Calls per day',
  tokens_per_day: 'Tokens per day',
  cost_per_day: 'Cost per day',
  cost_per_month: 'Cost per month',
}

/** Why an observation of a preview is not sent. */
export const withheldWords: Record<AssistPreview['withheld'][number]['reason'], string> = {
  contact_value_left: 'an address or number may be left in the text',
  too_long: 'the text is too long to check',
  too_many_values: 'the text has more than 50 addresses and numbers',
}

/** Maximum number of observations per request (`EVIDENCE_ITEMS` of the API). */
export const MOST_EVIDENCE = 40

export const purposeWords: Record<AssistSuggestion['purpose'], string> = {
  prospect_summary: 'Summary',
  draft_text: 'Sentences for a draft',
}

const endedBy: Record<string, string> = {
  evidence_changed: 'Evidence changed',
  evidence_superseded: 'Evidence changed',
  policy_changed: 'Policy changed',
  source_changed: 'Provider changed',
  source_not_enabled: 'Provider disabled',
  business_not_active: 'Record not active',
  do_not_contact: 'Do not contact',
}

export type Standing = { word: string; reason: string | null; next: string }

const AGAIN = 'Preview and request a new suggestion.'

/** State of a suggestion as one word, with its reason and the next step. */
export function standingOf({ state, stateReason, result }: AssistSuggestion): Standing {
  switch (state) {
    case 'queued':
      return { word: 'Queued', reason: null, next: 'The request starts when an earlier one ends.' }
    case 'running':
      return { word: 'Running', reason: null, next: 'The result appears here.' }
    case 'proposed':
      return {
        word: 'Waiting for approval',
        reason: null,
        next: 'A manager who did not request the suggestion decides.',
      }
    case 'approved':
      return { word: 'Approved', reason: null, next: 'The prospect itself does not change.' }
    case 'rejected':
      return { word: 'Rejected', reason: null, next: AGAIN }
    case 'expired':
      return { word: 'Expired', reason: 'Nobody decided in time.', next: AGAIN }
    case 'invalidated': {
      const word = endedBy[stateReason?.code ?? ''] ?? 'No longer valid'
      return { word, reason: 'The evidence or the rules behind this suggestion changed.', next: AGAIN }
    }
    case 'no_result':
      return result?.kind === 'partial'
        ? { word: 'Partial result', reason: result.detail, next: AGAIN }
        : { word: 'No result', reason: result?.detail ?? null, next: AGAIN }
  }
}
