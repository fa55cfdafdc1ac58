import type { Business } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { connectionLost, fakeApi, json, problem } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { DialogSlot } from '../../ui/dialogs/dialog-slot.tsx'
import { SupplyPageDialog } from './supply-page-dialog.tsx'

const business = { id: 'b1', name: 'Karoo Windpumps' } as unknown as Business
const route = 'POST /businesses/b1/supplied-pages'
/** 10:30 in Johannesburg, the zone of the workspace. */
const savedAt = Date.parse('2026-11-20T08:30:15.000Z')
const html = '<!-- saved from url=(0027)https://karoo.co.za/contact -->\n<html>'

async function open() {
  const session = sessionOf()
  await renderInApp(
    <DialogSlot>
      <SupplyPageDialog business={business} close={() => {}} reopen={() => {}} />
    </DialogSlot>,
    { session: { ...session, tenant: { ...session.tenant, timeZone: 'Africa/Johannesburg' } } },
  )
}

const field = (name: string) => page.getByRole('textbox', { name, exact: true })

function drop(content: string, { name = 'contact.html', at = savedAt } = {}) {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([content], name, { type: 'text/html', lastModified: at }))
  const input = page.getByRole('button', { name: 'Saved page' }).element()
  input.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
}

const submit = () => page.getByRole('button', { name: 'Supply page' }).click()

/** Waits until the form accepts another file. A form that is being saved ignores one. */
const answered = () => expect.element(field('Address of the page')).not.toHaveAttribute('readonly')

test('a dropped page proposes its address, role and time, and overwrites no typed value', async () => {
  fakeApi()
  await open()
  await field('Saved on').fill('2026-11-20 08:00')
  drop(html)
  await expect.element(field('Address of the page')).toHaveValue('https://karoo.co.za/contact')
  await expect.element(page.getByRole('combobox', { name: 'Role of the page' })).toHaveValue('Contact page')
  await expect.element(field('Saved on')).toHaveValue('2026-11-20 08:00')
  expect(page.getByRole('textbox', { name: 'Or paste the text of the page' }).elements()).toHaveLength(0)
  drop(html.replace('contact', 'about-us'), { name: 'about.html' })
  await expect.element(field('Address of the page')).toHaveValue('https://karoo.co.za/about-us')
  await expect.element(field('Saved on')).toHaveValue('2026-11-20 08:00')
})

test('the time is shown on the clock of the workspace, and sent to the second until it is edited', async () => {
  const api = fakeApi({ [route]: connectionLost })
  await open()
  drop(html)
  await expect.element(field('Saved on')).toHaveValue('20 Nov 2026, 10:30')
  await submit()
  const times = () => api.sentTo(route).map(({ body }) => body instanceof FormData && body.get('capturedAt'))
  await expect.poll(times).toEqual(['2026-11-20T08:30:15.000Z'])
  await answered()
  await field('Saved on').fill('20 Nov 2026 11:00')
  await submit()
  await expect.poll(times).toEqual(['2026-11-20T08:30:15.000Z', '2026-11-20T09:00:00.000Z'])
})

test('another file with the same values is another request; the same file is repeated under its key', async () => {
  const api = fakeApi({ [route]: connectionLost })
  await open()
  const keys = () => api.sentTo(route).map(({ headers }) => headers.get('idempotency-key'))
  drop(`${html}One`)
  await expect.element(field('Saved on')).toHaveValue('20 Nov 2026, 10:30')
  await submit()
  await expect.poll(keys).toHaveLength(1)
  await answered()
  await submit()
  await expect.poll(keys).toHaveLength(2)
  await answered()
  drop(`${html}Two, which is longer`)
  await submit()
  await expect.poll(keys).toHaveLength(3)
  const [first, repeated, other] = keys()
  expect(repeated).toBe(first)
  expect(other).not.toBe(first)
})

test('a problem of the page is shown at the page, and hides no problem of the address', async () => {
  const refusal = problem(415, 'page_format_unsupported', { detail: 'This is a PDF.' })
  const api = fakeApi({ [route]: [refusal, json({}, 201)] })
  await open()
  drop('x'.repeat(5_000_001), { name: 'large.html' })
  await expect.element(field('Saved on')).toHaveValue('20 Nov 2026, 10:30')
  await submit()
  const file = page.getByRole('button', { name: 'Saved page' })
  await expect.element(file).toHaveAccessibleDescription(/The file is larger than 5 MB/)
  await expect.element(field('Address of the page')).toHaveAccessibleDescription(/Enter the address of the page/)
  expect(api.sentTo(route)).toEqual([])
  drop(html)
  await expect.element(field('Address of the page')).toHaveValue('https://karoo.co.za/contact')
  await submit()
  await expect.element(file).toHaveAccessibleDescription(/This is a PDF/)
  await expect.element(field('Address of the page')).not.toHaveAccessibleDescription(/./)
})
