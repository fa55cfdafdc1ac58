import { Button } from '@mantine/core'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { FocusKeeper } from '../../app/shell/focus-keeper.tsx'
import { useOpener } from '../layout/floating.tsx'
import { FloatingMenu } from '../layout/menu.ts'
import { PageOverlay } from '../layout/page-overlay.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { DialogSlot } from './dialog-slot.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })

function FromMenu() {
  const { button: opener, floating } = useOpener('menu')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" {...opener}>
        More
      </button>
      {floating !== null && (
        <FloatingMenu {...floating} width={200} position="bottom-start">
          {(Menu) => <Menu.Item onClick={() => setOpen(true)}>Details</Menu.Item>}
        </FloatingMenu>
      )}
      <FocusKeeper />
      <DialogSlot>
        {isOpen && (
          <Dialog onClose={() => setOpen(false)} title="Details">
            <Button onClick={() => setOpen(false)}>Done</Button>
          </Dialog>
        )}
      </DialogSlot>
    </>
  )
}

function Lift() {
  const [isBlocked, setBlocked] = useState(true)
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="Record">
      {isBlocked && <Button onClick={() => setOpen(true)}>Unblock</Button>}
      <DialogSlot>
        {isOpen && (
          <ConfirmDialog
            title="Unblock?"
            confirmLabel="Unblock contact"
            onConfirm={() => {
              setBlocked(false)
              setOpen(false)
            }}
            onClose={() => setOpen(false)}
          >
            Contact is allowed again.
          </ConfirmDialog>
        )}
      </DialogSlot>
      <FocusKeeper />
    </section>
  )
}

function Covered() {
  const [isCovered, setCovered] = useState(false)
  return (
    <DialogSlot>
      <Dialog onClose={() => {}} title="Edit">
        <Button onClick={() => setCovered(true)}>Save</Button>
        {isCovered && (
          <PageOverlay title="Sign in again">
            <Button onClick={() => setCovered(false)}>Continue</Button>
          </PageOverlay>
        )}
      </Dialog>
    </DialogSlot>
  )
}

test('a dialog opened from a menu returns the focus to the button of the menu', async () => {
  await renderInApp(<FromMenu />)
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Details' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Details' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(button('More')).toHaveFocus()
})

test('a dialog opened from a menu by keyboard and closed by its button returns the focus to the button of the menu', async () => {
  await renderInApp(<FromMenu />)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitem', { name: 'Details' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('dialog', { name: 'Details' })).toBeVisible()
  await button('Done').click()
  await expect.element(button('More')).toHaveFocus()
})

test('when the opener is removed, the focus goes to the nearest section on the page', async () => {
  await renderInApp(<Lift />)
  await button('Unblock').click()
  await button('Unblock contact').click()
  await expect.element(page.getByRole('region', { name: 'Record' })).toHaveFocus()
})

test('an overlay makes an open dialog inert and returns the focus when it closes', async () => {
  await renderInApp(<Covered />)
  await button('Save').click()
  await expect.element(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
  // The dialog is inert: the accessibility tree contains only the overlay.
  expect(button('Save').elements()[0]?.closest('[inert]') ?? null).not.toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
  await button('Continue').click()
  await expect.element(page.getByRole('dialog', { name: 'Sign in again' })).not.toBeInTheDocument()
  await expect.element(button('Save')).toHaveFocus()
})

function Steps() {
  const [step, setStep] = useState<'ask' | 'done' | null>(null)
  return (
    <>
      <Button onClick={() => setStep('ask')}>Remove</Button>
      <DialogSlot>
        {step === 'ask' && (
          <ConfirmDialog title="Remove it?" confirmLabel="Yes" onConfirm={() => setStep('done')} onClose={() => {}}>
            For good.
          </ConfirmDialog>
        )}
        {step === 'done' && (
          <Dialog title="Removed" onClose={() => setStep(null)}>
            <Button onClick={() => setStep(null)}>Done</Button>
          </Dialog>
        )}
      </DialogSlot>
    </>
  )
}

test('a dialog that replaces another in its slot takes the focus, and returns it to the opener of the first', async () => {
  await renderInApp(<Steps />)
  await button('Remove').click()
  await button('Yes').click()
  await expect.element(page.getByRole('dialog', { name: 'Removed' })).toBeVisible()
  await expect.element(page.getByRole('dialog', { name: 'Remove it?' })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(button('Remove')).toHaveFocus()
})

function FromDialog() {
  const [open, setOpen] = useState<'first' | 'second' | null>(null)
  return (
    <>
      <FocusKeeper />
      <Button onClick={() => setOpen('first')}>Search</Button>
      <DialogSlot>
        {open === 'first' && (
          <Dialog title="Commands" onClose={() => setOpen(null)}>
            <Button onClick={() => setOpen('second')}>Shortcuts</Button>
          </Dialog>
        )}
      </DialogSlot>
      <DialogSlot>
        {open === 'second' && (
          <Dialog title="Shortcuts" onClose={() => setOpen(null)}>
            All of them.
          </Dialog>
        )}
      </DialogSlot>
    </>
  )
}

test('a dialog that another dialog opened returns the focus to the opener of the first', async () => {
  await renderInApp(<FromDialog />)
  await button('Search').click()
  await button('Shortcuts').click()
  await expect.element(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(button('Search')).toHaveFocus()
})
