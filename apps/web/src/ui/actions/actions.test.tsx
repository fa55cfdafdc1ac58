import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { until } from '../../../test/until.ts'
import { ActionButton } from './action-button.tsx'
import { type Action, currentActions, type Layer, perform, useActions } from './actions.ts'

const action = (more: Partial<Action> & { run?: () => void } = {}): Action => ({
  id: 'retry',
  label: 'Retry job',
  group: 'This job',
  run: () => {},
  ...more,
})

function Offers({ actions, layer = 'screen' }: { actions: Action[]; layer?: Layer }) {
  useActions(layer, actions)
  return actions.map((one) => <ActionButton key={one.id} action={one} />)
}

const idsNow = () => currentActions().map(({ id }) => id)

test('one action object defines its button, shortcut and palette entry', async () => {
  const run = vi.fn()
  await renderInApp(<Offers actions={[action({ shortLabel: 'Retry', asksMore: true, run })]} />)
  await page.getByRole('button', { name: 'Retry…' }).click()
  expect(run).toHaveBeenCalledOnce()
  expect(currentActions().map(({ label }) => label)).toEqual(['Retry job'])
})

test('an action without its permission is offered nowhere', async () => {
  const mine = action({ id: 'mine', label: 'Mine', permission: 'jobs.retry' })
  const other = action({ id: 'other', label: 'Other', permission: 'jobs.cancel' })
  await renderInApp(<Offers actions={[mine, other]} />, { session: sessionOf({ permissions: ['jobs.retry'] }) })
  await expect.element(page.getByRole('button', { name: 'Mine' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Other' })).not.toBeInTheDocument()
  expect(idsNow()).toEqual(['mine'])
})

test('an action that does not apply to the screen has no button; one that cannot run now shows the reason and does not run', async () => {
  const run = vi.fn()
  const hidden = action({ id: 'hidden', label: 'Hidden', unavailable: true })
  const waiting = action({ unavailable: 'The job is still running.', run })
  await renderInApp(<Offers actions={[hidden, waiting]} />)
  expect(idsNow()).toEqual(['retry'])
  const button = page.getByRole('button', { name: 'Retry job' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await expect.element(button).toHaveAccessibleDescription('The job is still running.')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert')).toMatchTextContent('The job is still running.')
  for (const one of currentActions()) perform(one)
  expect(run).not.toHaveBeenCalled()
})

test('an action that is running does not start again, from its button, its keys or the palette', async () => {
  const run = vi.fn()
  await renderInApp(<Offers actions={[action({ isBusy: true, run })]} />)
  await page.getByRole('button', { name: 'Retry job' }).click({ force: true })
  for (const one of currentActions()) perform(one)
  expect(run).not.toHaveBeenCalled()
})

test('the same keys twice in one layer are an error; across layers the inner one wins', async () => {
  const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {})
  const [one, two] = [action({ id: 'one', keys: 'n' }), action({ id: 'two', keys: 'n' })]
  const { show } = await renderInApp(
    <>
      <Offers layer="screen" actions={[one]} />
      <Offers layer="record" actions={[two]} />
    </>,
  )
  expect(report).not.toHaveBeenCalled()
  expect(idsNow()).toEqual(['two', 'one'])
  show(
    <>
      <Offers actions={[one]} />
      <Offers actions={[two]} />
    </>,
  )
  await until(() => expect(report).toHaveBeenCalled())
  expect(String(report.mock.calls[0]?.[0])).toContain('Action keys clash in the layer screen: n runs one and two')
})
