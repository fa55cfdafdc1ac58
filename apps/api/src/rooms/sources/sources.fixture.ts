import type { UserActor } from '../../lib/actor.ts'
import { sha256 } from '../../lib/hashing.ts'
import { newId } from '../../lib/ids.ts'
import type { LoadedAdapters } from '../../load-adapters.ts'
import { change, type Tx } from '../../store/change/change.ts'
import type { Store } from '../../store/store.ts'
import { type FixtureAnswer, type FixtureWorld, idIn, type Place, type RoomFixture } from '../fixture.ts'
import { memberActor } from '../identity/identity.ts'
import { insertTransition } from './circuit/circuit.queries.ts'
import { decideIncident, recordIncident } from './circuit/incidents.ts'
import type { Contract } from './registry/contract.rules.ts'
import { enableSource, giveApproval } from './registry/decide.ts'
import { createSource, saveNewVersion } from './registry/propose.ts'
import { type AdapterSource, getSourceRow, readSourceState } from './registry/source-state.ts'
import { CSV_SOURCE_ID, type Desk, MANUAL_SOURCE_ID } from './sources.table.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a source with two versions */
    sourceId: string
    sourceToApproveId: string
    sourceToEnableId: string
    enabledSourceId: string
    disableableSourceId: string
    sourceToWithdrawId: string
    revocableSourceId: string
    decisionId: string
    /** a source whose circuit is open, so that it is not queried */
    stoppedSourceId: string
    openingId: string
    /** an incident record that no person has approved or rejected yet */
    incidentId: string
    approvedIncidentId: string
    sourceRecordId: string
    recordWithRawId: string
    /** fingerprint of the state that decisions about a source confirm */
    sourceFingerprint: string
    termsOwnerId: string
  }
}

const reason = 'Checked with the provider.'
const approvalEnd = '2027-06-01T00:00:00.000Z'
const enablementEnd = '2027-01-15T00:00:00.000Z'

/** A complete contract except for the terms owner. The caller adds that person, who must be a member of the tenant. */
export const contract = {
  purposes: ['business_records'],
  scope: { fields: ['name', 'phone'], provinces: ['NC', 'WC'], maxRecords: 10 },
  rate: { perMinute: 30, perDay: 1_000 },
  concurrency: 2,
  timeoutMs: 5_000,
  maxBytes: 100_000,
  retry: { maxAttempts: 2 },
  rawRetention: 'days_180',
  health: { failureRatio: 0.2, latencyMs: 2_000 },
  circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
  settings: { region: 'north' },
} as const satisfies Omit<Contract, 'terms' | 'purposes' | 'scope'> & Record<string, unknown>

const adapter = { id: 'fixture', version: '1.0.0' }

const reference = {
  sourceId: MANUAL_SOURCE_ID,
  raw: 'Overberg Fencing, 12 Long Street',
  attribution: 'Trade directory 2026',
  capturedAt: '2026-11-20T09:00:00Z',
  observedAt: '2026-11-19T09:00:00Z',
  observations: [{ field: 'industry', value: 'Fencing', confidence: 'medium' }],
}

const file = {
  sha256: '5a'.repeat(32),
  name: 'members.csv',
  label: 'CSV file members.csv (5a5a5a5a)',
  purpose: 'Introductions to members',
  legalBasis: 'Legitimate interest',
}

