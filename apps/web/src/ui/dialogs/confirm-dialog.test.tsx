import { Button } from '@mantine/core'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { DialogSlot } from './dialog-slot.tsx'

function Harness({ onConfirm, isBusy = false }: { onConfirm: () => void; isBusy?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Remove</Button>
      <DialogSlot>
        {isOpen && (
          <ConfirmDialog
            title="Remove entry?"
            confirmLabel="Remove entry"
            isBusy={isBusy}
            onConfirm={onConfirm}
            onClose={() => setOpen(false)}
          >
            It can be added again.
          </ConfirmDialog>
        )}
      </DialogSlot>
    </>
  )
}

test('Cancel has the focus, and Escape returns it to the opener', async () => {
  await renderInApp(<Harness onConfirm={() => {}} />)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Remove' })).toHaveFocus()
})

test('Ctrl+Enter confirms once', async () => {
  const onConfirm = vi.fn()
  await renderInApp(<Harness onConfirm={onConfirm} />)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(onConfirm).toHaveBeenCalledOnce()
})
