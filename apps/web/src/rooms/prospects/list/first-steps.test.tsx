import type { Permission, Role, Session } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { FirstSteps } from './first-steps.tsx'

const tile = (value: number) => json({ key: 'mine', value, parts: [] })
const panel = () => page.getByRole('region', { name: 'First steps' })
const permissions: Permission[] = ['dashboard.read', 'users.manage', 'drafts.read']
const dismiss = vi.fn()
const show = (role: Role, more: Partial<Session> = {}) =>
  renderInApp(<FirstSteps role={role} dismiss={dismiss} />, { session: sessionOf({ role, permissions, ...more }) })

test('states how many prospects an operator has, and says so when there are none', async () => {
  fakeApi({ 'GET /dashboard/tiles/mine': tile(12) })
  const { unmount } = await show('operator')
  await expect.element(panel()).toMatchTextContent(/Open your prospects: 12 are assigned to you/)
  const own = panel().getByRole('link', { name: 'Open your prospects' })
  await expect.element(own).toHaveAttribute('href', '/prospects?assignee=user-1')
  await unmount()

  fakeApi({ 'GET /dashboard/tiles/mine': tile(0) })
  await show('operator')
  await expect.element(panel()).toMatchTextContent(/Nothing is assigned to you yet/)
  await panel().getByRole('button', { name: 'Dismiss the first steps' }).click()
  expect(dismiss).toHaveBeenCalledOnce()
})

test('a manager sees what waits, and where the work of each person is', async () => {
  fakeApi({ 'GET /dashboard/tiles/waiting': tile(3) })
  await show('manager')
  await expect.element(panel()).toMatchTextContent(/See what waits for you: 3 decisions and answers/)
  await expect.element(panel().getByRole('link', { name: 'A report' })).toHaveAttribute('href', '/reports/new')
})

test('the steps of an administrator are ticked by the state of the workspace', async () => {
  const state = (enabled: boolean) => ({ states: [{ state: 'paused', kind: 'set_aside', enabled, count: 0 }] })
  fakeApi({
    'GET /users': json({ items: [{ id: 'user-1' }] }),
    'GET /pipeline': json(state(false)),
    'GET /draft-policies': json({ items: [{ id: 'p', state: 'proposed' }] }),
  })
  const { unmount } = await show('administrator')
  await expect.element(panel().getByRole('link', { name: 'Invite your colleagues' })).toBeVisible()
  expect(panel().element().querySelectorAll('[data-done]')).toHaveLength(0)
  await unmount()

  fakeApi({
    'GET /users': json({ items: [{ id: 'user-1' }, { id: 'user-2' }] }),
    'GET /pipeline': json(state(true)),
    'GET /draft-policies': json({ items: [{ id: 'p', state: 'approved' }] }),
  })
  const secondFactor: Session['secondFactor'] = { enrolled: true, required: true, methods: ['totp'], verifiedAt: null }
  await show('administrator', { secondFactor })
  await vi.waitFor(() => expect(panel().element().querySelectorAll('[data-done]')).toHaveLength(4))
  await expect.element(panel()).toMatchTextContent(/daily backups/)
})

test('a viewer has no first steps', async () => {
  fakeApi()
  await show('viewer')
  expect(panel().query()).toBeNull()
})
