import { describe, expect, it } from 'vitest'
import { type DescribedRoute, describeRoutes } from '../src/http/describe-routes.ts'
import { newId } from '../src/lib/ids.ts'
import type { Business } from '../src/rooms/businesses/businesses.ts'
import { followChanges } from '../src/rooms/matching/suggestions/follow-changes.ts'
import { type Answer, buildTestApp, type TestApp, type TestClient } from './build-app.ts'
import { askMerge, merged, suggestedPair } from './merging.ts'

/*
 * Generated from the OpenAPI document (Global rule 6): every operation that takes an identifier, in its path, its body or its query, is
 * asked by an attacker who holds every role at home, with the identifiers of a victim in another tenant. An operation for which
 * there is no case here fails the test, so a new route cannot be forgotten.
 */

type Graph = {
  business: string
  suppression: string
  evidence: string
  note: string
  interaction: string
  report: string
  export: string
  suggestion: string
  merge: string
  transition: string
  event: string
  job: string
  user: string
  tenant: string
  session: string
  passkey: string
  invitation: string
  csvPreview: string
}
type Operation = {
  id: string
  method: 'get' | 'post' | 'patch' | 'delete'
  path: string
  parameters: Parameter[]
  /** of a JSON body: where an identifier stands in it */
  bodyIdentifiers: string[]
}
type Parameter = { in: string; name: string }

/** The business of a graph was moved once after it was created. */
const GRAPH_VERSION = '"2"'

/** The values of a record's properties that name another record. */
const identifierName = /^(id|.*Id|assignee|actor|user)$/
/** What an authenticator calls its own key, which is no record. */
const namesNoRecord = /\.passkey\.(id|rawId)$/

/** A body that each changing operation would accept from the victim's own people. */
const bodies: Record<string, Record<string, unknown>> = {
  createBusiness: { name: 'Ours' },
  editBusiness: { name: 'Taken over' },
  blockBusiness: { reason: 'Spite' },
  removeSuppression: { reason: 'Spite' },
  liftBlock: { reason: 'Spite' },
  eraseBusiness: { reason: 'Spite' },
  addEvidence: { observation: 'Seen', sourceLabel: 'Nobody', capturedAt: '2026-01-01T00:00:00Z', confidence: 'low' },
  addNote: { text: 'Was here' },
  movePipeline: { to: 'contacted' },
  createReport: { from: '2026-01-01', to: '2026-01-31' },
  createExport: { source: 'report', format: 'csv' },
  rejectMatchSuggestion: { reason: 'Spite' },
  mergeSuggestion: { reason: 'Spite', fingerprint: 'seen', survivorId: 'theirs' },
  reverseMerge: { reason: 'Spite' },
  addInteraction: { occurredAt: '2026-01-01T00:00:00Z', channel: 'phone', outcome: 'connected' },
  inviteUser: { email: 'spy@example.com', name: 'Spy', role: 'viewer' },
  editUser: { role: 'viewer' },
  editTenant: { name: 'Taken over' },
  createJob: { kind: 'demonstration' },
  retryJob: {},
  cancelJob: {},
}

/** Operations that want an Idempotency-Key. */
const keyed = new Set(['createJob', 'retryJob', 'createReport', 'createExport', 'mergeSuggestion', 'reverseMerge'])

