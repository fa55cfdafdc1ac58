import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Report } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

async function downloaded(page: Page, click: () => Promise<void>): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), click()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('prospects are exported as the list shows them, and the file stays here once somebody in it is do not contact', async ({
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
  await dialog.getByRole('button', { name: 'Write the file' }).click()
  await expect(dialog.getByRole('status')).toContainText('Ready')
  await expect(dialog).toContainText('1 prospect; 1 left out because they are do not contact')
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
  await expect(row.getByRole('alert')).toContainText('became do not contact')
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
  const figures = page.getByRole('dialog', { name: 'Export the figures' })
  await figures.getByRole('radio', { name: 'JSON lines' }).check()
  await page.keyboard.press('Enter')
  await expect(figures.getByRole('status')).toContainText('Ready')
  const lines = await downloaded(page, () => figures.getByRole('button', { name: /^Download/ }).click())
  expect(JSON.parse(lines.text.split('\n')[0] ?? '')).toMatchObject({ report: { id, name: tag } })
})
