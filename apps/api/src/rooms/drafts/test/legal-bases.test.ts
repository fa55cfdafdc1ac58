import { expect, test } from 'vitest'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { LegalBasis } from '../legal-bases/legal-bases.schema.ts'
import { limits } from '../limits.ts'
import {
  addObservation,
  addProspect,
  approvedPolicy,
  basisBody,
  draftsWorld,
  EMAIL,
  resultOf,
  sent,
  writeDraft,
} from './drafts-world.ts'

/* Legal bases (specification, Phase 14 §2 and §3): the required statements, the withdrawal, and the rows after an erasure. */

test('a basis needs a proof, a beginning that is not in the future, and an end within 24 months', async () => {
  const { operator, businessId } = await draftsWorld()
  const other = await addProspect(operator, 'info@other.example')
  const evidenceId = await addObservation(operator, other)
  for (const [more, status, path] of [
    [{ documentReference: null }, 400, 'documentReference'],
    [{ documentReference: null, evidenceId }, 404, 'evidenceId'],
    [{ from: '2026-12-01T00:00:00Z' }, 400, 'from'],
    [{ until: '2026-10-01T00:00:00Z' }, 400, 'until'],
    [{ until: '2028-11-01T00:00:01Z' }, 400, 'until'],
    [{ kind: 'consent_asked_once', form: null }, 400, 'purpose'],
    [{ kind: 'score' }, 400, 'kind'],
    [{ channels: ['email', 'email'] }, 400, 'channels'],
  ] as const) {
    const answer = await operator.post<Problem>(`/businesses/${businessId}/legal-bases`, { ...basisBody, ...more })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([status, path])
  }
  const longest = { ...basisBody, until: '2028-11-01T00:00:00Z' }
  expect((await operator.post(`/businesses/${businessId}/legal-bases`, longest)).status).toBe(201)
})

const sale = { what: 'Two windpumps', on: '2026-09-01' }
const recordingReference = 'Recorder 2, call 4711'
const stated = { form: undefined, language: undefined, agreedTo: undefined, documentReference: undefined }

test('a basis states its form with what the form requires, and nothing of another form', async () => {
  const { operator, businessId, citedId } = await draftsWorld()
  const path = `/businesses/${businessId}/legal-bases`
  const customer = { ...stated, kind: 'existing_customer', form: 'existing_customer', documentReference: 'Invoice 12' }
  for (const [more, wrong] of [
    [{ form: undefined }, 'form'],
    [{ form: 'unknown' }, 'form'],
    [{ form: 'none' }, 'form'],
    [{ form: 'existing_customer', sale }, 'form'],
    [{ language: undefined }, 'language'],
    [{ language: 'English' }, 'language'],
    [{ agreedTo: ' ' }, 'agreedTo'],
    [{ agreedTo: 'x'.repeat(1_001) }, 'agreedTo'],
    [{ form: 'telephone' }, 'recordingReference'],
    [{ recordingReference }, 'recordingReference'],
    [{ sale }, 'sale'],
    [customer, 'sale'],
    [{ ...customer, sale: { ...sale, on: '2026-12-01' } }, 'sale.on'],
    [{ ...customer, sale: { ...sale, on: '0026-12-01' } }, 'sale.on'],
    [{ ...customer, sale, documentReference: undefined }, 'documentReference'],
    [{ ...stated, kind: 'legitimate_interest', form: 'written', documentReference: 'Folder 7' }, 'form'],
    [{ ...stated, kind: 'asked_by_them', documentReference: 'Folder 7' }, 'form'],
  ] as const) {
    const { status, body } = await operator.post<Problem>(path, { ...basisBody, ...more })
    expect([more, status, body.errors?.[0]?.path]).toEqual([more, 400, wrong])
  }
  for (const [more, answered] of [
    [{}, { form: 'written', language: 'en', agreedTo: basisBody.agreedTo, documentReference: 'Folder 7' }],
    [
      { form: 'telephone', recordingReference, documentReference: null },
      { form: 'telephone', recordingReference, documentReference: null, sale: null },
    ],
    [
      { ...stated, kind: 'asked_by_them', form: 'electronic', evidenceId: citedId },
      { form: 'electronic', language: null, agreedTo: null, evidenceId: citedId },
    ],
    [
      { ...customer, sale },
      { form: 'existing_customer', sale, recordingReference: null },
    ],
    [
      { ...stated, kind: 'legitimate_interest', documentReference: 'Folder 7' },
      { form: 'none', language: null, sale: null },
    ],
  ] as const)
    expect(await sent(operator.post(path, { ...basisBody, ...more }))).toMatchObject({ ...answered, objectedAt: null })
})

test('a basis from before forms were recorded is of unknown form, which a policy accepts only if it says so', async () => {
  const world = await draftsWorld()
  const { t, businessId } = world
  await t.store.write('upkeep', async (db) => {
    const { form: _form, ...row } = await db.selectFrom('legal_bases').selectAll().executeTakeFirstOrThrow()
    const older = { ...row, id: newId(), purpose: 'follow_up' as const, agreed_to: null, language: null }
    await db.insertInto('legal_bases').values(older).execute()
    return { keep: true, value: undefined }
  })
  const { items } = await sent(world.operator.get<ListPage<LegalBasis>>(`/businesses/${businessId}/legal-bases`))
  expect(items.map(({ form }) => form)).toEqual(['unknown', 'written'])
  const draft = await writeDraft(world, { purpose: 'follow_up' })
  expect(draft.checks.find(({ key }) => key === 'legal_basis')).toMatchObject({
    result: 'fail',
    message: 'It is unknown how they gave the legal basis of this draft, and the policy za/email/1 requires this.',
    path: 'legal-bases',
  })
  await approvedPolicy(world, { basisForm: 'any' })
  expect(resultOf(await writeDraft(world, { purpose: 'follow_up' }), 'legal_basis')).toBe('pass')
})

