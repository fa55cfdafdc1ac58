import { actorKey } from '../../lib/actor.ts'
import { newId } from '../../lib/ids.ts'
import { change, type Tx } from '../../store/change/change.ts'
import { type FixtureWorld, idIn, type Place, type RoomFixture } from '../fixture.ts'
import { memberActor } from '../identity/identity.ts'
import { REDACTION_VERSION } from './bounds.ts'
import type { PolicyContent } from './policies/policies.schema.ts'
import { createPolicy, submitPolicy } from './policies/policies.ts'
import { insertSuggestion } from './suggestions/suggestions.queries.ts'

declare module '../fixture.ts' {
  interface Place {
    /** approved */
    assistPolicyId: string
    /** complete drafts of the administrator */
    assistPolicyToSubmitId: string
    /** in review, written by somebody else */
    assistPolicyToApproveId: string
    assistPolicyToRejectId: string
    assistPolicyFingerprint: string
    rejectableFingerprint: string
    assistSuggestionId: string
  }
}

const reason = 'Reviewed with the owner.'
const endsAt = '2027-06-01T00:00:00.000Z'

export const policyContent = {
  purposes: ['prospect_summary', 'draft_text'],
  sourceVersion: 1,
  dataClasses: ['claims'],
  redactionVersion: REDACTION_VERSION,
  retention: 'days_30',
  freshnessDays: { industry: 400 },
  budgets: { callsPerMinute: 5, callsPerDay: 50, tokensPerDay: 1_000_000, costPerDay: 500, costPerMonth: 5_000 },
  prices: { inputPerMillionTokens: 100, outputPerMillionTokens: 400, currency: 'ZAR' },
} as const satisfies Omit<PolicyContent, 'purposes' | 'dataClasses'> & Record<string, unknown>

export const fixture: RoomFixture = {
  records: async (world) => {
    const made = await policies(world)
    return { ...made, ...(await suggestions(world, made.assistPolicyId)) }
  },
  cases: {
    getBrief: { permission: 'businesses.read' },
    getAssistStatus: { permission: 'assist.read' },
    getAssistUsage: { permission: 'assist.read' },
    listAssistPolicies: { permission: 'assist.read' },
    getAssistPolicy: { permission: 'assist.read' },
    createAssistPolicy: {
      permission: 'assist.configure',
      body: ({ sourceId, termsOwnerId: ownerId }) => ({
        ...policyContent,
        sourceId,
        ownerId,
        fallbackSourceId: sourceId,
      }),
      refersTo: {
        sourceId: { names: 'sourceId', answers: 404 },
        fallbackSourceId: { names: 'sourceId', answers: 404 },
        ownerId: { names: 'termsOwnerId', answers: 404 },
      },
    },
    submitAssistPolicy: {
      permission: 'assist.configure',
      path: ({ assistPolicyToSubmitId: assistPolicyId }) => ({ assistPolicyId }),
      answersAgain: 409,
    },
    withdrawAssistPolicy: { permission: 'assist.configure', body: { reason }, answersAgain: 409 },
    approveAssistPolicy: {
      permission: 'assist.approve_policies',
      path: ({ assistPolicyToApproveId: assistPolicyId }) => ({ assistPolicyId }),
      body: ({ assistPolicyFingerprint: fingerprint }) => ({ fingerprint, reason, endsAt }),
      answersAgain: 409,
    },
    rejectAssistPolicy: {
      permission: 'assist.approve_policies',
      path: ({ assistPolicyToRejectId: assistPolicyId }) => ({ assistPolicyId }),
      body: ({ rejectableFingerprint: fingerprint }) => ({ fingerprint, reason }),
      answersAgain: 409,
    },
    // Assistance is disabled in these apps: no adapter of a provider is loaded.
    previewSuggestion: {
      permission: 'assist.request',
      body: ({ businessId, evidenceId }) => ({ businessId, purpose: 'prospect_summary', evidenceIds: [evidenceId] }),
      refersTo: { businessId: { names: 'businessId', answers: 404 } },
      asksOnly: true,
      answers: 422,
    },
    requestSuggestion: {
      permission: 'assist.request',
      fills: { suggestions_of_day: {} },
      body: ({ businessId, evidenceId }) => ({
        businessId,
        purpose: 'prospect_summary',
        evidenceIds: [evidenceId],
        contentHash: 'a'.repeat(64),
      }),
      refersTo: { businessId: { names: 'businessId', answers: 404 } },
      answers: 422,
    },
    listSuggestions: {
      permission: 'assist.read',
      filtersBy: { businessId: 'businessId' },
    },
    getSuggestion: { permission: 'assist.read' },
    decideSuggestion: {
      permission: 'assist.decide',
      body: { decision: 'reject', reason, fingerprint: 'a'.repeat(64) },
      answers: 409,
    },
    getSuggestionExchange: { permission: 'assist.decide' },
  },
}

