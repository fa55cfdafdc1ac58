import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { BehindNotice } from './behind-notice.tsx'

const work = { name: 'matching', changes: 1_204, since: '2026-11-20T08:30:00.000Z' }

test('a list that lacks the newest changes says how many, and since when', async () => {
  fakeApi({ 'GET /background-work': json({ items: [work] }) })
  await renderInApp(<BehindNotice of="matching" />)
  await expect
    .element(page.getByRole('status').filter({ hasText: 'This list is not up to date' }))
    .toMatchTextContent(/These changes are not included yet: 1.204 changes since .*\./)
})

test('other work that is behind is not named', async () => {
  const api = fakeApi({ 'GET /background-work': json({ items: [work] }) })
  await renderInApp(<BehindNotice of="domains" />)
  await expect.poll(() => api.sentTo('GET /background-work')).toHaveLength(1)
  await expect.element(page.getByText('This list is not up to date')).not.toBeInTheDocument()
})
