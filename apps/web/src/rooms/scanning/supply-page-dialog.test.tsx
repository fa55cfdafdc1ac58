import type { Business } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { SupplyPageDialog } from './supply-page-dialog.tsx'

const business = { id: 'b1', name: 'Karoo Windpumps' } as unknown as Business

test('a dropped page proposes its address, role and time, and overwrites no typed value', async () => {
  fakeApi()
  await renderInApp(
    <DialogSlot>
      <SupplyPageDialog business={business} close={() => {}} reopen={() => {}} />
    </DialogSlot>,
  )
  await page.getByRole('textbox', { name: 'Captured' }).fill('2026-11-20T08:00')
  const html = '<!-- saved from url=(0027)https://karoo.co.za/contact -->\n<html>'
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([html], 'contact.html', { type: 'text/html' }))
  const input = page.getByRole('button', { name: 'Saved page' }).element()
  input.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  await expect
    .element(page.getByRole('textbox', { name: 'Address of the page' }))
    .toHaveValue('https://karoo.co.za/contact')
  await expect.element(page.getByRole('combobox', { name: 'Role of the page' })).toHaveValue('Contact page')
  await expect.element(page.getByRole('textbox', { name: 'Captured' })).toHaveValue('2026-11-20T08:00')
  expect(page.getByRole('textbox', { name: 'Or paste the text of the page' }).elements()).toHaveLength(0)
})
