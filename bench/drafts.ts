/**
 * Measures drafts of one tenant, in one process without HTTP: the checks of a draft with 40 citations, a page of many drafts compared with the same
 * page of prospects, and approvals that one change of a policy makes stale.
 *
 *   npm run bench:drafts -- [--approvals 1000] [--drafts 100000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { createCursors } from '../apps/api/src/http/pagination.ts'
import type { UserActor } from '../apps/api/src/lib/actor.ts'
import { daysAfter, systemClock } from '../apps/api/src/lib/clock.ts'
import type { AuditAction } from '../apps/api/src/lib/declared.ts'
import { newId } from '../apps/api/src/lib/ids.ts'
import { noAdapters } from '../apps/api/src/load-adapters.ts'
import { createBusiness } from '../apps/api/src/rooms/businesses/businesses.ts'
import { judgeDraft } from '../apps/api/src/rooms/drafts/checks/judge-draft.ts'
import { readerOf } from '../apps/api/src/rooms/drafts/checks/read-check-input.ts'
import { copyDraft } from '../apps/api/src/rooms/drafts/copies/copy-draft.ts'
import { followDrafts } from '../apps/api/src/rooms/drafts/following/draft-follower.ts'
import { addLegalBasis } from '../apps/api/src/rooms/drafts/legal-bases/legal-bases.ts'
import { approvePolicy, proposePolicy } from '../apps/api/src/rooms/drafts/policies/policies.ts'
import { createDraftSchema } from '../apps/api/src/rooms/drafts/writing/drafts.schema.ts'
import { listDrafts } from '../apps/api/src/rooms/drafts/writing/read-drafts.ts'
import { approveDraft, requestApproval } from '../apps/api/src/rooms/drafts/writing/request-approval.ts'
import { createDraft } from '../apps/api/src/rooms/drafts/writing/save-draft.ts'
import { addEvidence } from '../apps/api/src/rooms/evidence/evidence.ts'
import { allPermissions, createTenant, createUser } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { change, type Tx } from '../apps/api/src/store/change/change.ts'
import { openStore } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { percentile } from './processes.ts'
import { untilStoreIsQuiet } from './quiet-store.ts'
import { describeMachine, table } from './report.ts'

const { values } = parseArgs({
  options: { approvals: { type: 'string', default: '1000' }, drafts: { type: 'string', default: '100000' } },
})
const approvals = countOption(values, 'approvals')
const many = countOption(values, 'drafts')
const ROUNDS = 200
const PAGE = 50
const inDays = (days: number) => daysAfter(Date.now(), days)

const dataDir = mkdtempSync(join(tmpdir(), 'bench-drafts-'))
const store = openStore({ dataDir, migrations, clock: systemClock })
const context = { store, adapters: noAdapters }
const tenantId = await createTenant(store, 'command line', { name: 'Bench', timeZone: 'Africa/Johannesburg' })
const person = async (role: 'administrator' | 'manager'): Promise<UserActor> => ({
  kind: 'user',
  tenantId,
  correlationId: newId(),
  permissions: allPermissions,
  userId: await createUser(store, 'command line', {
    tenantId,
    role,
    name: role,
    email: `${role}@bench.example`,
    password: 'correct horse battery staple 42',
  }),
})
const [author, approver] = [await person('administrator'), await person('manager')]
const as = async <T>(actor: UserActor, action: AuditAction, work: (tx: Tx) => Promise<T>, key?: string): Promise<T> =>
  (
    await change(
      store,
      actor,
      { permission: null, action, ...(key === undefined ? {} : { idempotency: { key, fingerprint: key } }) },
      async (tx) => work(tx),
    )
  ).value

async function putPolicyInForce(): Promise<void> {
  const { id } = await as(author, 'draft_policy.propose', (tx) =>
    proposePolicy(tx, {
      jurisdiction: 'za',
      channel: 'email',
      legalBases: ['consent'],
      requiredFields: [],
      freshnessDays: { other: 365 },
      acknowledgeable: [],
      contactHours: 'warn',
      registryDays: null,
      basisForm: 'known',
      sources: [],
      reviewBy: null,
      caps: { recipient: 2, person: 50, tenant: 200 },
      optOutText: null,
      ownerId: author.userId,
      endsAt: inDays(300),
    }),
  )
  await as(approver, 'draft_policy.approve', (tx) => approvePolicy(tx, { id, reason: 'Bench.' }))
}

const judge = (id: string) => judgeDraft(readerOf(context), { tenantId, id, personId: author.userId, at: inDays(0) })

async function seenOf(id: string) {
  const { version, snapshotHash } = await judge(id)
  return { contentHash: version.content_hash, snapshotHash }
}

/** Creates an approved draft of a new prospect, with this number of citations. */
async function approvedDraft(number: number, citations: number): Promise<string> {
  const email = `info-${number}@bench-${number}.example`
  const business = {
    name: `Bench ${number}`,
    emails: [{ value: email, label: null }],
    phones: [],
    domains: [],
    tags: [],
  }
  const { id: businessId } = await as(author, 'business.create', (tx) => createBusiness(tx, business))
  const cited: string[] = []
  for (let at = 0; at < citations; at++) {
    const observation = `Observation ${at} of ${number}: they repair windpumps.`
    const seen = { observation, sourceLabel: 'A visit', capturedAt: inDays(-1), confidence: 'high' } as const
    cited.push((await as(author, 'evidence.add', (tx) => addEvidence(tx, businessId, seen))).id)
  }
  await as(author, 'legal_basis.add', (tx) =>
    addLegalBasis(tx, businessId, {
      kind: 'consent',
      form: 'written',
      language: 'en',
      agreedTo: 'Letters about windpumps.',
      channels: ['email'],
      purpose: 'introduction',
      jurisdiction: 'za',
      documentReference: 'Bench',
      from: inDays(-1),
      until: inDays(300),
    }),
  )
  const body = createDraftSchema.parse({
    businessId,
    title: `Draft ${number}`,
    jurisdiction: 'za',
    channel: 'email',
    purpose: 'introduction',
    language: 'en',
    recipient: { kind: 'email', value: email },
    subject: 'Windpumps',
    text: `Good day. {{sender.name}} ${cited.map((_, at) => `[^${at + 1}]`).join(' ')}`,
    citations: cited.map((evidenceId, at) => ({ marker: at + 1, evidenceId, quote: 'repair windpumps' })),
  })
  const { id } = await as(author, 'draft.create', (tx) =>
    createDraft({ tx, actor: author, adapters: noAdapters }, body),
  )
  const seen = await seenOf(id)
  await as(author, 'draft.request_approval', (tx) =>
    requestApproval({ tx, actor: author, adapters: noAdapters, id }, seen),
  )
  await as(approver, 'draft.approve', (tx) =>
    approveDraft({ tx, actor: approver, adapters: noAdapters, id }, { ...seen, reason: 'Bench.', endsInDays: 7 }),
  )
  return id
}

