import { createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

async function downloaded(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return readFile(await file.path(), 'utf8')
}

/** Canonical JSON (RFC 8785) of texts, integers and nulls, written again here, because a reader verifies without the code of this product. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${sorted.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join()}}`
}

test('a registry round goes from its file to its certificate, and what the registry lists is blocked', async ({
  page,
}) => {
  test.slow()
  await signIn(page)
  const name = unique('Registered Farm')
  const number = `+2782${String(Date.now()).slice(-7)}`
  const { id } = await createBusiness(page, { name, phones: [{ value: number }] })

  await page.goto('/suppression/registry')
  await page.getByRole('button', { name: 'Start round…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Start a registry round' })
  await expectAccessible(page)
  await dialog.getByRole('checkbox', { name: 'Email addresses' }).uncheck()
  await dialog.getByRole('button', { name: 'Start round' }).click()
  await expect(page.getByRole('status').getByText('Waiting for the result')).toBeVisible()
  const csv = await downloaded(page, 'Download the file')
  expect(csv).toContain(number)
  expect(csv).not.toContain(name)

  const upload = async (text: string) => {
    const file = { name: 'answer.csv', mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(text) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Upload the result' }).click()
  }
  await upload('value\n+27710000000\n')
  await expect(page.getByRole('alert')).toContainText('No line of this file is a value of this workspace.')
  await upload(`value\n${number}\n+27710000000\n`)
  await page.getByRole('button', { name: 'Block the hits…' }).click()
  const confirming = page.getByRole('dialog', { name: 'Block 1 value?' })
  await confirming.getByRole('textbox', { name: /^Reason/ }).fill('Listed by the registry.')
  await confirming.getByRole('button', { name: 'Block the hits' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Certificate of a registry round' })).toBeVisible()
  await expectAccessible(page)
  const { statement, publicKey, signature } = JSON.parse(await downloaded(page, 'Save as JSON'))
  const bytes = Buffer.from(canonical(['prospect-platform registry certificate', statement]))
  expect(verify(null, bytes, createPublicKey(publicKey), Buffer.from(signature, 'base64url'))).toBe(true)

  await page.goto(`/prospects/${id}`)
  await expect(page.getByText('Do not contact').first()).toBeVisible()
  await page.goto('/prospects')
  await expect(page.getByRole('link', { name: /^Cleaned on .*, due on / })).toBeVisible()
  await expectAccessible(page)
})
