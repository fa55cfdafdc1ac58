import { test, vi } from 'vitest'
import type { Answer } from '../../../../test/build-app.ts'
import { jobWorld } from '../../../../test/job-world.ts'
import { askMerge, merged, suggestedPair } from '../../../../test/merging.ts'
import { createProspect, happened, type ListPage, type Refusal, walk } from '../../../../test/prospects.ts'
import { askedOf, watchStatements } from '../../../../test/statement-plans.ts'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { Business } from '../../businesses/businesses.ts'
import type { Draft } from '../../drafts/writing/drafts.schema.ts'
import { exportJob } from '../../exports/exports.jobs.ts'
import type { Export } from '../../exports/exports.schema.ts'
import type { Interaction } from '../../interactions/interactions.schema.ts'
import { valuesOfFamily } from '../entries/values-of-record.ts'
import type { BlockedBusiness, HistoryItem, Suppression, ValuesOfRecord } from '../suppression.schema.ts'

const phone = { kind: 'phone', value: '082 555 1018' }
const email = { kind: 'email', value: 'magda@steynklere.co.za' }
const steyn = {
  name: 'Steyn Klere CC',
  emails: [{ value: email.value, label: 'Magda' }],
  phones: [{ value: phone.value, region: 'ZA' }],
  domains: [{ value: 'steynklere.co.za' }],
}
const asked = { reason: 'Magda said never again.', requestedBy: 'Magda Steyn', channel: 'phone' }

async function optOutWorld() {
  const world = await suppressionWorld()
  const { id } = await createProspect(world.operator, steyn)
  const block = (body: Record<string, unknown> = {}, headers = {}, of = id) =>
    world.operator.post<BlockedBusiness & Refusal>(`/businesses/${of}/do-not-contact`, { ...asked, ...body }, headers)
  const values = async (of = id) =>
    (await world.operator.get<ValuesOfRecord>(`/businesses/${of}/values-to-suppress`)).body
  const entries = () => walk<Suppression>(world.operator, '/suppressions')
  return { ...world, id, block, values, entries }
}

test('one change stores the block and the entries with their provenance, and a replay writes nothing', async ({
  expect,
}) => {
  const { t, operator, id, block, entries } = await optOutWorld()
  const body = { alsoSuppress: [phone, email] }
  const answers: Answer<BlockedBusiness>[] = []
  const before = await t.store.reader.selectFrom('audit_events').select('id').execute()
  await t.changes(async () => {
    answers.push(await block(body, { 'idempotency-key': 'k' }))
  })
  expect(answers).toMatchObject([
    {
      status: 200,
      body: {
        id,
        doNotContact: { reason: asked.reason, through: 'both' },
        suppressed: { added: 2, repeated: 0, marked: 0 },
      },
    },
  ])
  expect((await entries()).map(({ kind, normalized }) => [kind, normalized])).toEqual([
    ['email', 'magda@steynklere.co.za'],
    ['phone', '+27825551018'],
  ])
  for (const entry of await entries())
    expect(entry).toMatchObject({ ...asked, scope: 'exact', reference: `Prospect ${id}`, status: 'active' })
  const events = await walk<AuditEvent>(operator, `/businesses/${id}/activity`)
  expect(events.slice(0, 3).map(({ action, reason }) => [action, reason])).toEqual([
    ['suppression.add', asked.reason],
    ['suppression.add', asked.reason],
    ['business.block', asked.reason],
  ])
  const written = await t.store.reader.selectFrom('audit_events').select(['id', 'correlation_id']).execute()
  expect(new Set(written.slice(before.length).map(({ correlation_id: one }) => one)).size).toBe(1)
  const again = await t.changes(async () => {
    answers.push(await block(body, { 'idempotency-key': 'k' }))
  })
  expect(again).toEqual({})
  expect(answers[1]?.headers['idempotency-replayed']).toBe('true')
  expect(answers[1]?.body).toEqual(answers[0]?.body)
})

