import { Button } from '@mantine/core'
import { removeSuppression } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, heldAnswer, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { withKey } from '../api/client.ts'
import { dataOf } from '../api/data-of.ts'
import { DialogSlot } from './dialog-slot.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

const removal = 'POST /suppressions/entry-1/removal'
const path = { suppressionId: 'entry-1' }

type Sent = (answer: unknown, reason: string, isMounted: boolean) => void

function Harness({ sent = () => {}, isUndoable = false }: { sent?: Sent; isUndoable?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Remove…</Button>
      <DialogSlot>
        {isOpen && (
          <ReasonDialog
            draftName="removal-entry-1"
            title="Remove entry?"
            confirmLabel="Remove entry"
            description="Stored in the history"
            missing="Enter a reason."
            isUndoable={isUndoable}
            send={(reason, key) => dataOf(removeSuppression({ path, body: { reason }, ...withKey(key) }))}
            sent={(answer, reason, isMounted) => {
              sent(answer, reason, isMounted)
              setOpen(false)
            }}
            close={() => setOpen(false)}
            reopen={() => setOpen(true)}
          >
            It can be added again.
          </ReasonDialog>
        )}
      </DialogSlot>
    </>
  )
}

const dialog = page.getByRole('dialog', { name: 'Remove entry?' })
const reason = page.getByRole('textbox', { name: 'Reason' })
const open = async () => {
  await page.getByRole('button', { name: 'Remove…' }).click()
  await expect.element(reason).toHaveFocus()
}
const confirm = () => page.getByRole('button', { name: 'Remove entry' }).click()

test('a blank reason is rejected beside the field, which gets the focus; nothing is sent', async () => {
  const { sent } = fakeApi()
  await renderInApp(<Harness />)
  await open()
  await userEvent.fill(reason, '   ')
  await confirm()
  await expect.element(reason).toHaveFocus()
  await expect.element(reason).toHaveAccessibleDescription(/Enter a reason\./)
  await expect.element(reason).toHaveAttribute('aria-invalid', 'true')
  expect(sent).toEqual([])
  await userEvent.type(reason, 'x')
  await expect.element(reason).not.toHaveAttribute('aria-invalid', 'true')
})

test('Ctrl+Enter sends the reason; the caller gets the response and the draft is deleted', async () => {
  const { sentTo } = fakeApi({ [removal]: json({ done: true }) })
  const sent = vi.fn()
  await renderInApp(<Harness sent={sent} />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent).toHaveBeenCalledWith({ done: true }, 'Asked for it', true)
  expect(sentTo(removal).map(({ body }) => body)).toEqual([{ reason: 'Asked for it' }])
  expect(sessionStorage).toHaveLength(0)
  await expect.element(page.getByRole('button', { name: 'Remove…' })).toHaveFocus()
})

test('Escape stores the text as a draft, and the dialog restores it', async () => {
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Half a rea')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Remove…' })).toHaveFocus()
  await open()
  await expect.element(reason).toHaveValue('Half a rea')
  await expect.element(reason).toHaveAccessibleDescription(/Unsaved draft/)
})

test('Cancel discards the text, and Undo opens the dialog with it', async () => {
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Half a reason')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sessionStorage).toHaveLength(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(reason).toHaveValue('Half a reason')
})

test('an error stays in the dialog with the text; a field error appears beside its field', async () => {
  const errors = [{ path: 'reason', code: 'too_long', message: 'The reason is too long.' }]
  fakeApi({
    [removal]: [
      problem(409, 'conflict', { detail: 'Somebody removed it.' }),
      problem(400, 'invalid_request', { errors }),
    ],
  })
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(dialog.getByRole('alert')).toMatchTextContent('Somebody removed it.')
  await expect.element(reason).toHaveValue('Asked for it')
  await confirm()
  await expect.element(reason).toHaveAccessibleDescription(/The reason is too long\./)
  await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument()
})

test('a retry after a lost connection carries the same key', async () => {
  const { sentTo } = fakeApi({ [removal]: [connectionLost, json({})] })
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await confirm()
  await expect.element(dialog).not.toBeInTheDocument()
  const keys = sentTo(removal).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toBe(keys[1])
})

test('a retry of a change that others can undo carries a new key', async () => {
  const { sentTo } = fakeApi({ [removal]: [connectionLost, json({})] })
  await renderInApp(<Harness isUndoable />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await confirm()
  await expect.element(dialog).not.toBeInTheDocument()
  const keys = sentTo(removal).map(({ headers }) => headers.get('idempotency-key'))
  expect(keys[0]).not.toBe(keys[1])
})

test('while the request is pending the field is read-only and Escape does not close the dialog', async () => {
  const { answer, send } = heldAnswer()
  fakeApi({ [removal]: answer })
  await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(reason).toHaveAttribute('readonly')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).toBeVisible()
  send(json({}))
  await expect.element(dialog).not.toBeInTheDocument()
})

test('an error that arrives after the user left appears as a notification', async () => {
  const { answer, send } = heldAnswer()
  fakeApi({ [removal]: answer })
  const { show } = await renderInApp(<Harness />)
  await open()
  await userEvent.type(reason, 'Asked for it')
  await confirm()
  await expect.element(reason).toHaveAttribute('readonly')
  show(<p>Elsewhere</p>)
  await expect.element(page.getByText('Elsewhere')).toBeVisible()
  send(problem(409, 'conflict', { detail: 'Somebody removed it.' }))
  await expect.element(page.getByText('Not done: Remove entry')).toBeVisible()
  await expect.element(page.getByText(/Somebody removed it\./)).toBeVisible()
})