/** How the path of each operation is filled with the victim's identifiers. */
const paths: Record<string, (victim: Graph) => Record<string, string>> = {
  getAuditEvent: ({ event }) => ({ id: event }),
  getBusiness: ({ business }) => ({ businessId: business }),
  editBusiness: ({ business }) => ({ businessId: business }),
  blockBusiness: ({ business }) => ({ businessId: business }),
  getSuppression: ({ suppression }) => ({ suppressionId: suppression }),
  listSuppressionHistory: ({ suppression }) => ({ suppressionId: suppression }),
  listSuppressionMatches: ({ suppression }) => ({ suppressionId: suppression }),
  removeSuppression: ({ suppression }) => ({ suppressionId: suppression }),
  listSuppressionsOfBusiness: ({ business }) => ({ businessId: business }),
  liftBlock: ({ business }) => ({ businessId: business }),
  eraseBusiness: ({ business }) => ({ businessId: business }),
  listActivity: ({ business }) => ({ businessId: business }),
  listEvidence: ({ business }) => ({ businessId: business }),
  addEvidence: ({ business }) => ({ businessId: business }),
  getEvidence: ({ business, evidence }) => ({ businessId: business, evidenceId: evidence }),
  listFacts: ({ business }) => ({ businessId: business }),
  listNotes: ({ business }) => ({ businessId: business }),
  addNote: ({ business }) => ({ businessId: business }),
  getReport: ({ report }) => ({ reportId: report }),
  getExport: ({ export: id }) => ({ exportId: id }),
  getExportContent: ({ export: id }) => ({ exportId: id }),
  getMatchSuggestion: ({ suggestion }) => ({ suggestionId: suggestion }),
  rejectMatchSuggestion: ({ suggestion }) => ({ suggestionId: suggestion }),
  previewMerge: ({ suggestion }) => ({ suggestionId: suggestion }),
  mergeSuggestion: ({ suggestion }) => ({ suggestionId: suggestion }),
  getMerge: ({ merge }) => ({ mergeId: merge }),
  reverseMerge: ({ merge }) => ({ mergeId: merge }),
  listInteractions: ({ business }) => ({ businessId: business }),
  addInteraction: ({ business }) => ({ businessId: business }),
  movePipeline: ({ business }) => ({ businessId: business }),
  listTransitions: ({ business }) => ({ businessId: business }),
  revokeOwnSession: ({ session }) => ({ id: session }),
  removePasskey: ({ passkey }) => ({ id: passkey }),
  withdrawInvitation: ({ invitation }) => ({ id: invitation }),
  getJob: ({ job }) => ({ jobId: job }),
  cancelJob: ({ job }) => ({ jobId: job }),
  retryJob: ({ job }) => ({ jobId: job }),
  listJobEvents: ({ job }) => ({ jobId: job }),
  streamJobEvents: ({ job }) => ({ jobId: job }),
  getUser: ({ user }) => ({ id: user }),
  editUser: ({ user }) => ({ id: user }),
  removeUser: ({ user }) => ({ id: user }),
  resetPassword: ({ user }) => ({ id: user }),
  resetFactors: ({ user }) => ({ id: user }),
  revokeSessionsOfUser: ({ user }) => ({ id: user }),
  getCsvPreview: ({ csvPreview }) => ({ previewId: csvPreview }),
  listCsvRows: ({ csvPreview }) => ({ previewId: csvPreview }),
}

/** Children of the victim, asked for under a business of the attacker. */
const wrongParents: Record<string, (own: Graph, victim: Graph) => Record<string, string>> = {
  getEvidence: (own, victim) => ({ businessId: own.business, evidenceId: victim.evidence }),
}

/** Identifiers in bodies: which of the victim's, beside what, and how it is answered. A filter is taken (201) and narrows to nothing. */
const bodyCases: Record<
  string,
  (own: Graph, victim: Graph) => { path: Record<string, string>; body: Record<string, unknown>; status: number }
> = {
  'createBusiness.assigneeId': (_own, { user }) => ({ path: {}, body: { assigneeId: user }, status: 422 }),
  'editBusiness.assigneeId': ({ business }, { user }) => ({
    path: { businessId: business },
    body: { assigneeId: user },
    status: 422,
  }),
  'addEvidence.supersedesId': ({ business }, { evidence }) => ({
    path: { businessId: business },
    body: { supersedesId: evidence },
    status: 404,
  }),
  'addInteraction.correctsId': ({ business }, { interaction }) => ({
    path: { businessId: business },
    body: { correctsId: interaction },
    status: 404,
  }),
  'createExport.reportId': (_own, { report }) => ({ path: {}, body: { reportId: report }, status: 404 }),
  'mergeSuggestion.survivorId': ({ suggestion }, { business }) => ({
    path: { suggestionId: suggestion },
    body: { survivorId: business },
    status: 400,
  }),
  'mergeSuggestion.fields.*': ({ business, suggestion }, { business: foreign }) => ({
    path: { suggestionId: suggestion },
    body: { survivorId: business, fields: { name: foreign } },
    status: 400,
  }),
  'createReport.filter.assigneeId': (_own, { user }) => ({
    path: {},
    body: { filter: { assigneeId: user } },
    status: 201,
  }),
  'createExport.filter.assignee': (_own, { user }) => ({
    path: {},
    body: { source: 'prospects', filter: { assignee: user } },
    status: 201,
  }),
  'switchTenant.tenantId': (_own, { tenant }) => ({ path: {}, body: { tenantId: tenant }, status: 404 }),
}

