import { expect } from 'vitest'
import { buildTestApp, type TestApp, type TestAppOptions, type TestClient } from '../../../../test/build-app.ts'
import type { TestTenants } from '../../../../test/template-store.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { newId } from '../../../lib/ids.ts'
import { type LoadedAdapters, noAdapters } from '../../../load-adapters.ts'
import type { Copy } from '../copies/copies.schema.ts'
import { followDrafts } from '../following/draft-follower.ts'
import type { LegalBasis } from '../legal-bases/legal-bases.schema.ts'
import type { Policy } from '../policies/policies.schema.ts'
import type { Draft } from '../writing/drafts.schema.ts'

/* A workspace in which a draft can be written, approved and copied. */

export const EMAIL = 'info@karoo-pumps.co.za'
const TEXT = 'Good day {{business.name}}, you repair windpumps [^1]. {{sender.name}}\n{{sender.optOut}}'
export const WORDS = 'They repair windpumps in the Karoo.'

export const policyBody = (ownerId: string) => ({
  jurisdiction: 'za',
  channel: 'email',
  legalBases: ['consent', 'existing_customer', 'consent_asked_once'],
  requiredFields: ['sender.name', 'sender.optOut'],
  freshnessDays: { other: 365, name: 200 },
  acknowledgeable: ['low_confidence'],
  caps: { recipient: 2, person: 50, tenant: 200 },
  registryDays: null,
  optOutText: 'Reply with "Stop" to hear no more.',
  ownerId,
  endsAt: '2027-06-01T00:00:00Z',
})

export const basisBody = {
  kind: 'consent',
  form: 'written',
  language: 'en',
  agreedTo: 'Letters and messages about windpumps.',
  channels: ['email', 'sms'],
  purpose: 'introduction',
  jurisdiction: 'za',
  documentReference: 'Folder 7',
  from: '2026-11-01T00:00:00Z',
  until: '2027-11-01T00:00:00Z',
}

export type DraftsWorld = {
  t: TestApp
  tenant: keyof TestTenants
  administrator: TestClient
  manager: TestClient
  operator: TestClient
  viewer: TestClient
  businessId: string
  /** the claim about the name, and the observation that the text cites */
  nameId: string
  citedId: string
  basisId: string
  policyId: string
}

export async function sent<T>(answer: Promise<{ status: number; body: T }>): Promise<T> {
  const { status, body } = await answer
  expect([status, status < 300 ? null : body]).toEqual([expect.toSatisfy((one: number) => one < 300), null])
  return body
}

export async function draftsWorld(options: TestAppOptions = {}): Promise<DraftsWorld> {
  // Sessions that outlast the approvals of a test.
  const config = { sessionIdleMinutes: 1_000_000, sessionAbsoluteHours: 20_000 }
  return furnishWorld(await buildTestApp({ config, ...options }))
}

/** The same in an app that the caller closes. */
export async function furnishWorld(t: TestApp, tenant: keyof TestTenants = 'home'): Promise<DraftsWorld> {
  const [administrator, manager] = [await t.as('administrator', tenant), await t.as('manager', tenant)]
  const [operator, viewer] = [await t.as('operator', tenant), await t.as('viewer', tenant)]
  const businessId = await addProspect(operator, EMAIL)
  const nameId = await addClaim(operator, businessId, 'name', 'Karoo Pumps')
  const citedId = await addObservation(operator, businessId)
  const { id: basisId } = await sent(operator.post<LegalBasis>(`/businesses/${businessId}/legal-bases`, basisBody))
  const policyId = await approvedPolicy({ t, tenant, administrator, manager })
  return { t, tenant, administrator, manager, operator, viewer, businessId, nameId, citedId, basisId, policyId }
}

export async function addProspect(client: TestClient, email: string): Promise<string> {
  const body = {
    name: 'Karoo Pumps',
    emails: [{ value: email }],
    phones: [{ value: '+27 82 555 0199' }],
    address: { street: '1 Main Road', city: 'Beaufort West', country: 'ZA' },
  }
  return (await sent(client.post<{ id: string }>('/businesses', body))).id
}

