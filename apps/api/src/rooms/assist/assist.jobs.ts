import { z } from 'zod'
import { recordId } from '../../http/text.ts'
import { defineJobKind, shortfallOf } from '../jobs/jobs.ts'
import { endSuggestion } from './suggestions/end-suggestion.ts'
import { runSuggestion } from './suggestions/run-suggestion.ts'
import { selectOpenJobs } from './suggestions/suggestions.queries.ts'

/** Two calls at most, and the wait for a place. */
const TIMEOUT_MS = 900_000

/** Runs one accepted request. A further attempt ends a suggestion whose call was started, and calls nothing. */
export const assistSuggestion = defineJobKind({
  kind: 'assist-suggestion',
  title: 'Request a suggestion',
  permission: 'assist.request',
  input: z.strictObject({ suggestionId: recordId }),
  isOffered: false,
  timeoutMs: TIMEOUT_MS,
  maxAttempts: 2,
  isCancellable: true,
  touches:
    'Sends one prompt of redacted evidence by an adapter that the operator loaded; writes its suggestion, usage and exchanged bytes.',
  run: (context, { suggestionId }) => runSuggestion(context, suggestionId),
  onEnd: (tx, { suggestionId }, end) => endSuggestion(tx, suggestionId, end),
  openRequests: selectOpenJobs,
  shortfallIn: ({ kind, reason }) => shortfallOf(kind === 'partial' ? 'incomplete' : kind, reason),
})
