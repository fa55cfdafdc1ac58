import type { RetentionList } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { RetentionScreen } from './retention-screen.tsx'

const item = (data: string, term: RetentionList['items'][number]['term']) => ({
  ...{ key: data, data, term },
  ...{ begins: 'From the request.', ends: 'It is deleted.' },
})
const list: RetentionList = {
  asOf: '2026-11-21T09:00:00.000Z',
  items: [
    item('Events of jobs', { kind: 'time', value: 1, unit: 'day' }),
    item('Files of exports', { kind: 'time', value: 24, unit: 'hour' }),
    item('Prospects', { kind: 'erasure', value: null, unit: null }),
    item('Texts of assistance', { kind: 'not_stored', value: null, unit: null }),
  ],
}

test('each period is shown in words, and can be read again after a failure', async () => {
  const { answer } = fakeApi({ 'GET /retention': problem(503, 'unavailable') })
  await renderInApp(<RetentionScreen />)
  await expect.element(page.getByRole('alert')).toBeVisible()
  answer('GET /retention', json(list))
  await page.getByRole('button', { name: 'Try again' }).click()
  const table = page.getByRole('table', { name: 'Retention periods' })
  await expect.element(table).toBeVisible()
  const terms = table
    .getByRole('row')
    .elements()
    .slice(1)
    .map((row) => row.querySelectorAll('td')[1]?.textContent)
  expect(terms).toEqual(['1 day', '24 hours', 'Until the prospect is erased', 'Not stored'])
})
