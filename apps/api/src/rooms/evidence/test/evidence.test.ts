import { test } from 'vitest'
import { type Answer, buildTestApp } from '../../../../test/build-app.ts'
import {
  addEvidenceTo,
  createProspect,
  endProspect,
  type ListPage,
  type Problem,
  seen,
  walk,
} from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import { type Evidence, type Fact, limits } from '../evidence.schema.ts'

async function setUp() {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  const path = `/businesses/${id}/evidence`
  /** Sends requests that must be rejected, and checks that nothing changes. */
  const refusals = async (bodies: readonly Record<string, unknown>[]) => {
    const problems: Problem[] = []
    const changes = await t.changes(async () => {
      for (const body of bodies) problems.push((await operator.post<Problem>(path, body)).body)
    })
    if (Object.keys(changes).length > 0) throw new Error(`Refused evidence changed ${JSON.stringify(changes)}`)
    return problems.map(({ status, code, errors }) => [status, code, errors?.[0]?.path, errors?.[0]?.code])
  }
  return { t, operator, id, path, refusals }
}

const { observation, sourceLabel, ...bare } = seen
const claim = { ...bare, sourceLabel, field: 'name', value: 'Karoo Windpumps' }

test('evidence is stored as given with its author and time, recorded, and nothing else changes', async ({ expect }) => {
  const { t, operator, id, path } = await setUp()
  const body = {
    field: 'phone',
    value: '082 123 4567',
    observation: 'Painted on the bakkie.\nTwice.',
    sourceReference: 'VISIT-17',
    sourceLabel: 'A visit',
    capturedAt: '2026-11-20T11:00:00.5+02:00',
    observedAt: '2026-11-19T00:00:00Z',
    confidence: 'medium',
    context: 'Seen from the road.',
    url: 'https://karoo.example/contact?a=1#b',
  }
  const answers: Answer<Evidence>[] = []
  const changes = await t.changes(async () => {
    answers.push(await operator.post<Evidence>(path, body))
  })
  expect(changes).toEqual({
    evidence: 1,
    businesses: 0,
    business_counts: 1,
    suppression_record_keys: 2,
    audit_events: 1,
  })
  const [answer] = answers
  const { users } = t.tenants.home
  const actor = { kind: 'user', id: users.operator.id, name: users.operator.name }
  const normalized = { ...body, capturedAt: '2026-11-20T09:00:00.500Z', observedAt: '2026-11-19T00:00:00.000Z' }
  const noDays = { capturedOn: null, observedOn: null }
  expect(answer).toMatchObject({ status: 201, headers: { location: `/api/v1${path}/${answer?.body.id}` } })
  expect(answer?.body).toEqual({
    ...normalized,
    ...noDays,
    id: expect.any(String),
    businessId: id,
    supersedesId: null,
    supersededById: null,
    sourceRecordId: null,
    rawState: null,
    createdAt: t.clock().toISOString(),
    createdBy: actor,
  })
  expect((await operator.get(`${path}/${answer?.body.id}`)).body).toEqual(answer?.body)
  expect((await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)).body.items[0]).toMatchObject({
    action: 'evidence.add',
    subject: { type: 'evidence', id: answer?.body.id },
    businessId: id,
    actor,
    before: null,
    after: normalized,
    correlationId: answer?.headers['x-request-id'],
  })
})

test('evidence updates the flag and the count of the business without a new version', async ({ expect }) => {
  const { t, operator, id, path } = await setUp()
  const before = (await operator.get<Business>(`/businesses/${id}`)).body
  await addEvidenceTo(operator, id)
  expect((await operator.get<Business>(`/businesses/${id}`)).body).toEqual(before)
  const listed = async () =>
    (await operator.get<ListPage<{ id: string; evidenceCount: number }>>('/businesses?hasEvidence=true')).body.items
  expect(await listed()).toMatchObject([{ id, evidenceCount: 1 }])
  expect(await t.changes(() => operator.post(path, seen))).toEqual({ evidence: 1, businesses: 0, audit_events: 1 })
  expect(await listed()).toMatchObject([{ id, evidenceCount: 2 }])
})

test('a claim needs its field and its value, and without one an observation is required', async ({ expect }) => {
  const { refusals, operator, path } = await setUp()
  expect(
    await refusals([
      { ...bare, sourceLabel },
      { ...bare, sourceLabel, field: null, value: null, observation: null },
      { ...bare, sourceLabel, field: 'name' },
      { ...bare, sourceLabel, value: 'Karoo' },
      { ...bare, sourceLabel, field: 'name', observation },
      { ...bare, sourceLabel, value: 'Karoo', observation },
    ]),
  ).toEqual([
    [400, 'invalid_request', 'observation', 'required'],
    [400, 'invalid_request', 'observation', 'required'],
    [400, 'invalid_request', 'value', 'required'],
    [400, 'invalid_request', 'field', 'required'],
    [400, 'invalid_request', 'value', 'required'],
    [400, 'invalid_request', 'field', 'required'],
  ])
  for (const body of [claim, seen, { ...claim, observation }])
    expect((await operator.post(path, body)).status).toBe(201)
})

