import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Report } from '@prospect/api-client'
import { administrator, expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('prospects are exported as listed, and the file is withheld once one of them is do not contact', async ({
  page,
}) => {
  test.slow()
  await signIn(page)
  const tag = unique('exported')
  const free = await createBusiness(page, { name: `=${tag} free`, tags: [tag], emails: [{ value: 'a@free.co.za' }] })
  const blocked = await createBusiness(page, {
    name: `${tag} blocked`,
    tags: [tag],
    emails: [{ value: 'b@free.co.za' }],
  })
  await call(page, 'POST', `/businesses/${blocked.id}/do-not-contact`, { reason: 'They asked.' })

  await page.goto(`/prospects?tag=${encodeURIComponent(tag)}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export prospects' })
  await expect(dialog).toContainText(`tagged ${tag}`)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create file' }).click()
  await expect(dialog.getByRole('status')).toContainText('Ready')
  await expect(dialog).toContainText('1 prospect; 1 left out, marked do not contact')
  const csv = await downloaded(page, () => dialog.getByRole('button', { name: /^Download/ }).click())
  expect(csv.name).toMatch(/^prospects-.*\.csv$/)
  expect(csv.text).toContain(`"'=${tag} free"`)
  expect(csv.text).not.toContain(blocked.name)
  expect(csv.text).not.toContain('b@free.co.za')
  await expectAccessible(page)

  await call(page, 'POST', `/businesses/${free.id}/do-not-contact`, { reason: 'They asked as well.' })
  await dialog.getByRole('link', { name: 'All exports' }).click()
  const row = page.getByRole('row', { name: tag })
  await row.getByRole('button', { name: /^Download/ }).click()
  await expect(row.getByRole('alert')).toContainText('marked do not contact')
  await expectAccessible(page)

  const { id } = await call<Report>(
    page,
    'POST',
    '/reports',
    { name: tag, from: '2026-11-01', to: '2026-11-30' },
    { 'idempotency-key': tag },
  )
  await page.goto(`/reports/${id}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const figures = page.getByRole('dialog', { name: 'Export figures' })
  await figures.getByRole('radio', { name: 'JSON lines' }).check()
  await page.keyboard.press('Enter')
  await expect(figures.getByRole('status')).toContainText('Ready')
  const lines = await downloaded(page, () => figures.getByRole('button', { name: /^Download/ }).click())
  expect(JSON.parse(lines.text.split('\n')[0] ?? '')).toMatchObject({ report: { id, name: tag } })
})

test('the filtered audit log is exported without contact values, and listed with its events', async ({ page }) => {
  await signIn(page)
  const address = `${unique('audited')}@audited.co.za`
  const { id } = await createBusiness(page, { name: unique('Audited'), emails: [{ value: address }] })
  await page.goto(`/audit?subjectType=business&subjectId=${id}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export audit events' })
  await expect(dialog).toContainText('The events that match the filters, with the newest signed checkpoint.')
  await expectAccessible(page)
  await dialog.getByRole('radio', { name: 'JSON lines' }).check()
  await dialog.getByRole('button', { name: 'Create file' }).click()
  await expect(dialog.getByRole('status')).toContainText('Ready')
  const { name, text } = await downloaded(page, () => dialog.getByRole('button', { name: /^Download/ }).click())
  expect(name).toMatch(/^audit-.*\.jsonl$/)
  const [head, event] = text.split('\n')
  expect(JSON.parse(head ?? '')).toMatchObject({ audit: { filter: { subjectId: id } } })
  expect(JSON.parse(event ?? '')).toMatchObject({ event: { action: 'business.create', businessId: id } })
  expect(text).not.toContain(address)
  await dialog.getByRole('link', { name: 'All exports' }).click()
  await expect(page.getByText('Audit events that matched filters').first()).toBeVisible()
})

test('a record is erased with its name, a reason and proof: it cannot be found, its export is deleted, its address stays suppressed', async ({
  page,
}) => {
  test.slow()
  await signIn(page)
  const name = unique('Forgotten Farms')
  const email = `f${Date.now()}@forgotten.co.za`
  const { id } = await createBusiness(page, { name, emails: [{ value: email }] })
  await call(page, 'POST', '/exports', { source: 'prospects', format: 'csv' }, { 'idempotency-key': name })
  let isFresh = false
  await page.route('**/api/v1/**', async (route) => {
    const url = route.request().url()
    if (url.endsWith('/session/mfa')) isFresh = true
    if (isFresh || !url.endsWith('/erasure')) return route.continue()
    const problem = {
      type: 'about:blank',
      title: '',
      status: 403,
      detail: '',
      code: 'step_up_required',
      requestId: 'r',
    }
    await route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem })
  })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase permanently…' }).click()
  const dialog = page.getByRole('dialog', { name: /^Erase .* permanently/ })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The person asked in writing')
  await dialog.getByRole('textbox', { name: 'Name of the record' }).fill('Another')
  await dialog.getByRole('checkbox', { name: /Keep the addresses/ }).check()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('The name does not match.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Name of the record' }).fill(name)
  await page.keyboard.press('Control+Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Your password').fill(administrator.password)
  await page.keyboard.press('Enter')
  const written = page.getByRole('dialog', { name: 'Erased' })
  await expect(written).toContainText('1 of the addresses, numbers and domains stay blocked')
  await expect(written).toContainText(/Number \d+ in the audit log/)
  await written.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Erased record' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Record status' })).toContainText(
    'The content of this record was deleted',
  )
  await expectAccessible(page)
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await expect(page.getByText(email)).toHaveCount(0)
  await expect(page.getByRole('row', { name })).toHaveCount(0)
  await page.goto('/exports')
  await expect(page.getByText('A prospect was erased').first()).toBeVisible()
  const again = await createBusiness(page, { name: unique('Again'), emails: [{ value: email.toUpperCase() }] })
  await page.goto(`/prospects/${again.id}`)
  await expect(page.getByRole('region', { name: 'Do not contact' })).toBeVisible()
})
