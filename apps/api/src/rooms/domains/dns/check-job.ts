import { z } from 'zod'
import { recordId } from '../../../http/text.ts'
import type { Tx } from '../../../store/change/change.ts'
import { defineJobKind, type EndOfJob, type JobContext, type JobShortfall } from '../../jobs/jobs.ts'
import { askSource, endQueriesOf } from '../../sources/sources.ts'
import { dnsKinds } from '../domains.table.ts'
import { completeObservation, dnsPurpose, questionOf } from './checks.ts'
import { getObservationRow, selectOpenJobs } from './observations.queries.ts'
import { isSuppressed } from './observations.ts'

const TIMEOUT_MS = 600_000

/**
 * Job that sends the questions of one accepted check one after the other and completes its observations. If the process stopped after it had taken a
 * permit, the question may have been sent. Its observation then ends as `interrupted`, and the question is not repeated.
 */
export const dnsCheck = defineJobKind({
  kind: 'dns-check',
  title: 'Check DNS',
  permission: 'domains.check',
  input: z.strictObject({ observationIds: z.array(recordId).min(1).max(dnsKinds.length) }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 1,
  isCancellable: true,
  touches:
    'Sends questions to a name server by an adapter that the operator loaded; completes the observations that wait for them.',
  run: async (context, { observationIds }) => {
    const statuses: string[] = []
    for (const id of observationIds) {
      context.signal.throwIfAborted()
      statuses.push(await checkOne(context, id))
      context.progress({ done: statuses.length, total: observationIds.length, unit: 'questions' })
    }
    return { statuses }
  },
  onEnd: (tx, { observationIds }, end) => endCheck(tx, observationIds, end),
  openRequests: selectOpenJobs,
  shortfallIn: ({ statuses }) => checkShortfall(Array.isArray(statuses) ? statuses : []),
})

const interrupted = { outcome: 'unavailable', reason: 'interrupted', answers: [], traces: [] } as const

/** Completes the observations that the job left pending. `completeObservation` changes no other. */
async function endCheck(tx: Tx, ids: readonly string[], end: EndOfJob): Promise<void> {
  await endQueriesOf(tx, end)
  for (const id of ids) await completeObservation(tx, id, interrupted)
}

/** Statuses of questions that got no answer: from the name server, or because none was sent. */
const unanswered: ReadonlySet<unknown> = new Set(['servfail', 'timeout', 'error', 'blocked'])

/** Returns what the check lacks: all answers (`unavailable`) or some (`incomplete`), with the status of the first question without an answer. */
function checkShortfall(statuses: readonly unknown[]): JobShortfall | null {
  const lacking = statuses.filter((status) => unanswered.has(status))
  const [reason] = lacking
  if (typeof reason !== 'string') return null
  return { state: lacking.length === statuses.length ? 'unavailable' : 'incomplete', reason }
}

async function checkOne({ store, adapters, actor, tenantId, signal, effect }: JobContext, id: string): Promise<string> {
  const row = await getObservationRow(store.reader, tenantId, id).catch(() => undefined)
  if (row === undefined) return 'erased'
  const { name, kind, domain, status, source_id: sourceId, query_id: queryId } = row
  if (status !== 'pending' || name === null || domain === null || sourceId === null || queryId === null) return status
  const outcome = await askSource(
    { store, adapters, actor, signal },
    {
      sourceId,
      purpose: dnsPurpose,
      query: questionOf(name, kind),
      queryId,
      prevents: async (tx) => ((await isSuppressed(tx, tenantId, domain)) ? 'do_not_contact' : undefined),
    },
  )
  const completed = await effect(`observation ${id}`, { action: 'dns_observation.complete' }, (tx) =>
    completeObservation(tx, id, outcome),
  )
  return completed.status
}
