import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { createPerson, goStale, manageButton } from './accounts.ts'
import { administrator, expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

const proofOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' })

async function prove(page: Page): Promise<void> {
  await proofOf(page).getByLabel('Your password').fill(administrator.password)
  await page.keyboard.press('Enter')
  await expect(proofOf(page)).toBeHidden()
}

test('a dangerous change requests fresh proof over the page and then continues automatically', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'viewer')
  await signIn(page, '/settings/people')
  await goStale(page, (request) => request.method() === 'PATCH')
  await (await manageButton(page, person)).click()
  await page.getByRole('menuitem', { name: 'Name and role…' }).click()
  const edit = page.getByRole('dialog', { name: `Name and role of ${person.name}` })
  await edit.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Operator' }).click()
  await edit.getByRole('button', { name: 'Save' }).click()

  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof.getByLabel('Your password')).toBeFocused()
  await expectAccessible(page)

  // Declined: nothing is changed, and the selection stays.
  await page.keyboard.press('Escape')
  await expect(proof).toBeHidden()
  await expect(edit.getByRole('alert')).toContainText('Nothing was changed')
  await expect(edit.getByRole('combobox', { name: 'Role' })).toHaveValue('Operator')

  await edit.getByRole('button', { name: 'Save' }).click()
  await proof.getByLabel('Your password').fill('not my password at all')
  await page.keyboard.press('Enter')
  await expect(proof.getByText('Wrong password.')).toBeVisible()
  await proof.getByLabel('Your password').fill(administrator.password)
  await page.keyboard.press('Enter')

  await expect(proof).toBeHidden()
  await expect(edit).toBeHidden()
  await expect(page.getByRole('row', { name: person.name })).toContainText('Operator')
})

test('a session that becomes incomplete during work is completed over the page, and the work continues', async ({
  page,
  browser,
  baseURL,
}) => {
  const person = await createPerson(browser, baseURL, 'operator')
  await signIn(page, '/prospects/new', person)
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Typed before the password was reset')

  // Simulates a reset by an administrator in a session that survived it.
  let isChanged = false
  await page.route('**/api/v1/**', async (route) => {
    const url = route.request().url()
    if (url.endsWith('/password')) isChanged = true
    if (isChanged) return route.continue()
    if (url.endsWith('/session')) {
      const answer = await route.fetch()
      return route.fulfill({ response: answer, json: { ...(await answer.json()), hold: 'password_change' } })
    }
    if (route.request().method() === 'GET') return route.continue()
    await route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: '',
        status: 403,
        detail: '',
        code: 'password_change_required',
        requestId: 'r',
      },
    })
  })
  await page.getByRole('textbox', { name: 'Registered name' }).press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: 'Choose your own password' })
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(
    'Typed before the password was reset',
  )
  await expectAccessible(page)
  await dialog.getByLabel('Current password', { exact: true }).fill(person.password)
  await dialog.getByLabel('New password', { exact: true }).fill('chosen over the page 85')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Typed before the password was reset' })).toBeVisible()
})

test('creating an export and downloading its file each request fresh proof over the dialog', async ({ page }) => {
  await signIn(page)
  const tag = unique('proven')
  const { name } = await createBusiness(page, { name: `${tag} farm`, tags: [tag] })
  await goStale(page, (request) => request.method() === 'POST' && request.url().endsWith('/exports'))
  await page.goto(`/prospects?tag=${encodeURIComponent(tag)}`)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Export prospects' })
  const write = dialog.getByRole('button', { name: 'Create file' })
  await write.click()
  await expect(proofOf(page).getByLabel('Your password')).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog.getByRole('alert')).toContainText('Nothing was changed')
  await write.click()
  await prove(page)
  await expect(dialog.getByRole('status')).toContainText('Ready')

  await goStale(page, (request) => request.url().endsWith('/content'))
  const fetching = dialog.getByRole('button', { name: /^Download/ })
  await fetching.click()
  await expect(proofOf(page)).toBeVisible()
  const download = page.waitForEvent('download')
  await prove(page)
  const path = await (await download).path()
  expect(readFileSync(path, 'utf8')).toContain(name)
  await expect(dialog.getByRole('alert')).toHaveCount(0)
})

test('a pipeline switch waits for fresh proof: declined it reverts, given it is saved', async ({ page }) => {
  await signIn(page, '/settings')
  await goStale(page, (request) => request.method() === 'PATCH' && request.url().endsWith('/pipeline'))
  const disqualified = page.getByRole('switch', { name: 'Use “Disqualified”' })
  await expect(disqualified).toBeChecked()
  await disqualified.click()
  await expect(proofOf(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alert')).toContainText('Nothing was changed')
  await expect(disqualified).toBeChecked()

  await disqualified.click()
  await prove(page)
  await expect(page.getByRole('alert').filter({ hasText: 'Nothing was changed' })).toHaveCount(0)
  await expect(disqualified).toBeFocused()
  await page.reload()
  await expect(disqualified).not.toBeChecked()
  await disqualified.click()
  await expect(disqualified).toBeChecked()
  await page.reload()
  await expect(disqualified).toBeChecked()
})
