import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import type { Page } from '../../../http/pagination.ts'
import type { BusinessSummary } from '../prospect-list.schema.ts'

test('the order of calls begins with numbers that have contact hours, each part by follow-up, over several pages', async () => {
  const t = await buildTestApp()
  const manager = await t.as('manager')
  const plan: [name: string, phone: string | null, followUpOn: string | null][] = [
    ['No date', '+27 21 555 0101', null],
    ['Namibia', '+264 81 234 5678', '2026-11-19'],
    ['Later', '+27 82 555 0102', '2026-11-20'],
    ['Blocked', '+27 82 555 0103', '2026-11-16'],
    ['No number', null, '2026-11-17'],
    ['Sooner', '021 555 0104', '2026-11-18'],
    ['Unreadable', '0104', '2026-11-21'],
  ]
  const ids = new Map<string, string>()
  for (const [name, phone, followUpOn] of plan) {
    const phones = phone === null ? [] : [{ value: phone, region: phone.startsWith('0') ? 'ZA' : null }]
    const { body } = await manager.post<{ id: string; callCountry: string | null }>('/businesses', { name, phones })
    ids.set(name, body.id)
    if (followUpOn === null) continue
    const date = { followUpOn, acceptPastFollowUp: true }
    const { status } = await manager.put(`/businesses/${body.id}/follow-up`, date, { 'if-match': '"1"' })
    expect(status).toBe(200)
  }
  await manager.post(`/businesses/${ids.get('Blocked')}/do-not-contact`, { reason: 'They asked.' })
  const rows: BusinessSummary[] = []
  let cursor = ''
  do {
    const { body } = await manager.get<Page<BusinessSummary>>(`/businesses?sort=mayBeCalled&limit=2${cursor}`)
    rows.push(...body.items)
    cursor = body.page.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.page.nextCursor)}`
  } while (cursor !== '')
  expect(rows.map(({ name, callCountry }) => [name, callCountry])).toEqual([
    ['Sooner', 'ZA'],
    ['Later', 'ZA'],
    ['Blocked', null],
    ['No number', null],
    ['Namibia', 'NA'],
    ['Unreadable', null],
    ['No date', 'ZA'],
  ])
  const blocked = await manager.get<{ callCountry: string | null }>(`/businesses/${ids.get('Blocked')}`)
  expect(blocked.body.callCountry).toBeNull()
  const open = await manager.get<{ callCountry: string | null }>(`/businesses/${ids.get('Sooner')}`)
  expect(open.body.callCountry).toBe('ZA')
})