test('a record with the number in another spelling is blocked at once, and list, export and draft agree', async ({
  expect,
}) => {
  const { t, work, ended } = await jobWorld([exportJob])
  work()
  const [operator, manager] = [await t.as('operator'), await t.as('manager')]
  const first = await createProspect(operator, steyn)
  const body = { ...asked, alsoSuppress: [phone, email] }
  expect((await operator.post(`/businesses/${first.id}/do-not-contact`, body)).status).toBe(200)
  const second = await createProspect(operator, { name: 'Klerewinkel', phones: [{ value: '+27 (0)82 555-1018' }] })
  const third = await createProspect(operator, { name: 'M Steyn', emails: [{ value: 'Magda+work@SteynKlere.co.za' }] })
  const free = await createProspect(operator, { name: 'Boekwinkel', phones: [{ value: '+27 82 555 1019' }] })
  expect([second, third, free].map(({ doNotContact }) => doNotContact?.through ?? null)).toEqual([
    'suppression',
    'suppression',
    null,
  ])

  const listed = async (doNotContact: boolean) =>
    (await walk<Business>(operator, `/businesses?doNotContact=${doNotContact}`)).map(({ id }) => id).toSorted()
  expect(await listed(true)).toEqual([first.id, second.id, third.id].toSorted())
  expect(await listed(false)).toEqual([free.id])

  const key = { 'idempotency-key': newId() }
  const wanted = await manager.post<Export>('/exports', { source: 'prospects', format: 'jsonl' }, key)
  await ended(wanted.body.jobId)
  expect((await manager.get<Export>(`/exports/${wanted.body.id}`)).body.file).toMatchObject({ rows: 1, leftOut: 3 })
  const { body: content } = await manager.get<string>(`/exports/${wanted.body.id}/content`)
  expect(content).toContain('Boekwinkel')
  expect(content).not.toMatch(/Klerewinkel|Steyn|1018/)

  const draft = {
    businessId: second.id,
    title: 'First letter',
    jurisdiction: 'za',
    channel: 'sms',
    purpose: 'introduction',
    language: 'en',
    recipient: { kind: 'phone', value: '+27 (0)82 555-1018' },
    subject: null,
    text: 'Good day.',
    noCitationReason: 'A first contact.',
  }
  expect(await operator.post('/drafts', draft)).toMatchObject({ status: 422, body: { code: 'suppressed' } })
  const toAnother = await operator.post<Draft>('/drafts', {
    ...draft,
    recipient: { kind: 'phone', value: '+27 82 555 1019' },
  })
  expect([toAnother.status, toAnother.body.business?.doNotContact]).toEqual([201, true])
  expect(toAnother.body.checks.find(({ key: check }) => check === 'suppression')?.result).toBe('fail')
})

test('the values of records merged into a prospect count as its own', async ({ expect }) => {
  const { t, block, values, read } = await optOutWorld()
  const manager = await t.as('manager')
  const merging = [
    { phones: [{ value: '+27 82 555 1018' }] },
    { phones: [{ value: '+27 21 555 1000' }], domains: [{ value: 'facebook.com/klere' }] },
  ]
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Klere', merging)
  await merged(askMerge(manager, suggestion, a))
  const listed = (await values(a)).items.map(({ kind, value }) => `${kind} ${value}`)
  expect(listed).toEqual(expect.arrayContaining(['phone +27 82 555 1018', 'phone +27 21 555 1000']))
  const { status, body } = await block({ alsoSuppress: [{ kind: 'phone', value: '+27 21 555 1000' }] }, {}, a)
  expect([status, body.suppressed]).toEqual([200, { added: 1, repeated: 0, marked: 0 }])
  expect((await read(b)).doNotContact).not.toBeNull()
})

test('a number that a merged record has without a country is listed once, and blocked with both records', async ({
  expect,
}) => {
  const { t, block, values, read, entries } = await optOutWorld()
  const manager = await t.as('manager')
  const text = '082 555 8834'
  const merging = [
    { phones: [{ value: text, region: 'ZA' }] },
    { phones: [{ value: text, region: null, label: 'Office' }] },
  ]
  const { a, b, suggestion } = await suggestedPair(t, manager, 'Karoo Dakke', merging)
  await merged(askMerge(manager, suggestion, a))
  expect((await values(a)).items.filter(({ kind }) => kind === 'phone')).toEqual([
    {
      kind: 'phone',
      value: text,
      label: 'Office',
      normalized: '+27825558834',
      refusal: null,
      isSuppressed: false,
      others: 0,
    },
  ])
  const { status, body } = await block({ alsoSuppress: [{ kind: 'phone', value: text }] }, {}, a)
  expect([status, body.suppressed]).toEqual([200, { added: 1, repeated: 0, marked: 0 }])
  expect((await entries()).map(({ normalized }) => normalized)).toEqual(['+27825558834'])
  expect([(await read(a)).doNotContact, (await read(b)).doNotContact]).not.toContain(null)
})