async function policies(world: FixtureWorld): Promise<Partial<Place>> {
  const { client, store, place } = world
  const { sourceId } = place
  const body = { ...policyContent, sourceId, ownerId: idIn(await client.get('/session'), 'user.id') }
  const write = async () => client.post('/assist/policies', body)
  const assistPolicyToSubmitId = idIn(await write())
  if (store === undefined) {
    const other = await write()
    const fingerprint = idIn(other, 'fingerprint')
    const id = idIn(other)
    return {
      assistPolicyId: id,
      assistPolicyToSubmitId,
      assistPolicyToApproveId: id,
      assistPolicyToRejectId: id,
      assistPolicyFingerprint: fingerprint,
      rejectableFingerprint: fingerprint,
    }
  }
  // No client of a fixture is a second person, so versions of another person are written past the routes.
  const inReview = () =>
    asMember(world, 'manager', async (tx) => {
      const { id } = await createPolicy(tx, {
        ...body,
        purposes: [...body.purposes],
        dataClasses: [...body.dataClasses],
      })
      return submitPolicy(tx, id)
    })
  const { id: assistPolicyId } = await inReview()
  const fingerprintOf = async (id: string) => idIn(await client.get(`/assist/policies/${id}`), 'fingerprint')
  const approval = { fingerprint: await fingerprintOf(assistPolicyId), reason, endsAt }
  await client.post(`/assist/policies/${assistPolicyId}/approvals`, approval)
  const [{ id: assistPolicyToApproveId }, { id: assistPolicyToRejectId }] = [await inReview(), await inReview()]
  return {
    assistPolicyId,
    assistPolicyToSubmitId,
    assistPolicyToApproveId,
    assistPolicyToRejectId,
    assistPolicyFingerprint: await fingerprintOf(assistPolicyToApproveId),
    rejectableFingerprint: await fingerprintOf(assistPolicyToRejectId),
  }
}

/** No provider is loaded, so two suggestions are stored past the routes. The newer one is returned; none without the store. */
async function suggestions(world: FixtureWorld, policyId = ''): Promise<Partial<Place>> {
  if (world.store === undefined) return {}
  const { tenantId, businessId, evidenceId } = world.place
  return asMember(world, 'operator', async (tx) => {
    let id = ''
    for (const word of ['first', 'second']) {
      id = newId()
      await insertSuggestion(
        tx.db,
        {
          tenant_id: tenantId,
          id,
          business_id: businessId,
          purpose: 'prospect_summary',
          job_id: newId(),
          policy_id: policyId,
          evidence: JSON.stringify([{ evidenceId, hash: 'b'.repeat(64) }]),
          evidence_hash: 'c'.repeat(64),
          content_hash: 'd'.repeat(64),
          requested_at: tx.at,
          requested_by: actorKey(tx.actor),
        },
        {
          tenant_id: tenantId,
          suggestion_id: id,
          state: 'proposed',
          result: JSON.stringify({ kind: 'full', reason: null, detail: null, retryAfter: null, dropped: [] }),
          claims: JSON.stringify([{ text: `The ${word} claim.`, citations: [] }]),
          fingerprint: 'a'.repeat(64),
          versions: null,
          source_id: null,
          fallback_used: 0,
          usage: null,
          proposed_at: tx.at,
          decided_at: null,
          decided_by: null,
          decision_reason: null,
          decision_event_id: null,
          state_code: null,
          state_since: tx.at,
          state_subject: null,
        },
      )
      await tx.record({ action: 'assist.propose', subject: { type: 'suggestion', id }, businessId })
    }
    return { assistSuggestionId: id }
  })
}

async function asMember<T>(
  { store, place: { tenantId } }: FixtureWorld,
  role: 'manager' | 'operator',
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (store === undefined) throw new Error('The store belongs to another process.')
  const member = await store.reader
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', role)
    .executeTakeFirstOrThrow()
  const actor = await memberActor(store.reader, { tenantId, userId: member.user_id }, newId())
  if (actor === undefined) throw new Error('The tenant has no such member.')
  const { value } = await change(store, actor, { permission: null, action: 'assist.policy_create' }, work)
  return value
}
