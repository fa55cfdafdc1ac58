import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { screen } from './screen.tsx'

const Loaded = () => <h1>Jobs</h1>
const load = vi.fn(async () => ({ Jobs: Loaded }))

test('a screen that needs a permission is not loaded without it, and the page says what is missing', async () => {
  fakeApi()
  const Jobs = screen(load, 'Jobs', { permission: 'jobs.read', what: 'jobs' })
  const { show } = await renderInApp(<Jobs />, { session: sessionOf({ permissions: [] }) })
  await expect.element(page.getByRole('heading', { level: 1, name: 'You cannot see jobs' })).toBeVisible()
  const Start = screen(load, 'Jobs', { permission: 'jobs.create', to: 'start jobs' })
  show(<Start />)
  await expect.element(page.getByRole('heading', { level: 1, name: 'You cannot start jobs' })).toBeVisible()
  expect(load).not.toHaveBeenCalled()
})

test('a screen with its permission is loaded and shown', async () => {
  fakeApi()
  const Jobs = screen(load, 'Jobs', { permission: 'jobs.read', what: 'jobs' })
  await renderInApp(<Jobs />, { session: sessionOf({ permissions: ['jobs.read'] }) })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
})
