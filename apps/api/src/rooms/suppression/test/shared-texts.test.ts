import { expect, test } from 'vitest'
import { suppressionWorld } from '../../../../test/suppression-world.ts'
import { newId } from '../../../lib/ids.ts'

/*
 * Tests texts that are about no record and that other people read: saved filters, predicates in words, tiles, templates of drafts, rule sets and
 * reports (Phase 12 §5).
 */

const secret = /quagga|82 ?765 ?4321/i

test('a shared filter, its predicate and its tile, and a template show a viewer no suppressed value', async () => {
  const { operator, administrator, viewer, suppress } = await suppressionWorld()
  const condition = { field: 'q', op: 'contains', values: ['quagga@zonkeyfarm.co.za'] }
  const other = { field: 'city', op: 'any_of', values: ['Prieska'] }
  const body = { desk: 'prospects', name: 'Ask 082 765 4321', filter: [condition, other], sharing: 'tenant' }
  const saved = await administrator.post<{ id: string }>('/saved-filters', body)
  expect(saved.status).toBe(201)
  const { id } = saved.body
  const paths = [
    '/saved-filters',
    `/saved-filters/${id}`,
    `/dashboard/tiles/filter:${id}`,
    `/review-queue?filterId=${id}`,
  ]
  const template = { name: 'Quagga', channel: 'email', purpose: 'introduction', language: 'en', subject: 'Hello' }
  const made = await administrator.post<{ id: string }>('/draft-templates', {
    ...template,
    text: 'Ask quagga@zonkeyfarm.co.za',
  })
  expect(made.status).toBe(201)
  paths.push('/draft-templates', `/draft-templates/${made.body.id}`)
  const answers = async (client: typeof viewer) => {
    const texts: string[] = []
    for (const path of paths) {
      const { status, body: answer } = await client.get(path)
      expect([path, status]).toEqual([path, 200])
      texts.push(JSON.stringify(answer))
    }
    return texts
  }
  for (const text of await answers(viewer)) expect(text).toMatch(secret)
  await suppress('quagga@zonkeyfarm.co.za')
  expect((await suppress('+27827654321', { kind: 'phone' })).status).toBe(201)
  for (const text of await answers(operator)) expect(text).toMatch(secret)
  for (const [at, text] of (await answers(viewer)).entries())
    expect([paths[at], text]).toEqual([paths[at], expect.not.stringMatching(/quagga@|82 ?765 ?4321/i)])
  const shown = (await viewer.get<{ filter: object[] }>(`/saved-filters/${id}`)).body.filter
  expect(shown).toContainEqual({ ...condition, values: ['•••'] })
  expect(shown).toContainEqual(other)
  const asked = await viewer.get<{ detail: string }>(
    `/businesses?conditions=${encodeURIComponent(JSON.stringify(shown))}`,
  )
  expect(asked).toMatchObject({ status: 400, body: { detail: expect.stringContaining('hidden from you') } })
})

test('texts of a rule set and the name of a report show a viewer no suppressed value, and are shown otherwise', async () => {
  const { administrator, viewer, suppress } = await suppressionWorld()
  const text = 'Quagga said: quagga@zonkeyfarm.co.za'
  const ruleSet = await administrator.post<{ id: string }>('/scoring/rule-sets', { name: text, description: text })
  const asked = { name: text, from: '2026-10-01', to: '2026-10-02' }
  const report = await administrator.post<{ id: string }>('/reports', asked, { 'idempotency-key': newId() })
  expect([ruleSet.status, report.status]).toEqual([201, 201])
  const shown = async () => {
    const { body: set } = await viewer.get<object>(`/scoring/rule-sets/${ruleSet.body.id}`)
    const { body: named } = await viewer.get<object>(`/reports/${report.body.id}`)
    return [set, named]
  }
  expect(await shown()).toMatchObject([{ name: text, description: text }, { name: text }])
  await suppress('quagga@zonkeyfarm.co.za')
  expect(await shown()).toMatchObject([{ name: '•••', description: '•••' }, { name: '•••' }])
})