/** Identifiers in queries narrow to nothing; they never widen. */
const queryCases: Record<string, (victim: Graph) => string> = {
  'listMatchSuggestions.businessId': ({ business }) => business,
  'listMerges.businessId': ({ business }) => business,
  'listBusinesses.assignee': ({ user }) => user,
  'listAuditEvents.actor': ({ user }) => user,
  'listAuditEvents.subjectId': ({ business }) => business,
  'listSecurityEvents.user': ({ user }) => user,
}

describe('another tenant', () => {
  it('gets 404 with the body of a missing record from every route with an identifier in its path, and changes nothing', async () => {
    const { test, attacker, victim, operations } = await twoTenants()
    const named = operations.filter(({ path }) => path.includes('{'))
    expect(named.map(({ id }) => id).sort()).toEqual(Object.keys(paths).sort())
    for (const operation of named) {
      const fill = paths[operation.id]
      expect(fill, `${operation.id} has no case in cross-tenant.test.ts`).toBeDefined()
      if (fill === undefined) continue
      const missing = Object.fromEntries(Object.keys(fill(victim)).map((name) => [name, newId()]))
      let foreign: Answer<unknown> | undefined
      expect(
        await test.changes(async () => (foreign = await ask(attacker, operation, fill(victim)))),
        operation.id,
      ).toEqual({})
      const absent = await ask(attacker, operation, missing)
      expect([operation.id, foreign?.status]).toEqual([operation.id, 404])
      expect(withoutRequestId(foreign)).toEqual(withoutRequestId(absent))
    }
  })

  it('gets 404 for a child asked for under a parent of its own', async () => {
    const { attacker, own, victim, operations } = await twoTenants()
    const nested = operations.filter(({ path }) => (path.match(/\{/g) ?? []).length > 1)
    for (const operation of nested) {
      const fill = wrongParents[operation.id]
      expect(fill, `${operation.id} has no case in cross-tenant.test.ts`).toBeDefined()
      if (fill === undefined) continue
      expect((await ask(attacker, operation, fill(own, victim))).status, operation.id).toBe(404)
    }
  })

  it('cannot refer to a foreign record from any body: it is answered as one that nobody has, and changes no more than that', async () => {
    const { test, attacker, own, victim, operations } = await twoTenants()
    const nobody = Object.fromEntries(Object.keys(victim).map((name) => [name, newId()])) as Graph
    const tried: string[] = []
    for (const operation of operations) {
      for (const name of operation.bodyIdentifiers) {
        tried.push(name)
        const make = bodyCases[name]
        expect(make, `${name} has no case in cross-tenant.test.ts`).toBeDefined()
        if (make === undefined) continue
        const answerTo = async (graph: Graph) => {
          const { path, body } = make(own, graph)
          let status: number | undefined
          const changes = await test.changes(async () => {
            status = (await ask(attacker, operation, path, body)).status
          })
          return { name, status, changes }
        }
        const answer = await answerTo(victim)
        const { status } = make(own, victim)
        expect(answer).toMatchObject({ status, ...(status === 201 ? {} : { changes: {} }) })
        expect(answer).toEqual(await answerTo(nobody))
      }
    }
    expect(tried.sort()).toEqual(Object.keys(bodyCases).sort())
  })

  it('sees nothing of the victim in any list, filtered by foreign identifiers or not', async () => {
    const { attacker, victim, operations } = await twoTenants()
    const asked: string[] = []
    for (const operation of operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))) {
      const filters = operation.parameters.filter(
        ({ in: place, name }) => place === 'query' && identifierName.test(name),
      )
      for (const { name } of filters)
        expect(queryCases, `${operation.id}.${name} has no case`).toHaveProperty([`${operation.id}.${name}`])
      asked.push(...filters.map(({ name }) => `${operation.id}.${name}`))
      const queries = ['', ...filters.map(({ name }) => `?${name}=${queryCases[`${operation.id}.${name}`]?.(victim)}`)]
      for (const query of queries) {
        const answer = await attacker.get(operation.path + query)
        expect([operation.path + query, answer.status]).toEqual([operation.path + query, 200])
        const text = JSON.stringify(answer.body)
        for (const identifier of Object.values(victim))
          expect(text, `${operation.path}${query}`).not.toContain(identifier)
      }
    }
    expect(asked.sort()).toEqual(Object.keys(queryCases).sort())
  })
})

