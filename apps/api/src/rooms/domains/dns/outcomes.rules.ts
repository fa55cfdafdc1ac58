import type { DnsAnswer, DnsTrace } from '@prospect/adapter-contract/dns'
import type { DnsObservationTable, DnsReason, RecordedStatus } from '../domains.table.ts'

/** The parts of a source's outcome that complete an observation. */
export type CheckOutcome = {
  outcome: 'answered' | 'deferred' | 'unavailable'
  reason: string | null
  /** answers in the order received; the last one counts. If a truncated UDP answer was repeated over TCP, the UDP answer is the first */
  answers: readonly DnsAnswer[]
  traces: readonly DnsTrace[]
}

type Completion = Pick<
  DnsObservationTable,
  'status' | 'records' | 'aliases' | 'resolver' | 'ttl' | 'is_truncated' | 'is_partial' | 'reason'
>

/**
 * Returns the values that complete a pending observation. Pure. An unanswered question gets a status that states the reason, never an empty answer.
 */
export function completionOf({ reason, answers, traces }: CheckOutcome): Completion {
  const answer = answers.at(-1)
  const trace = traces.at(-1)
  const resolver = traces.findLast((one) => one.resolver !== null)?.resolver ?? null
  if (answer === undefined) {
    const { status, reason: named } = failureOf(reason, trace)
    return { status, reason: named, records: '[]', aliases: '[]', resolver, ttl: null, is_truncated: 0, is_partial: 0 }
  }
  return {
    status: answer.status,
    reason: answer.reason,
    records: JSON.stringify(answer.records),
    aliases: JSON.stringify(answer.aliases),
    resolver,
    ttl: answer.ttl,
    is_truncated: answer.isTruncated ? 1 : 0,
    is_partial: answer.isPartial ? 1 : 0,
  }
}

function failureOf(
  cause: string | null,
  trace: DnsTrace | undefined,
): { status: RecordedStatus; reason: DnsReason | null } {
  switch (cause) {
    case 'timeout':
      return { status: 'timeout', reason: null }
    case 'answer_invalid':
      return { status: 'error', reason: trace?.reason ?? 'malformed' }
    case 'answer_too_large':
      return { status: 'error', reason: 'answer_too_large' }
    case 'connection_failed':
      return { status: 'error', reason: 'connection_failed' }
    case 'destination_denied':
    case 'query_refused':
      return { status: 'blocked', reason: 'name_forbidden' }
    case 'interrupted':
    case 'cancelled':
      return { status: 'error', reason: 'interrupted' }
    default:
      return { status: 'error', reason: 'not_sent' }
  }
}
