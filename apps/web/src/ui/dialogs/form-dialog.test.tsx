import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { DialogSlot } from './dialog-slot.tsx'
import { FormDialog } from './form-dialog.tsx'

/** The least that a dialog with a draft passes. */
function Harness() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>New tag…</Button>
      <DialogSlot>
        {isOpen && (
          <FormDialog
            title="New tag"
            submitLabel="Create tag"
            initial={{ name: '' }}
            send={async () => null}
            onSaved={() => setOpen(false)}
            draft={{ name: 'new-tag' }}
            close={() => setOpen(false)}
          >
            {({ form }) => <TextInput label="Name" data-autofocus {...form.getInputProps('name')} />}
          </FormDialog>
        )}
      </DialogSlot>
    </>
  )
}

const dialog = page.getByRole('dialog', { name: 'New tag' })
const name = page.getByRole('textbox', { name: 'Name' })

/** Removes the draft from the browser, as another tab does when it saves or discards the same text. */
function removeElsewhere(): void {
  const key = Object.keys(localStorage).find((one) => one.endsWith(':new-tag'))
  if (key === undefined) throw new Error('The dialog stored no draft.')
  const oldValue = localStorage.getItem(key)
  localStorage.removeItem(key)
  window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null }))
}

test('a dialog closes when its draft is saved or discarded in another tab, without an option of the caller', async () => {
  await renderInApp(<Harness />)
  await page.getByRole('button', { name: 'New tag…' }).click()
  await name.fill('Wine farms')
  removeElsewhere()
  await expect.element(dialog).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'New tag…' }).click()
  await expect.element(name).toHaveValue('')
})

test('a dialog stays open when another tab removes a different text', async () => {
  await renderInApp(<Harness />)
  await page.getByRole('button', { name: 'New tag…' }).click()
  await name.fill('Wine farms')
  const key = Object.keys(localStorage).find((one) => one.endsWith(':new-tag')) ?? ''
  const oldValue = JSON.stringify({ savedAt: '2026-11-28T08:00:00Z', value: { name: 'Breweries' } })
  window.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue: null }))
  await expect.element(name).toHaveValue('Wine farms')
})