export async function addClaim(
  client: TestClient,
  businessId: string,
  field: string,
  value: string,
  more: object = {},
): Promise<string> {
  const body = {
    field,
    value,
    sourceLabel: 'A visit',
    capturedAt: '2026-11-20T09:00:00Z',
    confidence: 'high',
    ...more,
  }
  return (await sent(client.post<{ id: string }>(`/businesses/${businessId}/evidence`, body))).id
}

export async function addObservation(client: TestClient, businessId: string, more: object = {}): Promise<string> {
  const body = {
    observation: WORDS,
    sourceLabel: 'A visit',
    capturedAt: '2026-11-20T09:00:00Z',
    confidence: 'high',
    ...more,
  }
  return (await sent(client.post<{ id: string }>(`/businesses/${businessId}/evidence`, body))).id
}

export async function approvedPolicy(
  { t, tenant, administrator, manager }: Pick<DraftsWorld, 't' | 'tenant' | 'administrator' | 'manager'>,
  more: object = {},
): Promise<string> {
  const body = { ...policyBody(t.tenants[tenant].users.administrator.id), ...more }
  const { id } = await sent(administrator.post<Policy>('/draft-policies', body))
  await sent(manager.post(`/draft-policies/${id}/approvals`, { reason: 'Read it.' }))
  return id
}

export const draftBody = ({ businessId, citedId }: Pick<DraftsWorld, 'businessId' | 'citedId'>) => ({
  businessId,
  title: 'First letter',
  jurisdiction: 'za',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  recipient: { kind: 'email', value: EMAIL },
  subject: 'Your windpumps',
  text: TEXT,
  citations: [{ marker: 1, evidenceId: citedId, quote: 'repair windpumps' }],
})

export function writeDraft(world: DraftsWorld, more: object = {}): Promise<Draft> {
  return sent(world.operator.post<Draft>('/drafts', { ...draftBody(world), ...more }))
}

export function readDraft(world: Pick<DraftsWorld, 'operator'>, id: string): Promise<Draft> {
  return sent(world.operator.get<Draft>(`/drafts/${id}`))
}

export const seenOf = ({ contentHash, snapshotHash }: Draft) => ({ contentHash, snapshotHash })

export async function requestApproval(world: DraftsWorld, draft: Draft): Promise<Draft> {
  return sent(world.operator.post<Draft>(`/drafts/${draft.id}/approval-requests`, seenOf(draft)))
}

export async function approve(world: DraftsWorld, draft: Draft, more: object = {}): Promise<Draft> {
  const body = { ...seenOf(draft), reason: 'It is right.', ...more }
  return (await sent(world.manager.post<{ draft: Draft }>(`/drafts/${draft.id}/approvals`, body))).draft
}

export async function approvedDraft(world: DraftsWorld, more: object = {}, terms: object = {}): Promise<Draft> {
  return approve(world, await requestApproval(world, await writeDraft(world, more)), terms)
}

export const copyBody = (draft: Draft) => ({
  draftVersion: draft.version,
  ...seenOf(draft),
  policyVersion: draft.versions.policy ?? '',
  suggestionId: draft.versions.suggestion,
  provider: draft.versions.provider,
  assistPolicy: draft.versions.assistPolicy,
})

/** One round of the upkeep and of the follower. */
export async function follow({ store }: Pick<TestApp, 'store'>, adapters: LoadedAdapters = noAdapters): Promise<void> {
  await upkeepOf('drafts', store, adapters)
  await followDrafts({ store, adapters })
}

export function askCopy(client: TestClient, draft: Draft, key: string = newId()) {
  return client.post<Copy>(`/drafts/${draft.id}/copies`, copyBody(draft), { 'idempotency-key': key })
}

/** 201, or the code of the refusal. */
export async function outcomeOf(client: TestClient, draft: Draft, key?: string): Promise<number | string> {
  const { status, body } = await askCopy(client, draft, key)
  return 'code' in body ? String(body.code) : status
}

/** The result of a check of a draft. */
export function resultOf({ checks }: Pick<Draft, 'checks'>, key: string): string | undefined {
  return checks.find((one) => one.key === key)?.result
}