test('the list of values and the block count the same prospects: those that are not do not contact already', async ({
  expect,
}) => {
  const { operator, suppress, block, values } = await optOutWorld()
  const [free, byHand] = [
    await createProspect(operator, { name: 'Free', domains: [{ value: 'shop.steynklere.co.za' }] }),
    await createProspect(operator, { name: 'By hand', phones: [{ value: '+27825551018' }] }),
  ]
  await createProspect(operator, {
    name: 'By an entry',
    emails: [{ value: 'other@karoo.co.za' }],
    phones: [{ value: '+27825551018' }],
  })
  await suppress('other@karoo.co.za')
  await operator.post(`/businesses/${byHand.id}/do-not-contact`, { reason: 'Earlier.' })
  expect((await values()).items.map(({ kind, others }) => [kind, others])).toEqual([
    ['email', 0],
    ['phone', 0],
    ['domain', 1],
  ])
  const domain = { kind: 'domain', value: 'steynklere.co.za', scope: 'with_subdomains' }
  const { body } = await block({ alsoSuppress: [phone, domain] })
  expect(body.suppressed).toEqual({ added: 2, repeated: 0, marked: 1 })
  expect((await operator.get<Business>(`/businesses/${free.id}`)).body.doNotContact).not.toBeNull()
})

test('the values of a prospect are read and counted in the background thread, up to a limit', async ({ expect }) => {
  const { t, values, id } = await optOutWorld()
  const statements = watchStatements()
  expect(await values()).toMatchObject({ isComplete: true })
  vi.restoreAllMocks()
  const asked = askedOf(statements).filter(({ sql }) => /suppression_record_keys|JOIN business_identifiers/.test(sql))
  expect(asked.map(({ where, sql }) => [where, /LIMIT/.test(sql)])).toEqual([
    ['background', true],
    ['background', true],
  ])
  const read = (limit: number) => valuesOfFamily(t.store.reader, t.tenants.home.id, [id], { limit })
  const [all, some] = [await read(3), await read(2)]
  expect([all.values.length, all.isComplete, some.values.length, some.isComplete]).toEqual([3, true, 2, false])
})

test('the list of values returns the normalized form or the refusal of each, whether it is suppressed, and the number of other prospects with it', async ({
  expect,
}) => {
  const { operator, viewer, suppress, values, read, edit, id } = await optOutWorld()
  await createProspect(operator, { name: 'The same number', phones: [{ value: '+27825551018' }] })
  await suppress('old@steynklere.co.za')
  const { emails, phones, domains } = steyn
  await edit(id, {
    emails: [...emails, { value: 'old@steynklere.co.za' }],
    phones: [...phones, { value: '+2782555101' }, { value: 'WhatsApp: 082 555 1020', region: 'ZA' }],
    domains: [...domains, { value: 'gmail.com' }, { value: 'facebook.com/steyn' }],
  })
  expect(await values()).toEqual({
    isComplete: true,
    items: [
      ['email', 'magda@steynklere.co.za', 'magda@steynklere.co.za', null, false, 0],
      ['email', 'old@steynklere.co.za', 'old@steynklere.co.za', null, true, 0],
      ['phone', '082 555 1018', '+27825551018', null, false, 1],
      ['phone', '+2782555101', null, expect.stringContaining('too few or too many digits for its country'), false, 0],
      ['phone', 'WhatsApp: 082 555 1020', '+27825551020', null, false, 0],
      ['domain', 'steynklere.co.za', 'steynklere.co.za', null, false, 0],
      ['domain', 'gmail.com', null, expect.stringContaining('gives mailboxes to anybody'), false, 0],
      ['domain', 'facebook.com/steyn', null, expect.stringMatching(/anybody/i), false, 0],
    ].map(([kind, value, normalized, refusal, isSuppressed, others]) => ({
      kind,
      value,
      label: value === email.value ? 'Magda' : null,
      normalized,
      refusal,
      isSuppressed,
      others,
    })),
  })
  expect((await read(id)).doNotContact?.through).toBe('suppression')
  expect((await viewer.get(`/businesses/${id}/values-to-suppress`)).status).toBe(403)
})

