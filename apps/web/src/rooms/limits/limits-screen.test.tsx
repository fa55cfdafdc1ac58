import type { Limits } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { LimitsScreen } from './limits-screen.tsx'

const limits: Limits = {
  asOf: '2026-11-21T09:00:00.000Z',
  items: [
    {
      name: 'change_streams',
      label: 'pages that show changes live',
      of: 'person',
      per: null,
      unit: 'things',
      used: 5,
      max: 6,
      sentence: 'Close a page that follows changes.',
    },
    {
      name: 'written_bytes',
      label: 'bytes sent in the last minutes',
      of: 'tenant',
      per: null,
      unit: 'bytes',
      used: 1_234_567,
      max: 240_000_000,
      sentence: 'Wait.',
    },
    {
      name: 'drafts_of_day',
      label: 'new drafts',
      of: 'tenant',
      per: 'day',
      unit: 'things',
      used: 2_000,
      max: 2_000,
      sentence: 'Write more drafts tomorrow; each of the 2,000 stays.',
    },
  ],
}

test('each limit is shown with its use, its state and what to do, for the workspace and for the person', async () => {
  fakeApi({ 'GET /limits': json(limits) })
  await renderInApp(<LimitsScreen />)
  const workspace = page.getByRole('table', { name: 'Limits: Workspace' })
  await expect
    .element(workspace.getByRole('row', { name: /^New drafts, per day/ }))
    .toMatchTextContent(
      'New drafts, per daydrafts_of_day2 000 of 2 000FullWrite more drafts tomorrow; each of the 2 000 stays.',
    )
  await expect.element(workspace.getByText('1,2 MB of 240 MB')).toBeVisible()
  const rows = workspace.getByRole('row').elements()
  expect(rows.map((row) => row.querySelector('code')?.textContent)).toEqual([
    undefined,
    'drafts_of_day',
    'written_bytes',
  ])
  const own = page.getByRole('table', { name: 'Limits: You' })
  await expect
    .element(own.getByRole('row', { name: /^Pages that show changes/ }))
    .toMatchTextContent('Pages that show changes livechange_streams5 of 6Nearly fullClose a page that follows changes.')
  expect(own.getByRole('row').elements()).toHaveLength(2)
})

test('limits that cannot be read can be read again', async () => {
  const { answer } = fakeApi({ 'GET /limits': problem(503, 'unavailable') })
  await renderInApp(<LimitsScreen />)
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer('GET /limits', json(limits))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('table', { name: 'Limits: You' })).toBeVisible()
})
