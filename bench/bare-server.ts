/**
 * Comparison server: Fastify and better-sqlite3 without any layer between them. Its throughput is the ceiling for the API, which is measured as a
 * share of it in the same run. It lists, shows and creates with payloads like those of the API, from one table, with one plain audit row, without
 * sessions, permissions, validation, search index or audit chain.
 *
 * PORT=… DATA_DIR=… ROWS=100000 node bench/bare-server.ts
 *
 * SHARED_COMMIT=1 lets concurrent creates share a commit, for information only. The targets are defined against the server without it.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Fastify, { type FastifyReply } from 'fastify'
import { z } from 'zod'
import { bareTenant, insertBusiness, openBareStore } from './bare-store.ts'

const env = z
  .object({
    PORT: z.coerce.number().int(),
    DATA_DIR: z.string().min(1),
    ROWS: z.coerce.number().int().default(100_000),
    SHARED_COMMIT: z.enum(['0', '1']).default('0'),
  })
  .parse(process.env)

type ListRow = {
  id: string
  version: number
  name: string
  tradingName: string | null
  industry: string | null
  pipelineState: string
  doNotContact: number
  primaryEmail: string | null
  primaryPhone: string | null
  primaryPhoneNormalized: string | null
  primaryDomain: string | null
  city: string | null
  province: string | null
  provinceCode: string | null
  tags: string
  assigneeId: string | null
  assigneeName: string | null
  hasEvidence: number
  evidenceCount: number
  createdAt: string
  updatedAt: string
}
type DetailRow = Omit<
  ListRow,
  | 'primaryEmail'
  | 'primaryPhone'
  | 'primaryPhoneNormalized'
  | 'primaryDomain'
  | 'city'
  | 'province'
  | 'hasEvidence'
  | 'evidenceCount'
> & {
  registrationNumber: string | null
  emails: string
  phones: string
  domains: string
  address: string
  createdBy: string
}
type Entry = { value: string; label?: string }
type CreateBody = {
  name: string
  tradingName?: string
  industry?: string
  emails: Entry[]
  phones: Entry[]
  domains: Entry[]
}

mkdirSync(env.DATA_DIR, { recursive: true })
const db = openBareStore(join(env.DATA_DIR, 'bare.sqlite'), env.ROWS)

const listByState = db.prepare<[string, string, number], ListRow>(`
  SELECT id, version, name, trading_name AS tradingName, industry, state AS pipelineState, do_not_contact AS doNotContact,
    primary_email AS primaryEmail, primary_phone AS primaryPhone, primary_phone_normalized AS primaryPhoneNormalized, primary_domain AS primaryDomain, city, province,
    province_code AS provinceCode, tags, assignee_id AS assigneeId, assignee_name AS assigneeName, has_evidence AS hasEvidence, evidence_count AS evidenceCount,
    created_at AS createdAt, updated_at AS updatedAt
  FROM business WHERE tenant_id = ? AND state = ? ORDER BY updated_at DESC LIMIT ?`)
const detailById = db.prepare<[string, string], DetailRow>(`
  SELECT id, version, name, trading_name AS tradingName, registration_number AS registrationNumber, industry, emails, phones, domains,
    address, province_code AS provinceCode, tags, assignee_id AS assigneeId, assignee_name AS assigneeName, state AS pipelineState,
    do_not_contact AS doNotContact, created_at AS createdAt, updated_at AS updatedAt, created_by AS createdBy
  FROM business WHERE tenant_id = ? AND id = ?`)
const insert = db.prepare(insertBusiness)
const insertAudit = db.prepare(
  'INSERT INTO audit (tenant_id, at, actor, action, subject, after) VALUES (?, ?, ?, ?, ?, ?)',
)
const begin = db.prepare('BEGIN IMMEDIATE')
const commit = db.prepare('COMMIT')

const app = Fastify({ logger: false })

app.get<{ Querystring: { state: string; limit?: string } }>('/businesses', (request, reply) => {
  const limit = Number(request.query.limit ?? 50)
  const items = listByState.all(bareTenant, request.query.state, limit).map(({ assigneeId, assigneeName, ...row }) => ({
    ...row,
    doNotContact: row.doNotContact === 1,
    hasEvidence: row.hasEvidence === 1,
    status: 'active',
    tags: JSON.parse(row.tags),
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName },
  }))
  const nextCursor = items.at(-1)?.updatedAt ?? null
  reply.send({ items, page: { limit, returned: items.length, nextCursor, total: null } })
})

app.get<{ Params: { id: string } }>('/businesses/:id', (request, reply) => {
  const row = detailById.get(bareTenant, request.params.id)
  if (row === undefined) return reply.code(404).send({ code: 'not_found' })
  const { assigneeId, assigneeName, createdBy, ...rest } = row
  reply.send({
    ...rest,
    emails: JSON.parse(row.emails),
    phones: JSON.parse(row.phones),
    domains: JSON.parse(row.domains),
    address: JSON.parse(row.address),
    tags: JSON.parse(row.tags),
    assignee: assigneeId === null ? null : { id: assigneeId, name: assigneeName },
    status: 'active',
    mergedInto: null,
    stateBeforePause: null,
    doNotContact: null,
    createdBy: { kind: 'user', id: bareTenant, name: createdBy },
    normalizationVersion: '1',
  })
})

function create(body: CreateBody) {
  const id = randomUUID()
  const at = new Date().toISOString()
  const identifiers = (entries: Entry[]) => entries.map((e) => ({ ...e, normalized: e.value, uncertainty: null }))
  const business = {
    id,
    version: 1,
    name: body.name,
    tradingName: body.tradingName ?? null,
    registrationNumber: null,
    industry: body.industry ?? null,
    emails: identifiers(body.emails),
    phones: identifiers(body.phones),
    domains: identifiers(body.domains),
    address: { street: null, suburb: null, city: null, province: null, postalCode: null, country: null },
    provinceCode: null,
    tags: [],
    assignee: null,
    pipelineState: 'new',
    status: 'active',
    mergedInto: null,
    stateBeforePause: null,
    doNotContact: null,
    createdAt: at,
    updatedAt: at,
    createdBy: { kind: 'user', id: bareTenant, name: 'Bench' },
    normalizationVersion: '1',
    possibleDuplicates: [],
  }
  insert.run({
    ...business,
    tenantId: bareTenant,
    emails: JSON.stringify(business.emails),
    phones: JSON.stringify(business.phones),
    domains: JSON.stringify(business.domains),
    primaryEmail: body.emails[0]?.value ?? null,
    primaryPhone: body.phones[0]?.value ?? null,
    primaryPhoneNormalized: body.phones[0]?.value ?? null,
    primaryDomain: body.domains[0]?.value ?? null,
    address: JSON.stringify(business.address),
    city: null,
    province: null,
    tags: '[]',
    assigneeId: null,
    assigneeName: null,
    state: 'new',
    doNotContact: 0,
    hasEvidence: 0,
    evidenceCount: 0,
    createdBy: 'Bench',
  })
  insertAudit.run(bareTenant, at, 'Bench', 'business.create', id, JSON.stringify(business))
  return business
}

const waiting: { body: CreateBody; reply: FastifyReply }[] = []

app.post<{ Body: CreateBody }>('/businesses', (request, reply) => {
  if (env.SHARED_COMMIT === '1') {
    if (waiting.length === 0) setImmediate(commitTogether)
    waiting.push({ body: request.body, reply })
    return
  }
  begin.run()
  const business = create(request.body)
  commit.run()
  answer(reply, business)
})

function commitTogether(): void {
  const batch = waiting.splice(0)
  begin.run()
  const created = batch.map(({ body, reply }) => ({ reply, business: create(body) }))
  commit.run()
  for (const { reply, business } of created) answer(reply, business)
}

function answer(reply: FastifyReply, business: ReturnType<typeof create>): void {
  reply.code(201).header('location', `/businesses/${business.id}`).send(business)
}

app.get('/health/ready', () => ({ status: 'ok' }))
process.once('SIGTERM', () => void app.close().then(() => db.close()))
await app.listen({ host: '127.0.0.1', port: env.PORT })