test('a value that the prospect lacks, that would block everybody or nobody, or a missing channel is refused: nothing changes', async ({
  expect,
}) => {
  const { t, block, edit, id } = await optOutWorld()
  await edit(id, { phones: [...steyn.phones, { value: '+2782555101' }], domains: [{ value: 'gmail.com' }] })
  const refused: [Record<string, unknown>, string, string][] = [
    [{ alsoSuppress: [{ kind: 'email', value: 'someone@else.co.za' }] }, 'alsoSuppress.0.value', 'not_of_this_record'],
    [{ alsoSuppress: [{ kind: 'email', value: phone.value }] }, 'alsoSuppress.0.value', 'not_of_this_record'],
    [{ alsoSuppress: [phone, { kind: 'domain', value: 'gmail.com' }] }, 'alsoSuppress.1.value', 'free_mail'],
    [{ alsoSuppress: [{ kind: 'phone', value: '+2782555101' }] }, 'alsoSuppress.0.value', 'impossible_number'],
    [{ alsoSuppress: [{ ...phone, scope: 'with_subdomains' }] }, 'alsoSuppress.0.value', 'scope_only_for_domains'],
    [{ alsoSuppress: [phone], channel: null }, 'channel', 'required'],
    [{ alsoSuppress: Array.from({ length: 201 }, () => phone) }, 'alsoSuppress', 'too_big'],
  ]
  const seen: unknown[] = []
  const changes = await t.changes(async () => {
    for (const [body] of refused) {
      const { status, body: refusal } = await block(body)
      seen.push([status, refusal.errors?.[0]?.path, refusal.errors?.[0]?.code])
    }
  })
  expect(changes).toEqual({})
  expect(seen).toEqual(refused.map(([, path, code]) => [400, path, code]))
})

test('a suppressed value adds the request to its history, and a blocked record keeps its first reason', async ({
  expect,
}) => {
  const { operator, suppress, block, read, id } = await optOutWorld()
  await operator.post(`/businesses/${id}/do-not-contact`, { reason: 'First.' })
  const { body: entry } = await suppress(phone.value, { kind: 'phone', region: 'ZA' })
  const other = await createProspect(operator, { name: 'Shares the domain', emails: [{ value: 'x@steynklere.co.za' }] })
  const domain = { kind: 'domain', value: 'steynklere.co.za', scope: 'with_subdomains' }
  const { body } = await block({ alsoSuppress: [phone, phone, domain] })
  expect(body.suppressed).toEqual({ added: 1, repeated: 1, marked: 1 })
  expect(body.doNotContact).toMatchObject({ reason: 'First.', through: 'both' })
  expect((await read(other.id)).doNotContact).not.toBeNull()
  const history = await walk<HistoryItem>(operator, `/suppressions/${entry.suppression.id}/history`)
  expect(history.map(({ action, requestedBy }) => [action, requestedBy])).toEqual([
    ['requested_again', 'Magda Steyn'],
    ['added', null],
  ])
})

test('an opt-out in an interaction is recorded with outcome other before the block, in one change', async ({
  expect,
}) => {
  const { t, operator, id, entries, read } = await optOutWorld()
  const { outcome: _, ...contact } = happened
  const body = { ...contact, channel: 'meeting', summary: 'Magda said never again.', reason: asked.reason }
  const answers: Answer<{ interaction: Interaction; business: Business } & Refusal>[] = []
  const ask = (more: Record<string, unknown>) =>
    operator.post<{ interaction: Interaction; business: Business } & Refusal>(`/businesses/${id}/opt-outs`, {
      ...body,
      ...more,
    })
  const refused = await t.changes(async () => {
    answers.push(await ask({ alsoSuppress: [{ kind: 'phone', value: '+27 21 555 9999' }] }))
    answers.push(await ask({ outcome: 'connected' }))
    answers.push(await ask({ reason: ' ' }))
  })
  expect([refused, answers.map(({ status, body: { errors } }) => [status, errors?.[0]?.path])]).toEqual([
    {},
    [
      [400, 'alsoSuppress.0.value'],
      [400, 'outcome'],
      [400, 'reason'],
    ],
  ])
  const { status, body: recorded } = await ask({ alsoSuppress: [phone], requestedBy: 'Magda Steyn' })
  expect([status, recorded]).toMatchObject([
    201,
    { interaction: { outcome: 'other', onDoNotContact: false }, business: { doNotContact: { reason: asked.reason } } },
  ])
  expect(await entries()).toMatchObject([
    { normalized: '+27825551018', channel: 'in_person', requestedBy: 'Magda Steyn', reference: `Prospect ${id}` },
  ])
  const { items } = (await operator.get<ListPage<AuditEvent>>(`/businesses/${id}/activity`)).body
  expect(items.slice(0, 3).map(({ action }) => action)).toEqual([
    'suppression.add',
    'business.block',
    'interaction.add',
  ])
  expect((await read(id)).lastInteractionAt).toBe('2026-11-20T09:00:00.000Z')
})