test('lineage is required: a reference or a label', async ({ expect }) => {
  const { refusals, operator, path } = await setUp()
  const without = { ...bare, observation }
  const required = [400, 'invalid_request', 'sourceLabel', 'required']
  expect(await refusals([without, { ...without, sourceLabel: null, sourceReference: null }])).toEqual([
    required,
    required,
  ])
  for (const source of [{ sourceReference: 'CIPC 2020/1' }, { sourceLabel: 'CIPC' }])
    expect((await operator.post(path, { ...without, ...source })).status).toBe(201)
})

test('a capture in the future is refused except within the clock tolerance, and an observation after its capture is refused', async ({
  expect,
}) => {
  const { t, refusals, operator, path } = await setUp()
  const inMs = (ms: number) => new Date(t.clock().getTime() + ms).toISOString()
  const tolerated = 5 * 60_000
  expect(
    await refusals([
      { ...seen, capturedAt: inMs(tolerated + 1) },
      { ...seen, capturedAt: '2126-01-01T00:00:00Z' },
      { ...seen, capturedAt: inMs(-1_000), observedAt: inMs(-999) },
    ]),
  ).toEqual([
    [400, 'invalid_request', 'capturedAt', 'in_future'],
    [400, 'invalid_request', 'capturedAt', 'in_future'],
    [400, 'invalid_request', 'observedAt', 'after_capture'],
  ])
  for (const times of [{ capturedAt: inMs(tolerated) }, { capturedAt: inMs(0), observedAt: inMs(0) }])
    expect((await operator.post(path, { ...seen, ...times })).status).toBe(201)
})

test('if only the day is known, the day is returned without an hour, with its beginning beside it', async ({
  expect,
}) => {
  const { t, operator, id, path } = await setUp()
  const { capturedAt: _, ...untimed } = claim
  const days = { capturedOn: '2026-11-20', observedOn: '2026-11-18' }
  const kept = { ...days, capturedAt: '2026-11-19T22:00:00.000Z', observedAt: '2026-11-17T22:00:00.000Z' }
  const { status, body } = await operator.post<Evidence>(path, { ...untimed, ...days })
  expect({ status, body }).toMatchObject({ status: 201, body: kept })
  expect((await operator.get(`${path}/${body.id}`)).body).toMatchObject(kept)
  const { items } = (await operator.get<{ items: Fact[] }>(`/businesses/${id}/facts`)).body
  expect(items.find(({ field }) => field === 'name')?.evidence).toMatchObject([{ id: body.id, ...kept }])
  const [event] = await walk<AuditEvent>(await t.as('manager'), `/audit-events?action=evidence.add`)
  expect(event?.after).toEqual({ ...untimed, ...days })
})

test('a time or its day is required, never both, and an unknown hour of a day contradicts no other time', async ({
  expect,
}) => {
  const { t, refusals, operator, path } = await setUp()
  const { capturedAt, ...untimed } = seen
  const today = t.clock().toISOString().slice(0, 10)
  const tomorrow = new Date(t.clock().getTime() + 86_400_000).toISOString().slice(0, 10)
  expect(
    await refusals([
      untimed,
      { ...untimed, capturedAt, capturedOn: '2026-11-20' },
      { ...seen, observedAt: capturedAt, observedOn: '2026-11-20' },
      { ...untimed, capturedOn: '2026-02-30' },
      { ...untimed, capturedOn: capturedAt },
      { ...untimed, capturedOn: tomorrow },
      // In Johannesburg the 20th ends at 22:00 UTC.
      { ...untimed, capturedOn: '2026-11-20', observedAt: '2026-11-20T22:00:00Z' },
      { ...untimed, capturedOn: '2026-11-20', observedOn: '2026-11-21' },
      { ...untimed, capturedAt: '2026-11-20T21:59:59Z', observedOn: '2026-11-21' },
    ]),
  ).toEqual([
    [400, 'invalid_request', 'capturedAt', 'required'],
    [400, 'invalid_request', 'capturedOn', 'one_of_two'],
    [400, 'invalid_request', 'observedOn', 'one_of_two'],
    [400, 'invalid_request', 'capturedOn', 'invalid_format'],
    [400, 'invalid_request', 'capturedOn', 'invalid_format'],
    [400, 'invalid_request', 'capturedOn', 'in_future'],
    [400, 'invalid_request', 'observedAt', 'after_capture'],
    [400, 'invalid_request', 'observedOn', 'after_capture'],
    [400, 'invalid_request', 'observedOn', 'after_capture'],
  ])
  for (const times of [
    { capturedOn: today, observedOn: today },
    { capturedOn: '2026-11-20', observedAt: '2026-11-20T21:59:59Z' },
    { capturedAt: '2026-11-20T00:30:00Z', observedOn: '2026-11-20' },
  ])
    expect((await operator.post(path, { ...untimed, ...times })).status).toBe(201)
})

