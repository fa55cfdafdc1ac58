import { newId } from '../../lib/ids.ts'
import { noAdapters } from '../../load-adapters.ts'
import { change, type Tx } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { idIn, type Place, type RoomFixture } from '../fixture.ts'
import { allPermissions } from '../identity/identity.ts'
import { judgeDraft } from './checks/judge-draft.ts'
import { readerOf } from './checks/read-check-input.ts'
import { addLegalBasis } from './legal-bases/legal-bases.ts'
import { findPolicyInForce } from './policies/policies.queries.ts'
import { approvePolicy, proposePolicy } from './policies/policies.ts'
import { createDraftSchema } from './writing/drafts.schema.ts'
import { approveDraft, requestApproval } from './writing/request-approval.ts'
import { createDraft } from './writing/save-draft.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a draft with two versions */
    draftId: string
    templateId: string
    deletableTemplateId: string
    basisId: string
    withdrawableBasisId: string
    /** a prospect that a text may be written to, with an observation */
    writtenToId: string
    draftEvidenceId: string
    /** drafts of another person that wait for the next step, as they are seen */
    requestableDraftId: string
    requestableContentHash: string
    requestableSnapshotHash: string
    approvableDraftId: string
    approvableContentHash: string
    approvableSnapshotHash: string
    rejectableDraftId: string
    rejectableContentHash: string
    withdrawableDraftId: string
    closableDraftId: string
    copyableDraftId: string
    copyableContentHash: string
    copyableSnapshotHash: string
    policyOwnerId: string
    approvablePolicyId: string
    rejectablePolicyId: string
    withdrawablePolicyId: string
  }
}

const template = {
  name: 'First letter',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  subject: 'Good day',
  text: 'Good day {{business.name|there}}.',
}

const policy = {
  jurisdiction: 'eu',
  channel: 'letter',
  contactHours: 'warn',
  registryDays: null,
  basisForm: 'known',
  sources: ['Consent before a first email. Source: a summary.'],
  reviewBy: '2027-06-01',
  legalBases: ['consent'],
  requiredFields: ['sender.name'],
  freshnessDays: { other: 365, name: 100 },
  acknowledgeable: ['low_confidence'],
  caps: { recipient: 2, person: 50, tenant: 200 },
  optOutText: 'Write to us to hear no more.',
  endsAt: '2027-06-01T00:00:00Z',
} as const

const basis = {
  kind: 'consent',
  form: 'written',
  language: 'en',
  agreedTo: 'Offers of windpumps by email.',
  channels: ['email'],
  purpose: 'answer',
  jurisdiction: 'za',
  recipient: { kind: 'email', value: 'info@drafts.example' },
  documentReference: 'Folder 7',
  from: '2026-11-01T00:00:00Z',
  until: '2027-11-01T00:00:00Z',
}

const written = {
  title: 'First letter',
  jurisdiction: 'za',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  recipient: { kind: 'email', value: 'info@drafts.example' },
  subject: 'Good day',
  text: 'Good day, you repair windpumps [^1]. {{sender.name}}',
  noCitationReason: 'A first contact.',
} as const

const draftOf = ({ businessId, evidenceId }: Pick<Place, 'businessId' | 'evidenceId'>) => ({
  businessId,
  ...written,
  citations: [{ marker: 1, evidenceId, quote: 'windpumps' }],
  acknowledgements: [{ evidenceId, reason: 'Seen on the spot.' }],
})