export const fixture: RoomFixture = {
  records: async (world) => ({ ...(await records(world)), ...(await registry(world)) }),
  cases: {
    listSources: { permission: 'sources.read' },
    createSource: {
      permission: 'sources.propose',
      fills: { sources: {} },
      body: ({ termsOwnerId }) => ({
        slug: 'directory',
        name: 'Directory',
        description: 'A trade directory',
        adapter,
        contract: wholeContract(termsOwnerId),
      }),
      refersTo: { 'contract.terms.ownerId': { names: 'termsOwnerId', answers: 422 } },
      answersAgain: 409,
    },
    getSource: { permission: 'sources.read' },
    editSource: { permission: 'sources.propose', body: { name: 'Directory of trades', description: 'A directory' } },
    saveSourceVersion: {
      permission: 'sources.propose',
      body: ({ termsOwnerId }) => ({ contract: wholeContract(termsOwnerId), basedOn: 2 }),
      refersTo: { 'contract.terms.ownerId': { names: 'termsOwnerId', answers: 422 } },
      answersAgain: 409,
    },
    approveSource: {
      permission: 'sources.approve',
      path: ({ sourceToApproveId }) => ({ sourceId: sourceToApproveId }),
      body: ({ sourceFingerprint: fingerprint }) => ({
        desk: 'security',
        decision: 'approve',
        fingerprint,
        reason,
        endsAt: approvalEnd,
      }),
      answersAgain: 409,
    },
    enableSource: {
      permission: 'sources.enable',
      path: ({ sourceToEnableId }) => ({ sourceId: sourceToEnableId }),
      body: ({ sourceFingerprint: fingerprint }) => ({ fingerprint, reason, endsAt: enablementEnd }),
    },
    revokeSourceDecision: {
      permission: 'sources.approve',
      path: ({ revocableSourceId }) => ({ sourceId: revocableSourceId }),
      body: ({ decisionId }) => ({ decisionId, reason }),
      refersTo: { decisionId: { names: 'decisionId', answers: 404 } },
      answersAgain: 409,
    },
    planSourceQuery: {
      permission: 'sources.dry_run',
      body: ({ businessId }) => ({ query: query(businessId), contractVersion: 1 }),
    },
    querySource: {
      permission: 'sources.query',
      path: ({ enabledSourceId }) => ({ sourceId: enabledSourceId }),
      body: ({ businessId }) => ({ purpose: 'business_records', query: query(businessId) }),
      refersTo: { 'query.businessId': { names: 'businessId', answers: 404 } },
    },
    disableSource: {
      permission: 'sources.enable',
      path: ({ disableableSourceId }) => ({ sourceId: disableableSourceId }),
      body: { reason },
      answersAgain: 409,
    },
    withdrawSource: {
      permission: 'sources.enable',
      path: ({ sourceToWithdrawId }) => ({ sourceId: sourceToWithdrawId }),
      body: { reason },
      answersAgain: 409,
    },
    getSourceHealth: { permission: 'sources.read' },
    listSourceHistory: { permission: 'sources.read' },
    listSourceAdapters: { permission: 'sources.read' },
    getSourceDesks: { permission: 'sources.read' },
    designateSourceDesks: {
      permission: 'sources.configure',
      body: ({ termsOwnerId: id }) => ({ product: [], legal: [id], security: [id] }),
    },
    listSourceIncidents: { permission: 'sources.read', filtersBy: { sourceId: 'sourceId' } },
    recordSourceIncident: {
      permission: 'sources.reset_circuit',
      path: ({ stoppedSourceId }) => ({ sourceId: stoppedSourceId }),
      body: ({ openingId }) => ({ kind: 'incident', openingId, description: 'The provider was down for an hour.' }),
      refersTo: { openingId: { names: 'openingId', answers: 409 } },
    },
    decideSourceIncident: {
      permission: 'sources.reset_circuit',
      path: ({ stoppedSourceId }) => ({ sourceId: stoppedSourceId }),
      body: { decision: 'approve', reason },
      answersAgain: 409,
    },
    resetSourceCircuit: {
      permission: 'sources.reset_circuit',
      path: ({ stoppedSourceId }) => ({ sourceId: stoppedSourceId }),
      body: ({ approvedIncidentId: incidentId }) => ({ incidentId, reason }),
      refersTo: { incidentId: { names: 'approvedIncidentId', answers: 404 } },
      answersAgain: 409,
    },
    listSourceFiles: { permission: 'sources.read' },
    addSourceFile: {
      permission: 'sources.record',
      fills: { source_files: {} },
      body: ({ termsOwnerId: ownerId }) => ({ ...file, ownerId }),
      refersTo: { ownerId: { names: 'termsOwnerId', answers: 422 } },
      answersAgain: 409,
    },
    listSourceRecords: { permission: 'sources.read' },
    addSourceRecord: {
      permission: 'sources.record',
      fills: { raw_texts: {} },
      body: reference,
      otherBodies: [
        ({ previewId }: Place) => ({
          sourceId: CSV_SOURCE_ID,
          attribution: 'List of members',
          capturedAt: '2026-11-20T09:00:00Z',
          csvRow: { previewId, row: 1, columns: [1, 2] },
        }),
      ],
      refersTo: {
        sourceId: { names: 'sourceId', answers: 404 },
        'csvRow.previewId': {
          names: 'previewId',
          answers: 404,
          beside: {
            sourceId: CSV_SOURCE_ID,
            attribution: 'List',
            capturedAt: '2026-11-20T09:00:00Z',
            csvRow: { row: 1, columns: [1] },
          },
        },
      },
    },
    getSourceRecord: { permission: 'sources.read' },
    deleteRawText: {
      permission: 'sources.delete_raw',
      path: ({ recordWithRawId }) => ({ sourceRecordId: recordWithRawId }),
      body: { reason },
      answersAgain: 409,
    },
  },
}

