import type { Business } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DropPage } from './drop-page.tsx'

const business = { id: 'b1', name: 'Karoo Windpumps', status: 'active', doNotContact: null } as unknown as Business
const html = '<!-- saved from url=(0027)https://karoo.co.za/contact -->\n<html>'
const savedAt = Date.parse('2026-11-20T08:30:15.000Z')
const dialog = page.getByRole('dialog', { name: 'Supply page' })

/** Drags files over the record and drops them. Returns whether the app took them, so that the browser does not open the file. */
function drop(...names: string[]): boolean {
  const dataTransfer = new DataTransfer()
  for (const name of names) dataTransfer.items.add(new File([html], name, { type: 'text/html', lastModified: savedAt }))
  document.body.dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }))
  return !document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

/** 10:30 in Johannesburg is 08:30 in UTC. */
const johannesburg = (session: ReturnType<typeof sessionOf>) => ({
  ...session,
  tenant: { ...session.tenant, timeZone: 'Africa/Johannesburg' },
})

const render = (permissions: Parameters<typeof sessionOf>[0]) =>
  renderInApp(<DropPage business={business} />, { session: johannesburg(sessionOf(permissions)) })

test('a saved page that is dropped onto the record opens its dialog with the file, its address, role and time', async () => {
  fakeApi()
  await render({ permissions: ['scanning.supply'] })
  expect(drop('contact.html')).toBe(true)
  const field = (name: string) => dialog.getByRole('textbox', { name, exact: true })
  await expect.element(dialog.getByRole('button', { name: 'Saved page' })).toMatchTextContent('contact.html')
  await expect.element(field('Address of the page')).toHaveValue('https://karoo.co.za/contact')
  await expect.element(dialog.getByRole('combobox', { name: 'Role of the page' })).toHaveValue('Contact page')
  await expect.element(field('Saved on')).toHaveValue('20 Nov 2026, 10:30')
  expect(dialog.getByRole('textbox', { name: 'Or paste the text of the page' }).elements()).toEqual([])
})

test.each([[['logo.png']], [['a.html', 'b.html']]])(
  '%s: the record takes one saved page and says so',
  async (names) => {
    fakeApi()
    await render({ permissions: ['scanning.supply'] })
    expect(drop(...names)).toBe(true)
    await expect.element(page.getByText(/Drop one saved page/)).toBeVisible()
    expect(dialog.elements()).toEqual([])
  },
)

test('without the permission to supply pages nothing is taken', async () => {
  fakeApi()
  await render({ permissions: ['scanning.read'] })
  expect(drop('contact.html')).toBe(false)
  expect(dialog.elements()).toEqual([])
})