export const fixture: RoomFixture = {
  records: async ({ client, unique, store, place }) => {
    const { businessId } = place
    const policyOwnerId = idIn(await client.get('/session'), 'user.id')
    const draftId = idIn(await client.post('/drafts', draftOf(place)))
    const next = { text: `Good day again, ${unique()} [^1].` }
    await client.patch(`/drafts/${draftId}`, next, { 'if-match': '"1"' })
    await client.post('/drafts', { ...draftOf(place), title: `Second ${unique()}` })
    const addTemplate = async () => idIn(await client.post('/draft-templates', template))
    const addBasis = async () => idIn(await client.post(`/businesses/${businessId}/legal-bases`, basis))
    const made = {
      draftId,
      policyOwnerId,
      templateId: await addTemplate(),
      deletableTemplateId: await addTemplate(),
      basisId: await addBasis(),
      withdrawableBasisId: await addBasis(),
    }
    const address = `info@${unique()}.example`
    const prospect = { name: `Written to ${unique()}`, emails: [{ value: address }] }
    const writtenToId = idIn(await client.post('/businesses', prospect))
    const seen = {
      observation: 'They repair windpumps.',
      sourceLabel: 'A visit',
      capturedAt: '2026-11-20T09:00:00Z',
      confidence: 'high',
    }
    const draftEvidenceId = idIn(await client.post(`/businesses/${writtenToId}/evidence`, seen))
    if (store === undefined) return { ...made, writtenToId, draftEvidenceId }
    const others = await storeRecords(store, { address, writtenToId, draftEvidenceId })
    return { ...made, writtenToId, draftEvidenceId, ...others }
  },
  cases: {
    listDrafts: { permission: 'drafts.read', filtersBy: { businessId: 'businessId' } },
    createDraft: {
      permission: 'drafts.write',
      fills: { drafts_of_day: {}, open_drafts: {} },
      body: draftOf,
      refersTo: {
        businessId: { names: 'businessId', answers: 404 },
        templateId: { names: 'templateId', answers: 404 },
        suggestionId: { names: 'assistSuggestionId', answers: 404 },
        assigneeId: { names: 'userId', answers: 422 },
        'citations.evidenceId': { names: 'evidenceId', answers: 400 },
        'acknowledgements.evidenceId': { names: 'evidenceId', answers: 400 },
      },
    },
    getDraft: { permission: 'drafts.read' },
    saveDraft: {
      permission: 'drafts.write',
      fills: { draft_versions: { subject: 'Another subject' } },
      body: (place) => {
        const { businessId: _businessId, ...content } = draftOf(place)
        return content
      },
      refersTo: {
        templateId: { names: 'templateId', answers: 404 },
        assigneeId: { names: 'userId', answers: 422 },
        'citations.evidenceId': { names: 'evidenceId', answers: 400 },
        'acknowledgements.evidenceId': { names: 'evidenceId', answers: 400 },
      },
    },
    listDraftVersions: { permission: 'drafts.read' },
    getDraftChecks: { permission: 'drafts.read' },
    checkDraft: {
      permission: 'drafts.write',
      body: draftOf,
      refersTo: {
        businessId: { names: 'businessId', answers: 404 },
        draftId: { names: 'draftId', answers: 404 },
        templateId: { names: 'templateId', answers: 200 },
        suggestionId: { names: 'assistSuggestionId', answers: 200 },
        assigneeId: { names: 'userId', answers: 422 },
        'citations.evidenceId': { names: 'evidenceId', answers: 400 },
        'acknowledgements.evidenceId': { names: 'evidenceId', answers: 400 },
      },
      asksOnly: true,
    },
    listDraftApprovalRequests: { permission: 'drafts.read' },
    requestDraftApproval: {
      permission: 'drafts.write',
      path: ({ requestableDraftId }) => ({ draftId: requestableDraftId }),
      body: ({ requestableContentHash: contentHash, requestableSnapshotHash: snapshotHash }) => ({
        contentHash,
        snapshotHash,
      }),
      answersAgain: 409,
    },
    withdrawDraftRequest: {
      permission: 'drafts.write',
      path: ({ withdrawableDraftId }) => ({ draftId: withdrawableDraftId }),
      body: { reason: 'Another wording is better.' },
      answersAgain: 409,
    },
    approveDraft: {
      permission: 'drafts.approve',
      path: ({ approvableDraftId }) => ({ draftId: approvableDraftId }),
      body: ({ approvableContentHash: contentHash, approvableSnapshotHash: snapshotHash }) => ({
        contentHash,
        snapshotHash,
        reason: 'It is right.',
        endsInDays: 5,
      }),
      answersAgain: 409,
    },
    rejectDraft: {
      permission: 'drafts.approve',
      path: ({ rejectableDraftId }) => ({ draftId: rejectableDraftId }),
      body: ({ rejectableContentHash: contentHash }) => ({ contentHash, reason: 'Too long.' }),
      answersAgain: 409,
    },
    closeDraft: {
      permission: 'drafts.write',
      path: ({ closableDraftId }) => ({ draftId: closableDraftId }),
      body: { reason: 'No longer needed.' },
      answersAgain: 409,
    },
    copyDraft: {
      permission: 'drafts.copy',
      path: ({ copyableDraftId }) => ({ draftId: copyableDraftId }),
      body: (place) => ({
        draftVersion: 1,
        contentHash: place.copyableContentHash,
        snapshotHash: place.copyableSnapshotHash,
        policyVersion: 'za/email/1',
        provider: null,
        assistPolicy: null,
      }),
      refersTo: { suggestionId: { names: 'assistSuggestionId', answers: 409 } },
      // Two copies to one recipient in 30 days.
      answersAgain: 422,
    },
    listDraftTemplates: { permission: 'drafts.read' },
    createDraftTemplate: { permission: 'drafts.write', body: template, fills: { draft_templates: {} } },
    getDraftTemplate: { permission: 'drafts.read' },
    editDraftTemplate: { permission: 'drafts.write', body: { ...template, name: 'Second letter' } },
    deleteDraftTemplate: {
      permission: 'drafts.write',
      path: ({ deletableTemplateId }) => ({ templateId: deletableTemplateId }),
      answersAgain: 404,
    },
    listDraftPolicies: { permission: 'drafts.read' },
    getDraftPolicyProposals: { permission: 'drafts.read' },
    proposeDraftPolicy: {
      permission: 'drafts.configure',
      fills: { draft_policies: {} },
      body: ({ policyOwnerId: ownerId }) => ({ ...policy, ownerId }),
      refersTo: { ownerId: { names: 'policyOwnerId', answers: 404 } },
    },
    approveDraftPolicy: {
      permission: 'drafts.approve',
      path: ({ approvablePolicyId }) => ({ policyId: approvablePolicyId }),
      body: { reason: 'Read it.' },
      answersAgain: 409,
    },
    rejectDraftPolicy: {
      permission: 'drafts.approve',
      path: ({ rejectablePolicyId }) => ({ policyId: rejectablePolicyId }),
      body: { reason: 'Too wide.' },
      answersAgain: 409,
    },
    withdrawDraftPolicy: {
      permission: 'drafts.approve',
      path: ({ withdrawablePolicyId }) => ({ policyId: withdrawablePolicyId }),
      body: { reason: 'The law changed.' },
      answersAgain: 409,
    },
    listLegalBases: { permission: 'drafts.read' },
    addLegalBasis: {
      permission: 'drafts.write',
      fills: { legal_bases: {} },
      body: basis,
      otherBodies: [
        { ...basis, form: 'telephone', recordingReference: 'Recorder 2, call 4711' },
        {
          ...basis,
          kind: 'existing_customer',
          form: 'existing_customer',
          sale: { what: 'Two windpumps', on: '2026-09-01' },
        },
      ],
      refersTo: { evidenceId: { names: 'evidenceId', answers: 404 } },
    },
    withdrawLegalBasis: {
      permission: 'drafts.write',
      path: ({ withdrawableBasisId }) => ({ basisId: withdrawableBasisId }),
      body: { reason: 'They changed their mind.' },
      answersAgain: 409,
    },
  },
}