test('a viewer sees no proof of a basis for a prospect that is do not contact', async () => {
  const { operator, viewer, businessId } = await draftsWorld()
  const path = `/businesses/${businessId}/legal-bases`
  await sent(operator.post(path, { ...basisBody, form: 'telephone', recordingReference }))
  await sent(operator.post(`/businesses/${businessId}/do-not-contact`, { reason: 'They called.' }))
  const { items } = await sent(viewer.get<ListPage<LegalBasis>>(path))
  for (const { agreedTo, documentReference } of items)
    expect([agreedTo, documentReference]).toEqual([null, null].map(() => expect.stringMatching(/^•/)))
  expect(JSON.stringify(items)).not.toMatch(/windpumps|4711|Folder/)
})

test('a basis for one recipient covers that one only; a score, a pipeline state, a contact or a citation covers nothing', async () => {
  const world = await draftsWorld()
  const { operator, businessId, citedId } = world
  const path = `/businesses/${businessId}/legal-bases`
  const purpose = 'answer'
  expect(resultOf(await writeDraft(world, { purpose }), 'legal_basis')).toBe('fail')
  const recipient = { kind: 'email', value: 'other@karoo-pumps.co.za' }
  await sent(operator.post(path, { ...basisBody, purpose, recipient }))
  expect(resultOf(await writeDraft(world, { purpose }), 'legal_basis')).toBe('fail')
  const own = { ...basisBody, purpose, recipient: { kind: 'email', value: EMAIL.toUpperCase() } }
  await sent(operator.post(path, { ...own, documentReference: null, evidenceId: citedId }))
  expect(resultOf(await writeDraft(world, { purpose }), 'legal_basis')).toBe('pass')
})

test('a basis is withdrawn once, with a reason that the audit states, and both are audited without details', async () => {
  const { administrator, operator, businessId, basisId } = await draftsWorld()
  const path = `/businesses/${businessId}/legal-bases/${basisId}/withdrawal`
  expect((await operator.post(path, {})).status).toBe(400)
  const withdrawn = await sent(operator.post<LegalBasis>(path, { reason: 'They called.' }))
  expect(withdrawn.withdrawal).toMatchObject({ reason: 'They called.', by: { kind: 'user' } })
  expect(await operator.post(path, { reason: 'Again.' })).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const { items } = await sent(administrator.get<ListPage<AuditEvent>>('/audit-events?limit=200'))
  const told = items.filter(({ action }) => action.startsWith('legal_basis.'))
  expect(told.map(({ action, reason }) => [action, reason])).toEqual([
    ['legal_basis.withdraw', 'They called.'],
    ['legal_basis.add', null],
  ])
  expect(JSON.stringify(told)).not.toContain('Folder 7')
})

test('an erasure empties the recipient, the references, what was agreed to, the sale and the reason of a basis', async () => {
  const { t, administrator, operator, businessId } = await draftsWorld()
  const path = `/businesses/${businessId}/legal-bases`
  const { id } = await sent(
    operator.post<LegalBasis>(path, {
      ...basisBody,
      agreedTo: 'Thandi agreed to letters.',
      form: 'telephone',
      recordingReference: 'Recorder of Thandi',
      recipient: { kind: 'email', value: EMAIL },
    }),
  )
  await sent(
    operator.post(path, {
      ...basisBody,
      kind: 'existing_customer',
      form: 'existing_customer',
      sale: { what: 'A windpump for Thandi', on: '2026-09-01' },
    }),
  )
  await sent(operator.post(`${path}/${id}/withdrawal`, { reason: 'Thandi of Karoo called.' }))
  await sent(administrator.post(`/businesses/${businessId}/erasure`, { reason: 'They asked.', suppress: false }))
  const rows = await t.store.reader.selectFrom('legal_bases').selectAll().execute()
  const withdrawals = await t.store.reader.selectFrom('legal_basis_withdrawals').selectAll().execute()
  expect([rows.length, withdrawals.length]).toEqual([3, 1])
  expect(rows.map(({ form, sold_on }) => [form, sold_on])).toEqual([
    ['written', null],
    ['telephone', null],
    ['existing_customer', '2026-09-01'],
  ])
  const events = await t.store.reader.selectFrom('audit_events').select(['after_json', 'reason']).execute()
  expect(JSON.stringify([rows, withdrawals, events])).not.toMatch(/karoo|Folder 7|Thandi|windpump/i)
})

test('a prospect has at most 200 legal bases', async () => {
  const { operator, businessId } = await draftsWorld()
  const path = `/businesses/${businessId}/legal-bases`
  for (let number = 1; number < limits.legalBasesOfBusiness; number++) await sent(operator.post(path, basisBody))
  expect(await operator.post(path, basisBody)).toMatchObject({
    status: 422,
    body: { code: 'limit_reached', limit: 'legal_bases', size: 200, max: 200 },
  })
})
