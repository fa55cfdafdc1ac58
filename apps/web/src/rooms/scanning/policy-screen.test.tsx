import type { ScanPolicy } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { PolicyScreen } from './policy-screen.tsx'
import { boundNames, boundWords } from './policy-words.ts'

const bounds = Object.fromEntries(boundNames.map((name) => [name, boundWords[name].default])) as ScanPolicy['bounds']
const person = (id: string, name: string) => ({ kind: 'user' as const, id, name })

const current: ScanPolicy = {
  id: 'p1',
  version: 1,
  basedOn: 0,
  state: 'current',
  bounds: { ...bounds, pages: 3, scanMs: 20_500, decodedBytesPerPage: 1_500_000 },
  retentionDays: 90,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: person('u2', 'Thabo'),
  approval: { at: '2026-11-20T11:00:00.000Z', by: person('u3', 'Lerato'), reason: 'Agreed.' },
}
const pending: ScanPolicy = { ...current, id: 'p2', version: 2, basedOn: 1, state: 'pending', approval: null }
const own: ScanPolicy = { ...pending, id: 'p3', version: 3, createdBy: person('user-1', 'Ann') }

const list = (items: ScanPolicy[]) => ({
  'GET /scan-policies': json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } }),
})
const all = sessionOf({ permissions: ['scanning.read', 'scanning.write_policy', 'scanning.approve_policy'] })

test('a version shows its differences from the defaults; a version of another user is approved with a reason', async () => {
  const approval = 'POST /scan-policies/p2/approval'
  const api = fakeApi({ ...list([own, pending, current]), [approval]: json(pending) })
  await renderInApp(<PolicyScreen />, { session: all })
  const versions = page.getByRole('list', { name: 'Versions, newest first' })
  await expect.element(versions).toMatchTextContent('Version 1 · Applies now')
  await expect
    .element(versions)
    .toMatchTextContent(
      'Contents are stored for 90 days. Pages per scan: 3 · Time per scan: 20,5 seconds · Decompressed data per page: 1,5 MB',
    )
  await expect.element(versions).toMatchTextContent('Another person must approve this version.')
  expect(page.getByRole('button', { name: /^Approve version/ }).elements()).toHaveLength(1)
  await page.getByRole('button', { name: 'Approve version 2' }).click()
  await expect.element(page.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.keyboard('Agreed with legal.{Control>}{Enter}{/Control}')
  await expect.poll(() => api.sentTo(approval).map(({ body }) => body)).toEqual([{ reason: 'Agreed with legal.' }])
})

test('a new version starts with the current limits, and no limit exceeds its ceiling', async () => {
  const create = 'POST /scan-policies'
  const api = fakeApi({ ...list([current]), [create]: json(pending, 201) })
  await renderInApp(<PolicyScreen />, { session: all })
  await page.getByRole('button', { name: 'New version…' }).click()
  const pages = page.getByRole('textbox', { name: 'Pages per scan' })
  await expect.element(pages).toHaveValue('3')
  await pages.fill('11')
  await page.getByRole('button', { name: 'Save the version' }).click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent('Enter a number from 1 to 10.')
  expect(api.sentTo(create)).toEqual([])
  await pages.fill('10')
  const time = page.getByRole('textbox', { name: 'Time per page (seconds)' })
  await expect.element(time).toHaveValue('10')
  await time.fill('7,5')
  const size = page.getByRole('textbox', { name: 'Received data per page (MB)' })
  await expect.element(size).toHaveValue('2')
  await size.fill('0,3')
  await page.getByRole('button', { name: 'Save the version' }).click()
  await expect
    .poll(() => api.sentTo(create).map(({ body }) => body))
    .toEqual([
      {
        basedOn: 1,
        bounds: { ...current.bounds, pages: 10, pageMs: 7_500, wireBytesPerPage: 300_000 },
        retentionDays: 90,
      },
    ])
})
