import type { Permission } from '../src/lib/declared.ts'
import { newId } from '../src/lib/ids.ts'
import { addMembership } from '../src/rooms/identity/identity.ts'
import { roles } from '../src/rooms/identity/permissions.ts'
import { type Answer, buildTestApp, type TestApp, type TestClient } from './build-app.ts'
import { askMerge, merged, suggestedPair } from './merging.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, moveTo, type Problem } from './prospects.ts'
import type { Headers } from './test-client.ts'

export type RouteUnderTest = {
  method: 'get' | 'post' | 'patch'
  /** as the app declares it, behind /api/v1 */
  path: string
  permission: Permission
  /** what a POST or PATCH may send; the place is there for identifiers */
  body?: (place: Place) => Record<string, unknown>
  /** answers a page */
  isList?: true
  /** a POST that takes nothing without an Idempotency-Key: it is sent a fresh one where the test sends none */
  needsKey?: true
  /** another record than the usual one, where that is in no state for this route */
  at?: (place: Place) => Partial<Place>
  /** a POST that creates a job: an identical repeat of another person is answered with that job */
  createsJob?: true
  /** a POST that only asks */
  writesNothing?: true
  /** a POST that decides something once: whoever comes second is told, with 409; a GET of what is not made yet */
  decidesOnce?: true
}

/** A prospect with two of everything that hangs on one. */
export type Place = {
  businessId: string
  evidenceId: string
  reportId: string
  exportId: string
  suggestionId: string
  blockedId: string
  suppressionId: string
  /** one of the two that the suggestion is about, and what both were seen as */
  survivorId: string
  fingerprint: string
  mergeId: string
}
type Ask = (client: TestClient, headers?: Headers, body?: unknown) => Promise<Answer<Problem>>

/** Registers the tests of one kind of guarantee. */
export type Hold = (room: string, routes: readonly RouteUnderTest[]) => void

export function routeName({ method, path }: RouteUnderTest): string {
  return `${method.toUpperCase()} ${path}`
}

export async function setUp(): Promise<{ t: TestApp; place: Place; neighbour: Place; foreign: Place }> {
  const t = await buildTestApp()
  const [home, other] = [await t.as('administrator'), await t.as('administrator', 'other')]
  for (const role of roles) await t.as(role)
  const neighbour = await furnish(home)
  const place = await furnish(home)
  await furnish(other)
  const foreign = await furnish(other)
  return {
    t,
    place: { ...place, ...(await decisionsOf(t, home)) },
    neighbour: { ...neighbour, ...(await decisionsOf(t, home)) },
    foreign: { ...foreign, ...(await decisionsOf(t, other)) },
  }
}

/** A second administrator of Home, who is the one of Other as well. */
export async function colleague({ store, tenants, startSession, withSession }: TestApp): Promise<TestClient> {
  const { home, other } = tenants
  const member = { tenantId: home.id, userId: other.users.administrator.id, role: 'administrator' } as const
  await addMembership(store, 'command line', member)
  return withSession(await startSession(member))
}

type Decisions = Pick<Place, 'mergeId' | 'suggestionId' | 'survivorId' | 'fingerprint'>

let pairs = 0

/** A pair that was merged, and one that is to be decided. */
async function decisionsOf(t: TestApp, client: TestClient): Promise<Decisions> {
  pairs += 1
  const { a, suggestion } = await suggestedPair(t, client, `Protea ${pairs}`)
  const { id: mergeId } = await merged(askMerge(client, suggestion, a))
  const { a: survivorId, suggestion: open } = await suggestedPair(t, client, `Fynbos ${pairs}`)
  return { mergeId, suggestionId: open.id, survivorId, fingerprint: open.fingerprint }
}