test('an invalid field, time, confidence, address or text is refused with its property', async ({ expect }) => {
  const { refusals } = await setUp()
  const wrong: [string, unknown][] = [
    ['field', 'owner'],
    ['field', 'address'],
    ['capturedAt', '2026-02-30T00:00:00Z'],
    ['capturedAt', '20 November 2026'],
    ['capturedAt', '2026-11-20T09:00:00'],
    ['capturedAt', null],
    ['confidence', 'certain'],
    ['confidence', null],
    ['url', 'javascript:alert(1)'],
    ['url', 'file:///etc/passwd'],
    ['url', 'karoo.example'],
    ['url', `https://karoo.example/${'x'.repeat(limits.urlLength)}`],
    ['value', 'two\nlines'],
    ['value', 'x'.repeat(limits.valueLength + 1)],
    ['observation', 'x'.repeat(limits.observationLength + 1)],
    ['observation', '  '],
    ['sourceLabel', 'x'.repeat(limits.sourceLength + 1)],
    ['sourceReference', 'bell \u0007'],
    ['context', 'x'.repeat(limits.contextLength + 1)],
    ['supersedesId', 7],
  ]
  const refused = await refusals(wrong.map(([property, value]) => ({ ...claim, [property]: value })))
  expect(refused.map(([status, code, path]) => [status, code, path])).toEqual(
    wrong.map(([property]) => [400, 'invalid_request', property]),
  )
})

test('evidence can be superseded once; both stay, and each names the other', async ({ expect }) => {
  const { t, operator, id, path } = await setUp()
  const first = await addEvidenceTo(operator, id)
  const second = await addEvidenceTo(operator, id, { supersedesId: first.id })
  expect(second).toMatchObject({ supersedesId: first.id, supersededById: null })
  const answers: Answer<Problem>[] = []
  const changes = await t.changes(async () => {
    answers.push(await operator.post(path, { ...seen, supersedesId: first.id }))
  })
  expect([changes, answers]).toMatchObject([{}, [{ status: 409, body: { code: 'evidence_already_superseded' } }]])
  await addEvidenceTo(operator, (await createProspect(operator)).id)
  const third = await addEvidenceTo(operator, id, { supersedesId: second.id })
  expect(await walk(operator, path)).toMatchObject([
    { id: third.id, supersedesId: second.id, supersededById: null },
    { id: second.id, supersedesId: first.id, supersededById: third.id },
    { id: first.id, supersedesId: null, supersededById: second.id },
  ])
})

test('of two corrections sent at once one succeeds', async ({ expect }) => {
  const { t, operator, id, path } = await setUp()
  const { id: supersedesId } = await addEvidenceTo(operator, id)
  const correct = () => operator.post<Problem>(path, { ...seen, supersedesId })
  let answers: Answer<Problem>[] = []
  expect(
    await t.changes(async () => {
      answers = await Promise.all([correct(), correct(), correct()])
    }),
  ).toEqual({ evidence: 1, businesses: 0, audit_events: 1 })
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
})

test('evidence of another business, another tenant or an unknown id cannot be superseded, with the same response', async ({
  expect,
}) => {
  const { t, operator, refusals } = await setUp()
  const other = await t.as('operator', 'other')
  const neighbour = await addEvidenceTo(operator, (await createProspect(operator)).id)
  const foreign = await addEvidenceTo(other, (await createProspect(other)).id)
  const refused = [404, 'not_found', 'supersedesId', 'not_found']
  expect(
    await refusals([neighbour.id, foreign.id, 'no-such-evidence'].map((supersedesId) => ({ ...seen, supersedesId }))),
  ).toEqual([refused, refused, refused])
})

test('evidence is listed newest first, in pages, without duplicates, even with equal times', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  const added: string[] = []
  for (let index = 0; index < 8; index++) added.push((await addEvidenceTo(operator, id)).id)
  const listed = await walk<Evidence>(operator, path, 3)
  expect(listed.map((evidence) => evidence.id)).toEqual(added.toReversed())
})

test('an ended business accepts no evidence and still lists its own', async ({ expect }) => {
  const { t, operator, id, path, refusals } = await setUp()
  const evidence = await addEvidenceTo(operator, id)
  await endProspect(t, id, { status: 'inactive' })
  expect((await refusals([seen])).map(([status, code]) => [status, code])).toEqual([[422, 'business_not_active']])
  expect(await walk(operator, path)).toEqual([evidence])
})

test('no route edits or deletes evidence', async ({ expect }) => {
  const { operator, id, path } = await setUp()
  const { id: evidenceId } = await addEvidenceTo(operator, id)
  for (const target of [path, `${path}/${evidenceId}`]) {
    expect((await operator.patch(target, { confidence: 'low' }, { 'if-match': '"1"' })).status).toBe(404)
    expect((await operator.delete(target)).status).toBe(404)
  }
})
