import type { Permission } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { scoringVersionOf } from '../../../../test/scoring-version.ts'
import { sessionOf } from '../../../../test/session.ts'
import { VersionPage } from './version-screen.tsx'

const answers = {
  'GET /scoring/rule-sets/set-1': json({ id: 'set-1', name: 'Solar installers' }),
  'GET /scoring/rule-sets/set-1/versions': json({
    items: [],
    page: { limit: 50, returned: 0, nextCursor: null, total: null },
  }),
  'GET /scoring/active': json({ active: null }),
}
const show = (...permissions: Permission[]) => {
  fakeApi(answers)
  return renderInApp(<VersionPage version={scoringVersionOf()} />, {
    session: sessionOf({ permissions: ['scoring.read', ...permissions] }),
  })
}
const footer = () => document.documentElement.style.getPropertyValue('--pp-sticky-footer')

test('the footer with the full preview is shown to people who may run one', async () => {
  await show('scoring.write')
  await expect.element(page.getByRole('button', { name: 'Run full preview' })).toBeVisible()
  expect(footer()).not.toBe('')
})

test('people who may not run a preview see no empty footer', async () => {
  await show()
  await expect.element(page.getByRole('heading', { name: 'Full preview' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Run full preview' })).not.toBeInTheDocument()
  expect(footer()).toBe('')
})