async function furnish(client: TestClient): Promise<Omit<Place, keyof Decisions>> {
  const { id: businessId } = await createProspect(client, {
    tags: ['Farm', 'Wind'],
    emails: [{ value: 'a@karoo.co.za' }],
  })
  const { id: evidenceId } = await addEvidenceTo(client, businessId)
  await addEvidenceTo(client, businessId)
  await addNoteTo(client, businessId)
  await addNoteTo(client, businessId)
  await addInteractionTo(client, businessId)
  await addInteractionTo(client, businessId)
  await moveTo(client, businessId, 'contacted')
  await moveTo(client, businessId, 'qualified')
  const { body: report } = await client.post<{ id: string }>(
    '/reports',
    { from: '2026-11-01', to: '2026-11-20' },
    { 'idempotency-key': newId() },
  )
  const { body: asked } = await client.post<{ id: string }>(
    '/exports',
    { source: 'prospects', format: 'csv' },
    { 'idempotency-key': newId() },
  )
  const { id: blockedId } = await createProspect(client, { name: 'Overberg Fencing' })
  await client.post(`/businesses/${blockedId}/do-not-contact`, { reason: 'They asked.' })
  const suppressionId = await suppressTwo(client)
  return { businessId, evidenceId, reportId: report.id, exportId: asked.id, blockedId, suppressionId }
}

let suppressed = 0

/** An entry of which there are two in the history and in what it matches. */
async function suppressTwo(client: TestClient): Promise<string> {
  suppressed += 1
  const value = `+2782${String(suppressed).padStart(7, '0')}`
  for (const name of ['First', 'Second']) await createProspect(client, { name, phones: [{ value }] })
  const entry = { kind: 'phone', value, reason: 'They asked.', channel: 'phone' }
  const { body } = await client.post<{ suppression: { id: string } }>('/suppressions', entry)
  await client.post('/suppressions', entry)
  return body.suppression.id
}

export function filled({ path, at }: RouteUnderTest, place: Place): string {
  const values: Record<string, string> = { ...place, ...at?.(place) }
  return path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'no such place')
}

export function asker(route: RouteUnderTest, place: Place): Ask {
  const path = filled(route, place)
  return (client, headers, ...bodies) => {
    if (route.method === 'get') return client.get(path, headers)
    const sent = route.needsKey === true ? { 'idempotency-key': newId(), ...headers } : headers
    return client[route.method](path, bodies.length > 0 ? bodies[0] : route.body?.(place), sent)
  }
}

/** What a PATCH must say that it has seen. */
export async function seenVersion(
  client: TestClient,
  route: RouteUnderTest,
  place: Place,
): Promise<{ 'if-match'?: string }> {
  if (route.method !== 'patch') return {}
  const { headers } = await client.get(filled(route, place))
  return { 'if-match': String(headers.etag) }
}

type Asked = { route: RouteUnderTest; answer: Answer<Problem> }

/** Asks everything of everybody; that nothing changed by it is part of each such guarantee. */
export async function askAll(
  t: TestApp,
  routes: readonly RouteUnderTest[],
  place: Place,
  clients: readonly TestClient[],
  headers: readonly Headers[] = [{}],
): Promise<Asked[]> {
  const asked: Asked[] = []
  const changes = await t.changes(async () => {
    for (const route of routes)
      for (const client of clients)
        for (const sent of headers) {
          asked.push({ route, answer: await asker(route, place)(client, { 'if-match': '"1"', ...sent }) })
        }
  })
  if (Object.keys(changes).length > 0) throw new Error(`Refused requests changed ${JSON.stringify(changes)}`)
  return asked
}

export function seenAs({ route, answer }: Asked): unknown[] {
  return [routeName(route), answer.status, answer.body.code]
}

export function isSuccess(status: number): boolean {
  return status === 200 || status === 201 || status === 202
}

/** Another value of the same kind. */
export function otherwise(body: Record<string, unknown>, property: string | undefined): unknown {
  if (property === 'to') return 'new'
  if (property === 'format') return 'jsonl'
  return `${body[property ?? '']} otherwise`
}

export function picked(headers: Answer<unknown>['headers'], names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => headers[name] !== undefined).map((name) => [name, headers[name]]))
}
