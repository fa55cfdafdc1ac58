import type { Scan } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { parseScanSearch } from './scan-search.ts'
import { ScanList } from './websites-screen.tsx'

const scan = {
  id: 'c1',
  businessId: 'b1',
  origin: 'fetched',
  suppliedBy: null,
  url: 'https://karoo.co.za/',
  state: 'running',
  reasons: [],
  observedAt: null,
  freshness: 'fresh',
  jobId: 'j1',
  pages: [],
} as unknown as Scan

const scans = (items: Scan[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })

test('the filters of the address are sent, and an empty result can be cleared', async () => {
  const api = fakeApi({ 'GET /scans': scans([]) })
  const clear = vi.fn()
  const search = parseScanSearch({ origin: 'fetched', scanState: 'blocked', freshness: 'stale', other: 'x' })
  await renderInApp(<ScanList search={search} set={() => {}} clear={clear} isFiltered />, {
    session: sessionOf({ permissions: ['scanning.read'] }),
  })
  await expect.element(page.getByRole('combobox', { name: 'State' })).toHaveValue('Blocked')
  const [asked] = api.sentTo('GET /scans')
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ origin: 'fetched', state: 'blocked', freshness: 'stale' })
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  expect(clear).toHaveBeenCalledOnce()
})

test('a running scan is cancelled through its job; a finished one has no button', async () => {
  const cancel = 'POST /jobs/j1/cancellation'
  const ended = { ...scan, id: 'c2', state: 'complete' } as Scan
  const api = fakeApi({ 'GET /scans': scans([scan, ended]), [cancel]: json({ outcome: 'requested', job: {} }) })
  await renderInApp(<ScanList search={{}} set={() => {}} clear={() => {}} isFiltered={false} />, {
    session: sessionOf({ permissions: ['scanning.read', 'jobs.cancel'] }),
  })
  await page.getByRole('button', { name: 'Cancel the scan' }).click()
  await expect.element(page.getByText('Cancellation is requested.')).toBeVisible()
  expect(api.sentTo(cancel)).toHaveLength(1)
})