/** Runs the work `rounds` times and returns the milliseconds of each call. */
async function timed(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  return times
}

/** Inserts closed drafts of one prospect as copies of one row. This is enough for measuring pages, which read drafts by an index. */
async function fillDrafts(from: string): Promise<void> {
  const row = await store.reader.selectFrom('drafts').selectAll().where('id', '=', from).executeTakeFirstOrThrow()
  for (let written = 0; written < many; written += 1_000)
    await store.write({ tenantId }, async (db) => {
      const rows = Array.from({ length: Math.min(1_000, many - written) }, () => ({
        ...row,
        id: newId(),
        state: 'closed' as const,
        is_open: 0 as const,
        request_id: null,
        due_at: null,
      }))
      for (const one of rows) await db.insertInto('drafts').values(one).execute()
      return { keep: true, value: undefined }
    })
}

try {
  console.log(describeMachine())
  await putPolicyInForce()
  const cited = await approvedDraft(0, 40)
  const checks = await timed(ROUNDS, () => judge(cited))

  await fillDrafts(cited)
  const cursors = createCursors(store.keys)
  const drafts = await timed(ROUNDS, () => listDrafts(store, cursors, author, { state: 'closed', limit: PAGE }))
  const ids: string[] = []
  for (let number = 1; number <= approvals; number++) ids.push(await approvedDraft(number, 1))
  const prospects = await timed(ROUNDS, () =>
    store.reader
      .selectFrom('businesses')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(PAGE)
      .execute(),
  )

  const [one = ''] = ids
  const seen = await seenOf(one)
  await followDrafts(context)
  await untilStoreIsQuiet(store)
  await putPolicyInForce()
  const began = performance.now()
  const input = { draftVersion: 1, ...seen, policyVersion: 'za/email/1' }
  const refused = await as(
    author,
    'draft.copy',
    (tx) => copyDraft(tx, author, { id: one, input, adapters: noAdapters }),
    newId(),
  ).then(
    () => 'copied',
    () => 'refused',
  )
  const refusedAfter = performance.now() - began
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  await followDrafts(context)
  delay.disable()
  const stored = performance.now() - began
  const { count } = await store.reader
    .selectFrom('drafts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'needs_review')
    .executeTakeFirstOrThrow()
  some(Number(count), 'approvals that became stale')
  const ms = (value: number) => `${value.toFixed(1)} ms`
  console.log(
    table(
      ['what', 'figure', 'aim'],
      [
        ['checks of a draft with 40 citations, p95', ms(percentile(checks, 0.95)), '50 ms'],
        [`page of ${PAGE} of ${many} drafts, p50`, ms(percentile(drafts, 0.5)), ''],
        [`the same rows of ${approvals} prospects without their answer, p50`, ms(percentile(prospects, 0.5)), ''],
        ['copy after a new policy', `${refused} in ${ms(refusedAfter)}`, 'refused at once'],
        [`staleness of ${count} approvals stored`, `${(stored / 1_000).toFixed(1)} s`, '10 s'],
        ['event-loop delay meanwhile, p99', ms(delay.percentile(99) / 1e6), '50 ms'],
      ],
    ),
  )
} finally {
  await store.close()
  rmSync(dataDir, { recursive: true, force: true })
}
