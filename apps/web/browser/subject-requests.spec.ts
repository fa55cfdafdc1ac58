import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import type { SubjectRequest } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

type Entry = { kind: string; person: string; contact?: string; prospect?: string }

/** Enters a request on the list, and waits for its page. */
async function enter(page: Page, { kind, person, contact = '', prospect }: Entry): Promise<void> {
  await page.getByRole('button', { name: 'Enter request' }).click()
  const entry = page.getByRole('dialog', { name: 'Enter a request' })
  await entry.getByRole('combobox', { name: 'What the person asks for' }).click()
  await page.getByRole('option', { name: kind }).click()
  await entry.getByRole('textbox', { name: 'Who asks' }).fill(person)
  await entry.getByRole('textbox', { name: 'Contact for the answer' }).fill(contact)
  if (prospect !== undefined) await choose(page, entry, prospect)
  await expectAccessible(page)
  await entry.getByRole('button', { name: 'Enter request' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${kind}: ${person}` })).toBeVisible()
}

async function choose(page: Page, dialog: Locator, prospect: string): Promise<void> {
  await dialog.getByRole('combobox', { name: 'Prospect' }).fill(prospect)
  await page.getByRole('option', { name: prospect }).click()
}

/** Collects in the open dialog, and returns the text of the file to read. */
async function collected(page: Page): Promise<string> {
  const held = page.getByRole('dialog', { name: /^Everything held about/ })
  await held.getByRole('button', { name: 'Collect', exact: true }).click()
  await expect(held.getByRole('status')).toHaveText('The file is ready.')
  await expectAccessible(page)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    held.getByRole('button', { name: 'Download to read' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  await page.keyboard.press('Escape')
  await expect(held).toBeHidden()
  return text
}

/** Records the answer with one step, if there is one, and waits for the outcome. */
async function answer(page: Page, how: string, step?: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Record answer…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record the answer' })
  await dialog.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Granted', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'How you answered' }).fill(how)
  if (step !== undefined) await dialog.getByRole('checkbox', { name: step }).first().check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Record answer' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Record answer…' })).toBeHidden()
}

test('an objection is entered, what is held is handed over, and its answer names the block', async ({ page }) => {
  test.slow()
  await signIn(page, '/subject-requests')
  const name = unique('Asked Farms')
  const email = `a${Date.now()}@asked.co.za`
  await createBusiness(page, { name, emails: [{ value: email }] })
  const person = unique('Thandi')
  await enter(page, { kind: 'Objection to contact', person, contact: email, prospect: name })
  await expect(page.getByText(/^Due on /)).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Mark as do not contact…' }).click()
  const block = page.getByRole('dialog', { name: `Mark ${name} as do not contact?` })
  await block.getByRole('textbox', { name: 'Reason' }).fill('They objected.')
  await block.getByRole('combobox', { name: 'Received by' }).click()
  await page.getByRole('option', { name: 'Letter' }).click()
  await block.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect(block).toBeHidden()
  await expect(page.getByRole('link', { name: 'Do not contact', exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Find the contact on the do-not-contact list' }).click()
  await expect(page.getByRole('link', { name: email })).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: 'About the prospect…' }).click()
  const text = await collected(page)
  expect(text).toContain(email)
  expect(text).toContain('Do not contact')

  await answer(page, 'By letter.', /^Do not contact/)
  await expect(page.getByText('Granted', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Do not contact', exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Subject requests' }).first().click()
  await expect(page.getByRole('link', { name: person })).toBeHidden()
  await page.goto('/subject-requests?state=answered')
  await expect(page.getByRole('link', { name: person })).toBeVisible()
  await expectAccessible(page)
})

test('an erasure is carried out from its request, which remains without the data of the person', async ({ page }) => {
  test.slow()
  await signIn(page, '/subject-requests')
  const name = unique('Erased Farms')
  const { id } = await createBusiness(page, { name })
  const person = unique('Quagga')
  const contact = `q${Date.now()}@asked.co.za`
  await enter(page, { kind: 'Erasure of their data', person, contact })

  // The prospect and the check of the identity are known later.
  await page.getByRole('button', { name: 'Choose the prospect…' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit the request' })
  await edit.getByRole('textbox', { name: 'How you checked who the person is' }).fill(`We called ${person} back.`)
  await choose(page, edit, name)
  await expectAccessible(page)
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  await expect(page.getByText(`We called ${person} back.`)).toBeVisible()

  await page.getByRole('button', { name: 'Erase permanently…' }).click()
  const erase = page.getByRole('dialog', { name: `Erase ${name} permanently?` })
  await erase.getByRole('textbox', { name: 'Reason' }).fill('A request of the person.')
  await erase.getByRole('textbox', { name: 'Name of the record' }).fill(name)
  await erase.getByRole('button', { name: 'Erase permanently' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Erasure of their data: Name deleted' })).toBeVisible()
  await expect(page.getByText('The prospect was erased. Tell the person, then record the answer here.')).toBeVisible()
  await expectAccessible(page)

  await answer(page, 'By letter to the address that we noted before.', /./)
  const requestId = new URL(page.url()).pathname.split('/').at(-1)
  const left = await page.request.get(`/api/v1/subject-requests/${requestId}`)
  const text = await left.text()
  for (const mark of [person, contact, name]) expect(text).not.toContain(mark)
  const request: SubjectRequest = JSON.parse(text)
  expect(request).toMatchObject({ kind: 'erasure', status: 'answered', business: { id, isErased: true } })
  expect(request.acts).toHaveLength(1)
})

test('a correction leads to the record, and its answer names the change', async ({ page }) => {
  await signIn(page, '/subject-requests')
  const name = unique('Wrong Farms')
  await createBusiness(page, { name, industry: 'Farming' })
  await enter(page, { kind: 'Correction of their data', person: unique('Sipho'), prospect: name })
  await page.getByRole('link', { name: 'Edit the prospect' }).click()
  const industry = page.getByRole('textbox', { name: 'Industry' }).or(page.getByRole('combobox', { name: 'Industry' }))
  await industry.fill('Irrigation')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: `${name} saved` })).toBeVisible()
  await page.goto('/subject-requests')
  await page.getByRole('link', { name: /^Sipho/ }).click()
  await answer(page, 'By phone.', /edited|changed/i)
  await expect(page.getByText('By phone.')).toBeVisible()
})

test('“Where from” is answered with a file about a value that names no other address', async ({ page }) => {
  test.slow()
  await signIn(page, '/subject-requests')
  const name = unique('Source Farms')
  const [email, other] = [`s${Date.now()}@asked.co.za`, `o${Date.now()}@asked.co.za`]
  await createBusiness(page, { name, emails: [{ value: email }, { value: other }] })
  const person = unique('Lerato')
  await enter(page, { kind: 'Where their data is from', person, contact: email })
  await expect(page.getByRole('button', { name: 'About the prospect…' })).toBeHidden()
  await page.getByRole('button', { name: 'About the contact…' }).click()
  const text = await collected(page)
  expect(text).toContain('Where each value is from')
  expect(text).toContain(email)
  expect(text).toContain(name)
  expect(text).not.toContain(other)
  await answer(page, 'With the file, to the same address.')
  await expect(page.getByText('The answer names no step.')).toBeVisible()

  // Also without a request, for a value that nobody has.
  await page.goto('/subject-requests')
  await page.getByRole('button', { name: 'Everything held about a value…' }).click()
  const held = page.getByRole('dialog', { name: 'Everything held about a value' })
  await held.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Phone number' }).click()
  await held.getByRole('textbox', { name: 'Phone number' }).fill('021 000 0000')
  await expectAccessible(page)
  await held.getByRole('textbox', { name: 'Phone number' }).fill('021 555 0199')
  expect(await collected(page)).toContain('Nothing.')
})