function wholeContract(ownerId: string): Contract {
  const { purposes, scope, ...rest } = contract
  const { fields, provinces, maxRecords } = scope
  return {
    ...rest,
    terms: { ownerId, reference: 'Agreement 2026/11', reviewDueOn: '2027-06-01' },
    purposes: [...purposes],
    scope: { fields: [...fields], provinces: [...provinces], maxRecords },
  }
}

function query(businessId: string) {
  return { businessId, fields: ['name'], provinces: ['NC'], maxRecords: 5 }
}

async function records({ client, unique, place: { businessId } }: FixtureWorld) {
  // Two files, so that their list has more than one page.
  const ownerId = idIn(await client.get('/session'), 'user.id')
  for (const content of [unique(), unique()])
    idIn(await client.post('/source-files', { ...file, sha256: sha256(content), ownerId }))
  const add = async (raw: string) =>
    idIn(await client.post(`/businesses/${businessId}/source-records`, { ...reference, raw }))
  return { recordWithRawId: await add('An older reference'), sourceRecordId: await add('A reference') }
}

type Person = 'author' | 'product' | 'legal' | 'security'
type Maker = { store: Store; adapters: LoadedAdapters; people: Record<Person, UserActor> }

/**
 * Creates sources in every state. Most rows are inserted without the routes, because four different members are needed: an author and three who
 * approve. A service in another process gets only a proposed source.
 */
async function registry(world: FixtureWorld): Promise<Partial<Place>> {
  const { client, unique, place, store, adapters } = world
  if (store === undefined || adapters === undefined) {
    const proposal = { slug: unique(), name: 'Directory', adapter, contract: {} }
    return { sourceId: idIn(await client.post('/sources', proposal)) }
  }
  const maker = { store, adapters, people: await peopleOf(store, place.tenantId) }
  await designate(client, maker)
  const propose = () => proposed(maker, unique())
  const approved = async (...desks: Desk[]) => approve(maker, await propose(), desks)
  const enabled = async () => enable(maker, await approved('product', 'legal', 'security'))
  const sourceToApproveId = await approved('product')
  const revocableSourceId = await enabled()
  const stoppedSourceId = await enabled()
  const openingId = await openCircuit(maker, stoppedSourceId)
  const approvedIncidentId = await incidentOf(maker, stoppedSourceId, openingId)
  await inChange(maker, 'legal', (tx) =>
    decideIncident(tx, { sourceId: stoppedSourceId, incidentId: approvedIncidentId }, { decision: 'approve', reason }),
  )
  const { decisions, present } = await sourceOf(maker, revocableSourceId)
  return {
    termsOwnerId: maker.people.legal.userId,
    sourceId: await revised(maker, await propose()),
    sourceToApproveId,
    sourceToEnableId: await approved('product', 'legal', 'security'),
    enabledSourceId: await enabled(),
    disableableSourceId: await enabled(),
    sourceToWithdrawId: await propose(),
    revocableSourceId,
    decisionId: decisions.find(({ kind }) => kind === 'approval')?.id ?? '',
    stoppedSourceId,
    openingId,
    incidentId: await incidentOf(maker, stoppedSourceId, openingId),
    approvedIncidentId,
    sourceFingerprint: present.fingerprint,
  }
}

