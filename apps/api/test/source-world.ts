import { type Fixture, type FixtureScript, fixtureAdapter } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import { daysAfter } from '../src/lib/clock.ts'
import { newId } from '../src/lib/ids.ts'
import type { LoadedAdapters } from '../src/load-adapters.ts'
import { addMembership, memberActor } from '../src/rooms/identity/identity.ts'
import { businessRecords } from '../src/rooms/sources/purposes.ts'
import type { Source } from '../src/rooms/sources/sources.schema.ts'
import type { Desk } from '../src/rooms/sources/sources.table.ts'
import { type Asking, askSource, type Outcome } from '../src/rooms/sources/sources.ts'
import { type Answer, buildTestApp, type TestApp, type TestAppOptions, type TestClient } from './build-app.ts'
import { createProspect, type Refusal } from './prospects.ts'

type Body = Record<string, unknown>

export const REASON = 'Checked with the provider.'

/** A complete source contract except for the terms, which name a member. */
export const contract = {
  purposes: ['business_records'],
  scope: { fields: ['name', 'phone'], provinces: ['NC', 'WC'], maxRecords: 10 },
  rate: { perMinute: 30, perDay: 1_000 },
  concurrency: 2,
  timeoutMs: 1_000,
  maxBytes: 100_000,
  retry: { maxAttempts: 1 },
  rawRetention: 'days_180',
  health: { failureRatio: 0.2, latencyMs: 2_000 },
  circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
  settings: { region: 'north' },
}

export type SourceWorld = {
  t: TestApp
  fixture: Fixture
  adapters: LoadedAdapters
  /** the person who writes every version of the source */
  author: TestClient
  /** the approving member of each desk */
  desk: Record<Desk, TestClient>
  /** a person who enables sources, and who is neither the author nor a member of a desk */
  administrator: TestClient
  operator: TestClient
  businessId: string
  wholeContract(changes?: Body): Body
  propose(changes?: Body): Promise<Source>
  read(id: string): Promise<Source>
  approve(id: string, desk: Desk, changes?: Body): Promise<Answer<Source & Refusal>>
  enable(id: string, changes?: Body): Promise<Answer<Source & Refusal>>
  /** creates a source, has it approved and enables it */
  enabled(changes?: Body): Promise<Source>
  ask(sourceId: string, changes?: Partial<Asking>): Promise<Outcome<unknown, unknown>>
  inDays(days: number): string
}

export function adaptersOf(fixture: Fixture, sha256 = 'a'.repeat(64)): LoadedAdapters {
  return { file: { sha256 }, items: [fixture.adapter] }
}

/** Creates an app with a fixture adapter, four managers of whom three are members of the approving desks, and an administrator. */
export async function sourceWorld(
  options: Omit<TestAppOptions, 'adapters'> & {
    script?: FixtureScript
    answersFrom?: 'one_provider' | 'varying_targets'
    maxRequests?: number
    adapters?: LoadedAdapters
  } = {},
): Promise<SourceWorld> {
  const { script, answersFrom, maxRequests, adapters: given, ...appOptions } = options
  const fixture = fixtureAdapter({
    ...(script && { script }),
    ...(answersFrom && { answersFrom }),
    ...(maxRequests && { maxRequests }),
  })
  const adapters = given ?? adaptersOf(fixture)
  const t = await buildTestApp({ ...appOptions, adapters })
  const { home, other } = t.tenants
  const { administrator: _administrator, ...guests } = other.users
  const isNew = appOptions.over === undefined
  for (const user of Object.values(guests))
    if (isNew) await addMembership(t.store, 'command line', { tenantId: home.id, userId: user.id, role: 'manager' })
  const member = async (userId: string) =>
    t.withSession(await t.startSession({ tenantId: home.id, userId, role: 'manager' }))
  const desk = {
    product: await member(guests.manager.id),
    legal: await member(guests.operator.id),
    security: await member(guests.viewer.id),
  }
  const administrator = await t.as('administrator')
  if (isNew) {
    const desks = { product: [guests.manager.id], legal: [guests.operator.id], security: [guests.viewer.id] }
    await administrator.put('/source-desks', desks, { 'if-match': '"0"' })
  }
  const author = await t.as('manager')
  const inDays = (days: number) => daysAfter(t.clock(), days)
  const terms = { ownerId: home.users.administrator.id, reference: 'Agreement', reviewDueOn: inDays(300).slice(0, 10) }
  const wholeContract = (changes: Body = {}) => ({ ...contract, terms, ...changes })
  const read = async (id: string) => (await author.get<Source>(`/sources/${id}`)).body
  let proposed = 0
  const propose = async (changes: Body = {}) => {
    const adapter = { id: fixture.adapter.id, version: fixture.adapter.version }
    const body = { slug: `source-${proposed++}`, name: 'Directory', adapter, contract: wholeContract(), ...changes }
    const { status, body: made } = await author.post<Source>('/sources', body)
    if (status !== 201) throw new Error(`The source was not proposed: ${JSON.stringify(made)}`)
    return made
  }
  const approve: SourceWorld['approve'] = async (id, at, changes = {}) => {
    const { fingerprint } = await read(id)
    const body = { desk: at, decision: 'approve', fingerprint, reason: REASON, endsAt: inDays(300), ...changes }
    return desk[at].post(`/sources/${id}/approvals`, body)
  }
  const enable: SourceWorld['enable'] = async (id, changes = {}) => {
    const { fingerprint } = await read(id)
    return administrator.post(`/sources/${id}/enablement`, {
      fingerprint,
      reason: REASON,
      endsAt: inDays(60),
      ...changes,
    })
  }
  const { id: businessId } = await createProspect(administrator)
  return {
    t,
    fixture,
    adapters,
    author,
    desk,
    administrator,
    operator: await t.as('operator'),
    businessId,
    wholeContract,
    propose,
    read,
    approve,
    enable,
    enabled: async (changes = {}) => {
      const { id } = await propose({ contract: wholeContract(changes) })
      for (const at of ['product', 'legal', 'security'] as const) await approve(id, at)
      const { status, body } = await enable(id)
      if (status !== 200) throw new Error(`The source was not enabled: ${JSON.stringify(body)}`)
      return body
    },
    ask: async (sourceId, changes = {}) => {
      const { id: tenantId, users } = home
      const actor = await memberActor(t.store.reader, { tenantId, userId: users.manager.id }, newId())
      if (actor === undefined) throw new Error('The manager is a member.')
      return askSource(
        { store: t.store, adapters, actor, pause: async () => {}, ...changes },
        {
          sourceId,
          purpose: businessRecords,
          query: queryOf(businessId),
          businessId,
          identityOf: (one) => one.reference,
        },
      )
    },
    inDays,
  }
}

export function queryOf(businessId: string, changes: Body = {}): Body {
  return { businessId, fields: ['name'], provinces: ['NC'], maxRecords: 5, ...changes }
}
