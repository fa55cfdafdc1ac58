import type { AuditFollower } from '../../../store/change/audit-follower.ts'
import type { FollowedEvent } from '../../../store/change/follow-audit.queries.ts'
import { followToEnd } from '../../../store/change/follow-audit.ts'
import { PROMPT_VERSION, REDACTION_VERSION } from '../bounds.ts'
import { type AssistContext, endAllChanged, endChanged } from './end-changed.ts'
import { selectOpen, selectOpenOf } from './suggestions.queries.ts'

/** Actions that may end suggestions of any prospect. */
const ofTheTenant =
  /^(?:suppression\.(?!remove)|store\.|assist\.policy_|source\.(?!dry_run|query|request|answer|circuit))/

/**
 * Stores what every read computes: the end of proposals and approvals whose evidence, record, policy or source changed. Nothing depends on how soon
 * this runs. The version contains what a new start may change without an event: the rules of the prompt and ADAPTERS_FILE.
 */
export function suggestionFollower(context: AssistContext): AuditFollower {
  const version = [REDACTION_VERSION, PROMPT_VERSION, context.adapters.file?.sha256 ?? ''].join(' ')
  return {
    name: 'assist',
    version,
    wants: ({ action, business_id: id }) => (id !== null && !action.startsWith('assist.')) || ofTheTenant.test(action),
    on: (tenantId, events, isStopped) => follow(context, tenantId, events, isStopped),
    begin: async (tenantId, { newest, isStopped }) => {
      await endAllOpen(context, tenantId, isStopped)
      return { sequence: newest, version }
    },
  }
}

/** Follows the audit of every tenant to its end. */
export function followSuggestions(context: AssistContext): Promise<void> {
  return followToEnd(context.store, [suggestionFollower(context)])
}

async function follow(
  context: AssistContext,
  tenantId: string,
  events: readonly FollowedEvent[],
  isStopped: () => boolean,
): Promise<boolean> {
  const { reader } = context.store
  if ((await selectOpen(reader, tenantId, '', 1)).length === 0) return false
  if (events.some(({ action }) => ofTheTenant.test(action))) {
    await endAllOpen(context, tenantId, isStopped)
    return true
  }
  const businesses = [...new Set(events.flatMap(({ business_id: id }) => id ?? []))]
  const suggestions = await selectOpenOf(reader, tenantId, businesses)
  await endChanged(context, tenantId, suggestions, isStopped)
  return suggestions.length > 0
}

function endAllOpen(context: AssistContext, tenantId: string, isStopped: () => boolean): Promise<void> {
  const { reader } = context.store
  return endAllChanged(context, tenantId, isStopped, (after, limit) => selectOpen(reader, tenantId, after, limit))
}
