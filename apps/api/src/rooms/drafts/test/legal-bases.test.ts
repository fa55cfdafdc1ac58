import { expect, test } from 'vitest'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import type { LegalBasis } from '../legal-bases/legal-bases.schema.ts'
import { limits } from '../limits.ts'
import {
  addObservation,
  addProspect,
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
    [{ kind: 'consent_asked_once' }, 400, 'purpose'],
    [{ kind: 'score' }, 400, 'kind'],
    [{ channels: ['email', 'email'] }, 400, 'channels'],
  ] as const) {
    const answer = await operator.post<Problem>(`/businesses/${businessId}/legal-bases`, { ...basisBody, ...more })
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([status, path])
  }
  const longest = { ...basisBody, until: '2028-11-01T00:00:00Z' }
  expect((await operator.post(`/businesses/${businessId}/legal-bases`, longest)).status).toBe(201)
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

test('an erasure empties the recipient, the reference and the reason of a basis', async () => {
  const { t, administrator, operator, businessId } = await draftsWorld()
  const path = `/businesses/${businessId}/legal-bases`
  const { id } = await sent(
    operator.post<LegalBasis>(path, { ...basisBody, recipient: { kind: 'email', value: EMAIL } }),
  )
  await sent(operator.post(`${path}/${id}/withdrawal`, { reason: 'Thandi of Karoo called.' }))
  await sent(administrator.post(`/businesses/${businessId}/erasure`, { reason: 'They asked.', suppress: false }))
  const rows = await t.store.reader.selectFrom('legal_bases').selectAll().execute()
  const withdrawals = await t.store.reader.selectFrom('legal_basis_withdrawals').selectAll().execute()
  expect([rows.length, withdrawals.length]).toEqual([2, 1])
  const events = await t.store.reader.selectFrom('audit_events').select(['after_json', 'reason']).execute()
  expect(JSON.stringify([rows, withdrawals, events])).not.toMatch(/karoo|Folder 7|Thandi/i)
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
