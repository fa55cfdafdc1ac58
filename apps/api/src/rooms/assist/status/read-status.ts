import { type ProviderDetails, providerDetailsSchema } from '@prospect/adapter-contract/prompt'
import { findPurposeState, findSourceState, type NamedSource, type RegistryView } from '../../sources/sources.ts'
import { findApproved, selectPolicies } from '../policies/policies.queries.ts'
import type { AssistPolicy, CompletePolicy } from '../policies/policies.schema.ts'
import { completePolicy } from '../policies/policy.rules.ts'
import { type Recorded, statusItems } from './status.rules.ts'
import type { AssistStatus } from './status.schema.ts'

/** Everything that a request needs once assistance is enabled. */
export type Enabled = {
  policy: AssistPolicy
  content: CompletePolicy
  source: NamedSource
  details: ProviderDetails
}

/** Each item with its state, since when, and who can resolve it. Writes and sends nothing. */
export async function readStatus(view: RegistryView): Promise<AssistStatus & { ready: Enabled | undefined }> {
  const { db, tenantId, at } = view
  const approved = await findApproved(db, tenantId, at)
  const [newest] = await selectPolicies(db, { tenantId, before: undefined, limit: 1, at })
  const policy = approved ?? newest
  const source = await sourceOf(view, policy)
  const details = detailsOf(source)
  const recorded: Recorded = { policy, source, details }
  const items = statusItems(recorded)
  const enabled = items.every(({ state }) => state === 'present')
  const content = policy === undefined ? undefined : completePolicy(policy)
  const isReady = enabled && policy !== undefined && source !== undefined
  return {
    enabled,
    items,
    policyId: policy?.id ?? null,
    source: source === undefined ? null : { id: source.sourceId, name: source.name },
    ready: isReady && content !== undefined && details !== undefined ? { policy, content, source, details } : undefined,
  }
}

/** The source of the policy; while no policy names one, the first that is registered for summaries. */
async function sourceOf(view: RegistryView, policy: AssistPolicy | undefined): Promise<NamedSource | undefined> {
  if (policy?.sourceId !== undefined) return findSourceState(view, policy.sourceId)
  const found = (await findPurposeState(view, 'prospect_summary')) ?? (await findPurposeState(view, 'draft_text'))
  return found === undefined ? undefined : findSourceState(view, found.sourceId)
}

/** The model and the operator's limits, as the loaded adapter declares them. */
export function detailsOf(source: NamedSource | undefined): ProviderDetails | undefined {
  return providerDetailsSchema.safeParse(source?.loaded?.details).data
}
