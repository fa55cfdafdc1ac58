import { expect, test } from 'vitest'
import type { ListPage, Problem } from '../../../../test/prospects.ts'
import type { AuditEvent } from '../../audit/audit.schema.ts'
import { limits } from '../limits.ts'
import type { Template } from '../templates/templates.schema.ts'
import { draftsWorld, readDraft, sent, writeDraft } from './drafts-world.ts'

/* Templates: texts to begin a draft with. */

const body = {
  name: 'First letter',
  channel: 'email',
  purpose: 'introduction',
  language: 'en',
  subject: 'Good day',
  text: 'Good day {{business.name|there}}.',
}

test('a template is changed on the version that was seen and deleted; a draft keeps its text, and the audit has none', async () => {
  const world = await draftsWorld()
  const { administrator, operator, viewer } = world
  expect((await viewer.post('/draft-templates', body)).status).toBe(403)
  const { id } = await sent(operator.post<Template>('/draft-templates', body))
  const path = `/draft-templates/${id}`
  const draft = await writeDraft(world, { templateId: id })
  const edited = await sent(operator.patch<Template>(path, { text: 'Hello windpumps.' }, { 'if-match': '"1"' }))
  expect([edited.version, edited.subject, edited.text]).toEqual([2, 'Good day', 'Hello windpumps.'])
  expect((await operator.patch(path, { name: 'Old' }, { 'if-match': '"1"' })).status).toBe(412)
  expect((await operator.delete(path)).status).toBe(204)
  expect((await operator.get(path)).status).toBe(404)
  const kept = await readDraft(world, draft.id)
  expect([kept.text, kept.templateId]).toEqual([draft.text, id])
  const { items } = await sent(administrator.get<ListPage<AuditEvent>>('/audit-events?limit=200'))
  const told = items.filter(({ action }) => action.startsWith('draft_template.'))
  expect(told.map(({ action }) => action)).toEqual([
    'draft_template.delete',
    'draft_template.edit',
    'draft_template.create',
  ])
  expect(JSON.stringify(told)).not.toMatch(/windpumps|Good day/)
})

test('an unknown merge field is refused with its position, and only an email has a subject', async () => {
  const { operator } = await draftsWorld()
  const unknown = await operator.post<Problem>('/draft-templates', { ...body, text: 'Dear {{business.nmae}}' })
  expect(unknown).toMatchObject({
    status: 422,
    body: { code: 'unknown_field', errors: [{ path: 'text', message: expect.stringContaining('character 6') }] },
  })
  const sms = await operator.post<Problem>('/draft-templates', { ...body, channel: 'sms' })
  expect(sms).toMatchObject({ status: 400, body: { errors: [{ path: 'subject' }] } })
})

test('a workspace has at most 200 templates', async () => {
  const { operator } = await draftsWorld()
  for (let number = 0; number < limits.templatesOfTenant; number++) await sent(operator.post('/draft-templates', body))
  expect(await operator.post('/draft-templates', body)).toMatchObject({
    status: 422,
    body: {
      code: 'limit_reached',
      detail: 'This workspace has 200 draft templates; the limit is 200. Delete one first.',
    },
  })
})