type WrittenTo = { address: string } & Pick<Place, 'writtenToId' | 'draftEvidenceId'>

/** Records that need two other people: drafts in each state, and policies. */
async function storeRecords(store: Store, { address, writtenToId, draftEvidenceId }: WrittenTo) {
  const { tenant_id: tenantId } = await store.reader
    .selectFrom('businesses')
    .select('tenant_id')
    .where('id', '=', writtenToId)
    .executeTakeFirstOrThrow()
  const { user_id: memberId } = await store.reader
    .selectFrom('memberships')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('role', '=', 'administrator')
    .orderBy('user_id')
    .executeTakeFirstOrThrow()
  const person = () => ({
    kind: 'user' as const,
    userId: newId(),
    tenantId,
    correlationId: newId(),
    permissions: allPermissions,
  })
  const [author, approver] = [person(), person()]
  const as = async <T>(
    actor: typeof author,
    action: Parameters<typeof change>[2]['action'],
    work: (tx: Tx) => Promise<T>,
  ) => (await change(store, actor, { permission: null, action }, work)).value
  const propose = (jurisdiction: string) =>
    as(author, 'draft_policy.propose', (tx) =>
      proposePolicy(tx, {
        ...policy,
        legalBases: ['consent'],
        requiredFields: ['sender.name'],
        acknowledgeable: ['low_confidence'],
        sources: [],
        jurisdiction,
        channel: 'email',
        ownerId: memberId,
      }),
    )
  const known = await findPolicyInForce(store.reader, { tenantId, jurisdiction: 'za', channel: 'email' })
  if (known === null) {
    const { id } = await propose('za')
    await as(approver, 'draft_policy.approve', (tx) => approvePolicy(tx, { id, reason: 'Read it.' }))
  }
  await as(author, 'legal_basis.add', (tx) =>
    addLegalBasis(tx, writtenToId, {
      kind: 'consent',
      form: 'written',
      language: 'en',
      agreedTo: 'Offers of windpumps by email.',
      channels: ['email'],
      purpose: 'introduction',
      jurisdiction: 'za',
      documentReference: 'Folder 8',
      from: '2026-11-01T00:00:00.000Z',
      until: '2027-11-01T00:00:00.000Z',
    }),
  )
  const body = createDraftSchema.parse({
    ...draftOf({ businessId: writtenToId, evidenceId: draftEvidenceId }),
    recipient: { kind: 'email', value: address },
    assigneeId: memberId,
  })
  const write = async () =>
    (await as(author, 'draft.create', (tx) => createDraft({ tx, actor: author, adapters: noAdapters }, body))).id
  const judge = (id: string) =>
    judgeDraft(readerOf({ store, adapters: noAdapters }), {
      tenantId,
      id,
      personId: '',
      at: store.clock().toISOString(),
    })
  const seen = async (id: string) => {
    const { version, snapshotHash } = await judge(id)
    return { contentHash: version.content_hash, snapshotHash }
  }
  const request = async () => {
    const id = await write()
    const hashes = await seen(id)
    await as(author, 'draft.request_approval', (tx) =>
      requestApproval({ tx, actor: author, adapters: noAdapters, id }, hashes),
    )
    return id
  }
  const requestableDraftId = await write()
  const approvableDraftId = await request()
  const copyableDraftId = await request()
  const hashes = await seen(copyableDraftId)
  await as(approver, 'draft.approve', (tx) =>
    approveDraft(
      { tx, actor: approver, adapters: noAdapters, id: copyableDraftId },
      { ...hashes, reason: 'It is right.', endsInDays: 7 },
    ),
  )
  const requestable = await seen(requestableDraftId)
  const approvable = await seen(approvableDraftId)
  const copyable = await judge(copyableDraftId)
  const rejectableDraftId = await request()
  const rejectable = await seen(rejectableDraftId)
  return {
    requestableDraftId,
    requestableContentHash: requestable.contentHash,
    requestableSnapshotHash: requestable.snapshotHash,
    approvableDraftId,
    approvableContentHash: approvable.contentHash,
    approvableSnapshotHash: approvable.snapshotHash,
    rejectableDraftId,
    rejectableContentHash: rejectable.contentHash,
    withdrawableDraftId: await request(),
    closableDraftId: await write(),
    copyableDraftId,
    copyableContentHash: copyable.version.content_hash,
    copyableSnapshotHash: copyable.snapshotHash,
    approvablePolicyId: (await propose('aa')).id,
    rejectablePolicyId: (await propose('ab')).id,
    withdrawablePolicyId: (await propose('ac')).id,
  }
}
