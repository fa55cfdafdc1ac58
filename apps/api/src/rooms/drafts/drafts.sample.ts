import type { UserActor } from '../../lib/actor.ts'
import { daysAfter } from '../../lib/clock.ts'
import { addEvidence, addEvidenceSchema } from '../evidence/evidence.ts'
import type { SampleDesk, SampleProspect } from '../sample-desk.ts'
import { judgeDraft } from './checks/judge-draft.ts'
import { readerOf } from './checks/read-check-input.ts'
import { addBasisSchema } from './legal-bases/legal-bases.schema.ts'
import { addLegalBasis } from './legal-bases/legal-bases.ts'
import { approvePolicy, proposePolicy } from './policies/policies.ts'
import { policyProposals } from './policies/policy-proposals.data.ts'
import { createTemplateSchema } from './templates/templates.schema.ts'
import { createTemplate } from './templates/templates.ts'
import { createDraftSchema } from './writing/drafts.schema.ts'
import { approveDraft, rejectDraft, requestApproval } from './writing/request-approval.ts'
import { closeDraft, createDraft } from './writing/save-draft.ts'

const text =
  'Good day,\n\nYou asked for a price list at our stand [^1]. It is ready: reply to this message and we send it.\n\n{{sender.name}}\n{{sender.optOut}}'

const templates = [
  {
    name: 'Price list',
    channel: 'email',
    purpose: 'answer',
    language: 'en',
    subject: 'The price list',
    text: text.replace(' [^1]', ''),
  },
  {
    name: 'Na die besoek',
    channel: 'email',
    purpose: 'follow_up',
    language: 'af',
    subject: 'Ons besoek',
    text: 'Goeiedag,\n\nDankie vir die tyd vandag.\n\n{{sender.name}}\n{{sender.optOut}}',
  },
  {
    name: 'Second call',
    channel: 'call_script',
    purpose: 'follow_up',
    language: 'en',
    text: 'Ask for the buyer. Say that {{sender.name}} calls about the quote.',
  },
]

/** Adds an approved policy, templates, and a draft in each state. */
export async function sampleDrafts(desk: SampleDesk): Promise<void> {
  const { people, prospects, as } = desk
  const [operator, colleague] = people.operators
  for (const template of templates)
    await as(operator, 'draft_template.create', (tx) => createTemplate(tx, createTemplateSchema.parse(template)))
  await addPolicy(desk)
  const [written, requested, rejected, approved, closed] = prospects.filter(
    ({ email, isWorked }) => email !== null && isWorked,
  )
  if (written !== undefined) await write(desk, written, people.administrator)
  if (requested !== undefined) await request(desk, requested, operator)
  if (rejected !== undefined) {
    const id = await request(desk, rejected, people.administrator)
    await as(people.manager, 'draft.reject', (tx) => rejectDraft(tx, id, { reason: 'Name the date of the expo.' }))
  }
  if (approved !== undefined) {
    const id = await request(desk, approved, people.administrator)
    const seen = await seenIn(desk, id)
    const { adapters } = desk
    await as(people.manager, 'draft.approve', (tx) =>
      approveDraft(
        { tx, actor: people.manager, adapters, id },
        { ...seen, reason: 'They asked for it.', endsInDays: 7 },
      ),
    )
  }
  if (closed !== undefined) {
    const id = await write(desk, closed, colleague)
    await as(colleague, 'draft.close', (tx) => closeDraft(tx, { id, reason: 'They called instead.' }))
  }
}

async function addPolicy({ people, now, as }: SampleDesk): Promise<void> {
  const proposal = policyProposals.find(({ jurisdiction, channel }) => jurisdiction === 'za' && channel === 'email')
  if (proposal === undefined) return
  const { label: _label, notes: _notes, ...content } = proposal
  const { id } = await as(people.manager, 'draft_policy.propose', (tx) =>
    // No round of the sample is closed, and with the days of the proposal no draft could be approved.
    proposePolicy(tx, { ...content, registryDays: null, ownerId: people.manager.userId, endsAt: daysAfter(now, 300) }),
  )
  await as(people.administrator, 'draft_policy.approve', (tx) =>
    approvePolicy(tx, { id, reason: 'Sample: have your own policy read by a lawyer.' }),
  )
}

/** Writes a draft to a prospect that asked for a price list. */
async function write(
  { adapters, now, as }: SampleDesk,
  { id: businessId, email }: SampleProspect,
  author: UserActor,
): Promise<string> {
  const observation = addEvidenceSchema.parse({
    observation: 'Asked for a price list at our stand at the expo.',
    sourceLabel: 'Expo stand',
    capturedAt: daysAfter(now, -12),
    confidence: 'high',
  })
  const { id: evidenceId } = await as(author, 'evidence.add', async (tx) => {
    const { id } = await addEvidence(tx, businessId, observation)
    return { id }
  })
  const basis = addBasisSchema.parse({
    kind: 'consent',
    form: 'written',
    language: 'en',
    agreedTo: 'The price list, by email.',
    channels: ['email'],
    purpose: 'answer',
    jurisdiction: 'za',
    evidenceId,
    from: daysAfter(now, -12),
    until: daysAfter(now, 300),
  })
  await as(author, 'legal_basis.add', (tx) => addLegalBasis(tx, businessId, basis))
  const body = createDraftSchema.parse({
    businessId,
    title: 'Price list',
    jurisdiction: 'za',
    channel: 'email',
    purpose: 'answer',
    language: 'en',
    recipient: { kind: 'email', value: email },
    subject: 'The price list that you asked for',
    text,
    citations: [{ marker: 1, evidenceId, quote: 'price list' }],
  })
  const { id } = await as(author, 'draft.create', (tx) => createDraft({ tx, actor: author, adapters }, body))
  return id
}

async function request(desk: SampleDesk, prospect: SampleProspect, author: UserActor): Promise<string> {
  const { adapters, as } = desk
  const id = await write(desk, prospect, author)
  const seen = await seenIn(desk, id)
  await as(author, 'draft.request_approval', (tx) => requestApproval({ tx, actor: author, adapters, id }, seen))
  return id
}

/** The hashes of what a reader of the draft sees now. */
async function seenIn({ store, adapters, tenantId, now }: SampleDesk, id: string) {
  const { version, snapshotHash } = await judgeDraft(readerOf({ store, adapters }), {
    tenantId,
    id,
    personId: '',
    at: now.toISOString(),
  })
  return { contentHash: version.content_hash, snapshotHash }
}