function withoutRequestId(answer: Answer<unknown> | undefined): unknown {
  return { ...(typeof answer?.body === 'object' ? answer.body : {}), requestId: '' }
}

function ask(
  client: TestClient,
  { id, method, path }: Operation,
  values: Record<string, string>,
  extra: Record<string, unknown> = {},
): Promise<Answer<unknown>> {
  const address = path.replace(/\{(\w+)\}/g, (_match, name: string) => values[name] ?? `no-value-for-${name}`)
  if (method === 'get') return client.get(address)
  if (method === 'delete') return client.delete(address)
  const headers = { 'if-match': GRAPH_VERSION, ...(keyed.has(id) ? { 'idempotency-key': newId() } : {}) }
  return client[method](address, { ...bodies[id], ...extra }, headers)
}

async function twoTenants() {
  const routes: DescribedRoute[] = []
  const test = await buildTestApp({ onRoute: (route) => routes.push(route) })
  const attacker = await test.as('administrator', 'home')
  return {
    test,
    attacker,
    own: await makeGraph(test, attacker, 'home'),
    victim: await makeGraph(test, await test.as('administrator', 'other'), 'other'),
    operations: operationsOf(await describeRoutes(routes)),
  }
}

/** A business with one of everything that hangs on it. */
async function makeGraph(test: TestApp, client: TestClient, tenant: 'home' | 'other'): Promise<Graph> {
  const { tenants, store } = test
  const { body: created } = await client.post<Business>('/businesses', {
    name: `Of ${tenant}`,
    emails: [{ value: `desk@${tenant}.example` }],
  })
  const at = `/businesses/${created.id}`
  const { body: suppressed } = await client.post<{ suppression: { id: string } }>('/suppressions', {
    kind: 'phone',
    value: '+27 82 123 4567',
    reason: 'They asked.',
    channel: 'phone',
  })
  const { body: evidence } = await client.post<{ id: string }>(`${at}/evidence`, bodies.addEvidence)
  const { body: note } = await client.post<{ id: string }>(`${at}/notes`, { text: 'A note' })
  const { body: interaction } = await client.post<{ id: string }>(`${at}/interactions`, bodies.addInteraction)
  const { body: report } = await client.post<{ id: string }>('/reports', bodies.createReport, {
    'idempotency-key': 'graph',
  })
  const { body: asked } = await client.post<{ id: string }>(
    '/exports',
    { source: 'prospects', format: 'jsonl' },
    { 'idempotency-key': newId() },
  )
  const { body: moved } = await client.post<{ transition: { id: string } }>(`${at}/pipeline-transitions`, {
    to: 'contacted',
  })
  const { body: job } = await client.post<{ id: string }>('/jobs', bodies.createJob, { 'idempotency-key': newId() })
  const { body: activity } = await client.get<{ items: { id: string }[] }>(`${at}/activity`)
  const { body: invited } = await client.post<{ invitation: { id: string } }>('/users', {
    email: `guest@${tenant}.example`,
    name: 'A guest',
    role: 'viewer',
  })
  const { body: preview } = await client.post<{ id: string }>('/csv-previews', 'name\nA row\n', {
    'content-type': 'text/csv',
  })
  const user = tenants[tenant].users.operator
  const token = await test.startSession({ tenantId: tenants[tenant].id, userId: user.id, role: 'operator' })
  const { body: session } = await test.withSession(token).get<{ sessionId: string }>('/session')
  const passkey = newId()
  await store.writer
    .insertInto('passkeys')
    .values({
      id: passkey,
      user_id: user.id,
      credential_id: newId(),
      public_key: '',
      counter: 0,
      transports: '[]',
      name: 'A key',
      created_at: '2026-01-01T00:00:00.000Z',
    })
    .execute()
  return {
    session: session.sessionId,
    passkey,
    invitation: invited.invitation.id,
    job: job.id,
    csvPreview: preview.id,
    business: created.id,
    suppression: suppressed.suppression.id,
    evidence: evidence.id,
    note: note.id,
    interaction: interaction.id,
    report: report.id,
    export: asked.id,
    merge: await mergeOf(test, client, tenant),
    suggestion: await suggestionOf(test, client, created.id),
    transition: moved.transition.id,
    event: activity.items[0]?.id ?? 'no event',
    user: user.id,
    tenant: tenants[tenant].id,
  }
}

