import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('a request is entered, what is held is handed over, and its answer names the act', async ({ page }) => {
  test.slow()
  await signIn(page, '/subject-requests')
  const name = unique('Asked Farms')
  const email = `a${Date.now()}@asked.co.za`
  const { id } = await createBusiness(page, { name, emails: [{ value: email }] })
  const person = unique('Thandi')

  await page.getByRole('button', { name: 'Enter request' }).click()
  const entry = page.getByRole('dialog', { name: 'Enter a subject request' })
  await entry.getByRole('combobox', { name: 'Request' }).click()
  await page.getByRole('option', { name: 'Objection' }).click()
  await entry.getByRole('textbox', { name: /^Person/ }).fill(person)
  await entry.getByRole('textbox', { name: 'Where the person is answered' }).fill(email)
  await entry.getByRole('combobox', { name: 'Prospect' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expectAccessible(page)
  await entry.getByRole('button', { name: 'Enter request' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Objection: ${person}` })).toBeVisible()
  await expect(page.getByText(/^Due /)).toBeVisible()

  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'They objected.' })
  await page.reload()
  await page.getByRole('button', { name: 'Everything held…' }).click()
  const held = page.getByRole('dialog', { name: /^Everything held about/ })
  await held.getByRole('button', { name: 'Collect' }).click()
  await expect(held.getByRole('status')).toContainText('Collected')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    held.getByRole('button', { name: 'Download page' }).click(),
  ])
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain(email)
  expect(text).toContain('Do not contact')
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Record answer…' }).click()
  const answer = page.getByRole('dialog', { name: 'Record the answer' })
  await answer.getByRole('checkbox', { name: /^Do not contact/ }).check()
  await answer.getByRole('textbox', { name: 'How the person was answered' }).fill('By letter.')
  await answer.getByRole('button', { name: 'Record answer' }).click()
  await expect(page.getByText('Granted', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Do not contact' })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Subject requests' }).first().click()
  await expect(page.getByRole('link', { name: person })).toBeHidden()
  await page.goto('/subject-requests?state=answered')
  await expect(page.getByRole('link', { name: person })).toBeVisible()
  await expectAccessible(page)
})
