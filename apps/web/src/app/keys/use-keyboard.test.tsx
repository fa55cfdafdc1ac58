import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { type Action, type Layer, useActions } from '../../ui/actions/actions.ts'
import { useSingleKeys } from '../../ui/actions/use-single-keys.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { useKeyboard } from './use-keyboard.ts'

const action = (keys: string, run: () => void): Action => ({ id: keys, label: keys, group: 'Test', keys, run })

function Frame({ actions, children }: { actions: Action[]; children?: React.ReactNode }) {
  useKeyboard(false)
  useActions('frame', actions)
  return <>{children}</>
}

function Offers({ actions, layer = 'screen' }: { actions: Action[]; layer?: Layer }) {
  useActions(layer, actions)
  return null
}

function OpenDialog() {
  const [isOpen, setOpen] = useState(true)
  return (
    <DialogSlot>
      {isOpen && (
        <Dialog title="Over it" onClose={() => setOpen(false)}>
          <button type="button" data-autofocus onClick={() => setOpen(false)}>
            Done
          </button>
        </Dialog>
      )}
    </DialogSlot>
  )
}

function Switch() {
  const [isOn, setOn] = useSingleKeys()
  return (
    <button type="button" onClick={() => setOn(!isOn)}>
      {isOn ? 'On' : 'Off'}
    </button>
  )
}

test('a key runs its action; a sequence of two keys runs its action', async () => {
  const [n, gp] = [vi.fn(), vi.fn()]
  await renderInApp(<Frame actions={[action('n', n), action('g p', gp)]} />)
  await userEvent.keyboard('n')
  expect(n).toHaveBeenCalledOnce()
  await userEvent.keyboard('gp')
  expect(gp).toHaveBeenCalledOnce()
})

test('a screen takes precedence over the frame, and a record over both, whichever mounts first', async () => {
  const [frame, screen, record] = [vi.fn(), vi.fn(), vi.fn()]
  const { show } = await renderInApp(
    <Frame actions={[action('n', frame)]}>
      <Offers layer="record" actions={[action('n', record)]} />
      <Offers key="screen" actions={[action('n', screen)]} />
    </Frame>,
  )
  await userEvent.keyboard('n')
  expect(record).toHaveBeenCalledOnce()
  show(
    <Frame actions={[action('n', frame)]}>
      <Offers key="screen" actions={[action('n', screen)]} />
    </Frame>,
  )
  await userEvent.keyboard('n')
  expect(screen).toHaveBeenCalledOnce()
  show(<Frame actions={[action('n', frame)]} />)
  await userEvent.keyboard('n')
  expect(frame).toHaveBeenCalledOnce()
  expect(record).toHaveBeenCalledOnce()
})

test('shortcuts are off in a text field; Escape blurs the field and keeps its text', async () => {
  const n = vi.fn()
  await renderInApp(
    <Frame actions={[action('n', n), action('mod+k', n)]}>
      <input aria-label="Search" />
    </Frame>,
  )
  const field = page.getByRole('textbox', { name: 'Search' })
  await field.click()
  await userEvent.keyboard('nn')
  expect(n).not.toHaveBeenCalled()
  await expect.element(field).toHaveValue('nn')
  await userEvent.keyboard('{Escape}')
  await expect.element(field).not.toHaveFocus()
  await expect.element(field).toHaveValue('nn')
  await userEvent.keyboard('n')
  expect(n).toHaveBeenCalledOnce()
})

test('a combination with Ctrl works in a text field too', async () => {
  const run = vi.fn()
  await renderInApp(
    <Frame actions={[action('mod+k', run)]}>
      <input aria-label="Search" />
    </Frame>,
  )
  await page.getByRole('textbox', { name: 'Search' }).click()
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(run).toHaveBeenCalledOnce()
})

test('shortcuts are off below a dialog', async () => {
  const n = vi.fn()
  await renderInApp(
    <Frame actions={[action('n', n)]}>
      <OpenDialog />
    </Frame>,
  )
  await expect.element(page.getByRole('dialog')).toBeVisible()
  await userEvent.keyboard('n')
  expect(n).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await userEvent.keyboard('n')
  expect(n).toHaveBeenCalledOnce()
})

test.for([
  ['Enter', 300],
  ['Escape', 0],
] as const)('after %s has closed a dialog, single keys rest for %d ms', async ([closing, restMs]) => {
  const [n, combination] = [vi.fn(), vi.fn()]
  await renderInApp(
    <Frame actions={[action('n', n), action('mod+k', combination)]}>
      <OpenDialog />
    </Frame>,
  )
  await expect.element(page.getByRole('button', { name: 'Done' })).toHaveFocus()
  const closedAt = performance.now()
  const now = vi.spyOn(performance, 'now').mockReturnValue(closedAt)
  await userEvent.keyboard(`{${closing}}`)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await userEvent.keyboard('n')
  await userEvent.keyboard('{Control>}k{/Control}')
  expect([n, combination].map(({ mock }) => mock.calls.length)).toEqual([restMs === 0 ? 1 : 0, 1])
  now.mockReturnValue(closedAt + restMs)
  await userEvent.keyboard('n')
  expect(n).toHaveBeenCalledTimes(restMs === 0 ? 2 : 1)
  now.mockRestore()
})

test('Enter on a link follows the link', async () => {
  const run = vi.fn()
  await renderInApp(
    <Frame actions={[action('Enter', run)]}>
      <a href="#there">There</a>
    </Frame>,
  )
  await userEvent.tab()
  await expect.element(page.getByRole('link', { name: 'There' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(run).not.toHaveBeenCalled()
})

test('switched-off single keys run nothing; other shortcuts work', async () => {
  const [n, combination] = [vi.fn(), vi.fn()]
  await renderInApp(
    <Frame actions={[action('n', n), action('mod+k', combination)]}>
      <Switch />
    </Frame>,
  )
  await page.getByRole('button', { name: 'On' }).click()
  await expect.element(page.getByRole('button', { name: 'Off' })).toBeVisible()
  await userEvent.keyboard('n')
  await userEvent.keyboard('{Control>}k{/Control}')
  expect(n).not.toHaveBeenCalled()
  expect(combination).toHaveBeenCalledOnce()
})