async function mergeOf(test: TestApp, client: TestClient, tenant: string): Promise<string> {
  const { a, suggestion } = await suggestedPair(test, client, `Merged of ${tenant}`)
  return (await merged(askMerge(client, suggestion, a))).id
}

/** Another record with the same name and mailbox, so that matching has something to suggest. */
async function suggestionOf(test: TestApp, client: TestClient, businessId: string): Promise<string> {
  const { body: business } = await client.get<Business>(`/businesses/${businessId}`)
  await client.post('/businesses', { name: business.name, emails: business.emails.map(({ value }) => ({ value })) })
  await followChanges(test.store)
  const { body } = await client.get<{ items: { id: string }[] }>('/match-suggestions')
  return body.items[0]?.id ?? 'no suggestion'
}

type Schema = {
  $ref?: string
  format?: string
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
} & { [Choice in 'anyOf' | 'oneOf' | 'allOf']?: Schema[] }
type Document = {
  paths?: Record<string, Record<string, unknown> | undefined>
  components?: { schemas?: Record<string, Schema> }
}
type DocumentedOperation = {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

/** Where what a schema lets through holds an identifier, by its name or by its form; `*` stands for any name. */
function identifiersIn(document: Document, schema: Schema, path: string): string[] {
  const { $ref, format, properties = {}, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema
  if ($ref !== undefined) {
    const named = document.components?.schemas?.[$ref.replace('#/components/schemas/', '')]
    if (named === undefined) throw new Error(`${path}: nothing is known of ${$ref}.`)
    return identifiersIn(document, named, path)
  }
  const isIdentifier = format === 'uuid' || identifierName.test(path.split('.').at(-1) ?? '')
  const within = [
    ...[...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])].map((one) => [one, path] as const),
    ...Object.entries(properties).map(([name, one]) => [one, `${path}.${name}`] as const),
    ...(typeof additionalProperties === 'object' ? [[additionalProperties, `${path}.*`] as const] : []),
  ]
  const found = within.flatMap(([one, at]) => identifiersIn(document, one, at))
  return [...new Set(isIdentifier ? [path, ...found] : found)]
}

/** A body of which the document says nothing could hold any identifier. */
function bodyOf(id: string, { requestBody }: DocumentedOperation): Schema {
  const body = requestBody?.content?.['application/json']?.schema ?? { properties: {} }
  if (['$ref', 'properties', 'anyOf', 'oneOf', 'allOf'].some((name) => name in body)) return body
  throw new Error(`Nothing is said of what the body of ${id} holds.`)
}

function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, declared]) => {
      const operation = declared as DocumentedOperation
      const { operationId, parameters = [] } = operation
      const id = operationId ?? `${method} ${path}`
      return {
        id,
        method: method as Operation['method'],
        path: path.replace(/^\/api\/v1/, ''),
        parameters,
        bodyIdentifiers: identifiersIn(document, bodyOf(id, operation), id).filter((name) => !namesNoRecord.test(name)),
      }
    }),
  )
}
