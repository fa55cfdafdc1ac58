import type { Result } from './suggestions.schema.ts'

type NonResult = { kind: Extract<Result['kind'], 'unknown' | 'unavailable'>; sentence: string }

/** The reasons for a suggestion without a result: a code, and a sentence for people. No fact is ever invented to fill it. */
export const nonResults = {
  schema_mismatch: { kind: 'unknown', sentence: 'The answer does not have the required form.' },
  receipt_mismatch: {
    kind: 'unknown',
    sentence: 'The answer does not repeat the required word. The beginning of the request may have been cut off.',
  },
  answer_cut_off: { kind: 'unknown', sentence: 'The answer is not complete.' },
  answer_not_examined: { kind: 'unknown', sentence: 'The answer could not be examined within the time limit.' },
  no_claims: { kind: 'unknown', sentence: 'The answer contains no claim.' },
  no_claim_passed: { kind: 'unknown', sentence: 'No claim of the answer is supported by its citations.' },
  injection_suspected: { kind: 'unknown', sentence: 'Some evidence looks like instructions for an AI.' },
  evidence_stale: { kind: 'unknown', sentence: 'All of the evidence is older than the policy allows.' },
  evidence_contradicted: { kind: 'unknown', sentence: 'All of the evidence is contradicted or too old.' },
  evidence_changed: { kind: 'unknown', sentence: 'The evidence changed since the preview.' },
  evidence_not_usable: { kind: 'unknown', sentence: 'The evidence can no longer be used.' },
  not_found: { kind: 'unknown', sentence: 'The evidence no longer exists.' },
  data_class_not_allowed: { kind: 'unknown', sentence: 'The policy no longer allows this kind of data.' },
  prompt_too_large: { kind: 'unknown', sentence: 'The prompt is too large.' },
  preview_changed: { kind: 'unknown', sentence: 'The text to send is no longer the text of the preview.' },
  business_not_active: { kind: 'unknown', sentence: 'The record is no longer active.' },
  suppressed: {
    kind: 'unknown',
    sentence: 'The prospect, or an address or number in its evidence, is marked do not contact.',
  },
  assist_disabled: { kind: 'unavailable', sentence: 'AI assistance was disabled in the meantime.' },
  budget_exhausted: { kind: 'unavailable', sentence: 'A budget leaves no room for this call.' },
  too_many_calls: {
    kind: 'unavailable',
    sentence:
      'The server was already running as many requests as allowed. No budget was used. Request the suggestion again.',
  },
  permission_denied: {
    kind: 'unavailable',
    sentence: 'The person who requested this may no longer request suggestions.',
  },
  outcome_unknown: {
    kind: 'unavailable',
    sentence: 'The process ended during the call. The call may have been made and is not repeated.',
  },
  cancelled: { kind: 'unavailable', sentence: 'The request was cancelled.' },
} as const satisfies Record<string, NonResult>
export type NonResultCode = keyof typeof nonResults

/** Returns the result for a code of this room, or for a code of a source, such as `timeout`, `rate_limited` and `circuit_open`. */
export function nonResultOf(code: string, retryAfter: string | null = null): Result {
  const known: NonResult | undefined = Object.hasOwn(nonResults, code) ? nonResults[code as NonResultCode] : undefined
  return {
    kind: known?.kind ?? 'unavailable',
    reason: code,
    detail: known?.sentence ?? `The provider gave no answer: ${code.replaceAll('_', ' ')}.`,
    retryAfter,
    dropped: [],
  }
}
