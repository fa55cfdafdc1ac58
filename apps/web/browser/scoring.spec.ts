import type { Page } from '@playwright/test'
import type { ScoringVersion } from '@prospect/api-client'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/** Fills the reason of the open dialog and confirms it by keyboard. */
async function decide(page: Page, label: string, title: RegExp): Promise<void> {
  await page.getByRole('button', { name: label }).click()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('As agreed')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
}

test('rules are written, previewed and approved by a second person', async ({ page, browser, baseURL }) => {
  test.setTimeout(120_000)
  const author = await createPerson(browser, baseURL, 'manager')
  await signIn(page, null, author)
  await createBusiness(page, { name: unique('Scored'), phones: [{ value: '021 555 0141' }] })

  await page.goto('/scoring')
  await expect(page.getByRole('heading', { level: 1, name: 'Scoring' })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('n')
  const name = unique('Reach')
  const dialog = page.getByRole('dialog', { name: 'New rule set' })
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await page.keyboard.type(name)
  await expect(dialog.getByRole('radio', { name: 'Reachable businesses' })).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Version 1' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Submit…' })).toHaveAttribute('aria-disabled', 'true')

  const path = new URL(page.url()).pathname
  await call<ScoringVersion>(page, 'PATCH', path, { rollbackPlan: 'Activate the run before.' }, { 'if-match': '"1"' })
  await page.reload()
  await page.getByRole('button', { name: 'Full preview' }).click()
  await expect(page.getByRole('table', { name: 'Priority', exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Submit…' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Its rules are frozen.', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Approve…' })).toHaveAttribute('aria-disabled', 'true')

  const approver = await otherPage(browser, baseURL)
  await signIn(approver, path)
  await decide(approver, 'Approve…', /^Approve version 1/)
  await expect(approver.getByText('Approved by', { exact: false }).or(approver.getByText('“As agreed”'))).toBeVisible()
  await expectAccessible(approver)
  await approver.context().close()
})