async function peopleOf(store: Store, tenantId: string): Promise<Maker['people']> {
  const members = await store.reader
    .selectFrom('memberships')
    .select(['user_id', 'role'])
    .where('tenant_id', '=', tenantId)
    .orderBy('user_id')
    .execute()
  const person = async (role: (typeof members)[number]['role']) => {
    const userId = members.find((one) => one.role === role)?.user_id ?? ''
    const actor = await memberActor(store.reader, { tenantId, userId }, newId())
    if (actor === undefined) throw new Error(`The tenant has no ${role}.`)
    return actor
  }
  return {
    author: await person('operator'),
    product: await person('viewer'),
    legal: await person('manager'),
    security: await person('administrator'),
  }
}

async function inChange<T>({ store, people }: Maker, person: Person, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { value } = await change(store, people[person], { permission: null, action: 'source.edit' }, work)
  return value
}

/** Designates the members who may approve. Uses the route, so that their list gets a version. */
async function designate(
  client: FixtureWorld['client'],
  { people: { product, legal, security } }: Maker,
): Promise<void> {
  const version = versionIn(await client.get('/source-desks'))
  const at = (...members: UserActor[]) => members.map(({ userId }) => userId)
  const desks = { product: at(product), legal: at(legal), security: at(security, legal) }
  await client.put('/source-desks', desks, { 'if-match': `"${version}"` })
}

function versionIn({ body }: FixtureAnswer): unknown {
  return typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
}

async function proposed(maker: Maker, slug: string): Promise<string> {
  const input = { slug, name: 'Directory', adapter, contract: wholeContract(maker.people.legal.userId) }
  const { id } = await inChange(maker, 'author', (tx) => createSource({ tx, adapters: maker.adapters }, input))
  return id
}

async function revised(maker: Maker, sourceId: string): Promise<string> {
  const input = { contract: wholeContract(maker.people.security.userId) }
  await inChange(maker, 'author', (tx) => saveNewVersion({ tx, adapters: maker.adapters }, sourceId, input))
  return sourceId
}

async function sourceOf({ store, adapters, people }: Maker, sourceId: string): Promise<AdapterSource> {
  const { tenantId } = people.author
  const view = { db: store.reader, tenantId, at: store.clock().toISOString(), adapters }
  const source = await readSourceState(view, await getSourceRow(store.reader, tenantId, sourceId))
  if (source === undefined) throw new Error('Decisions do not apply to a built-in entry.')
  return source
}

async function approve(maker: Maker, sourceId: string, desks: readonly Desk[]): Promise<string> {
  const { present } = await sourceOf(maker, sourceId)
  for (const desk of desks) {
    const input = { desk, decision: 'approve', fingerprint: present.fingerprint, reason, endsAt: approvalEnd } as const
    await inChange(maker, desk, (tx) =>
      giveApproval({ tx, actor: maker.people[desk], adapters: maker.adapters }, sourceId, input),
    )
  }
  return sourceId
}

async function enable(maker: Maker, sourceId: string): Promise<string> {
  const { present } = await sourceOf(maker, sourceId)
  const { security: actor } = maker.people
  const input = { fingerprint: present.fingerprint, reason, endsAt: enablementEnd }
  await inChange(maker, 'security', (tx) => enableSource({ tx, actor, adapters: maker.adapters }, sourceId, input))
  return sourceId
}

async function openCircuit(maker: Maker, sourceId: string): Promise<string> {
  const id = newId()
  const { tenantId, userId } = maker.people.author
  await inChange(maker, 'author', async (tx) => {
    const about = { state: 'open', opening_id: id, cause: 'consecutive_failures', incident_id: null } as const
    await insertTransition(tx.db, { tenant_id: tenantId, id, source_id: sourceId, ...about, at: tx.at, actor: userId })
    await tx.record({ subject: { type: 'source', id: sourceId } })
  })
  return id
}

async function incidentOf(maker: Maker, sourceId: string, openingId: string): Promise<string> {
  const input = { kind: 'incident', openingId, description: 'The provider was down.' } as const
  return (await inChange(maker, 'author', (tx) => recordIncident(tx, sourceId, input))).id
}
