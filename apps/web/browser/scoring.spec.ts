import type { Page } from '@playwright/test'
import { createPerson, otherPage } from './accounts.ts'
import { expect, seedVariable, test } from './fixtures.ts'
import { type RunningApp, startApp } from './server.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/* Runs on its own app, because its scores appear in every list. */
const scoringTest = test.extend<object, { app: RunningApp }>({
  app: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of required fixtures from this pattern
    async ({}, use) => {
      const seed = process.env[seedVariable]
      if (seed === undefined) throw new Error(`global-setup.ts did not set ${seedVariable}.`)
      const app = await startApp({ seed, logName: 'scoring' })
      await use(app)
      await app.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

/** Opens the dialog of an action, fills in its reason and sends it, all by keyboard. */
async function decide(page: Page, label: string, title: RegExp): Promise<void> {
  const button = page.getByRole('button', { name: label })
  // Enabled once its data is loaded.
  await expect(button).not.toHaveAttribute('aria-disabled', 'true')
  await button.press('Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('As agreed')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
}

/** Recalculates with the open version and waits for the page of the run. */
async function recalculate(page: Page, version: number): Promise<void> {
  await decide(page, 'Recalculate…', new RegExp(`^Recalculate by version ${version}`))
  await expect(page.getByRole('heading', { level: 1, name: `Recalculation by version ${version}` })).toBeVisible()
  await expect(page.getByText('You can activate the scores of this recalculation.')).toBeVisible()
}

const scoreOn = (page: Page) => page.getByRole('region', { name: 'Score', exact: true })

scoringTest(
  'rules are written, approved by a second person, run, activated, explained and rolled back, by keyboard',
  async ({ page, browser, baseURL }) => {
    test.setTimeout(240_000)
    const author = await createPerson(browser, baseURL, 'manager')
    await signIn(page, null, author)
    const names = { phoned: unique('Phoned'), bare: unique('Bare') }
    const { id } = await createBusiness(page, { name: names.phoned, phones: [{ value: '+27 21 555 0141' }] })
    await createBusiness(page, { name: names.bare })
    // Rules require evidence for the values that they use.
    await call(page, 'POST', `/businesses/${id}/evidence`, {
      ...{ field: 'phone', value: '+27 21 555 0141', sourceLabel: 'Site visit', confidence: 'high' },
      capturedAt: new Date().toISOString(),
    })

    await page.goto('/scoring')
    await expect(page.getByRole('heading', { level: 1, name: 'Scoring' })).toBeVisible()
    await expect(page.getByText('No scores are active')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Shift+n')
    const name = unique('Reach')
    const dialog = page.getByRole('dialog', { name: 'New rule set' })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(dialog.getByText('Enter a name.')).toBeVisible()
    await page.keyboard.type(name)
    await dialog.getByRole('radio', { name: 'Empty' }).press('Space')
    await expectAccessible(page)
    await page.keyboard.press('Control+Enter')
    await expect(page.getByRole('heading', { level: 1, name: 'Version 1' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Submit…' })).toHaveAttribute('aria-disabled', 'true')
    const path = new URL(page.url()).pathname

    await page.keyboard.press('e')
    await expect(page.getByRole('heading', { level: 1, name: 'Edit version 1' })).toBeVisible()
    await page.getByRole('button', { name: 'Add rule to Fit' }).press('Enter')
    await expect(page.getByRole('combobox', { name: 'Signal' })).toBeFocused()
    const points = page.getByRole('textbox', { name: 'Points', exact: true })
    await points.fill('60')
    await expect(page.getByText('Phones: at least 1: +60 points').first()).toBeVisible()
    await expect(page.getByText('of the workspace were scored.', { exact: false })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('textbox', { name: 'Rollback plan' }).fill('Activate the run before.')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('All changes saved.')).toBeVisible()

    await page.goto(path)
    await page.getByRole('button', { name: 'Full preview' }).press('Enter')
    await expect(page.getByRole('table', { name: 'Priority', exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Submit…' }).press('Enter')
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Nobody can edit the rules now.', { exact: false })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Approve…' })).toHaveAttribute('aria-disabled', 'true')

    const approver = await otherPage(browser, baseURL)
    await signIn(approver, path)
    await decide(approver, 'Approve…', /^Approve version 1/)
    await expect(approver.getByText('“As agreed”')).toBeVisible()
    await expectAccessible(approver)
    await approver.context().close()

    await page.reload()
    await recalculate(page, 1)
    await expectAccessible(page)
    await decide(page, 'Activate…', /^Activate the scores of version 1/)
    await expect(page.getByText('The scores of this recalculation are active.')).toBeVisible()
    const firstRun = new URL(page.url()).pathname

    await page.goto(`/prospects/${id}?tab=score`)
    await expect(scoreOn(page).getByText('60 of 100', { exact: true })).toBeVisible()

    const rows = page.getByRole('table').getByRole('link', { name: /^(Phoned|Bare) / })
    await page.goto('/prospects?sort=-score')
    await expect(rows).toHaveText([names.phoned, names.bare])
    await expect(page.getByRole('columnheader', { name: /^Score/ })).toHaveAttribute('aria-sort', 'descending')
    await expect(page.getByRole('row', { name: names.bare })).toContainText('0 to 60')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Possible priority A' }).press('Enter')
    await expect(page.getByRole('status').filter({ hasText: 'possible priority A' })).toHaveText(
      'Prospects with possible priority A, with a score of at most 49',
    )
    await expect(rows).toHaveText([names.bare])
    await page.goto('/prospects?view=board')
    await expect(page.getByRole('listitem').filter({ hasText: names.phoned })).toContainText('A, score 60')

    await page.goto(path)
    await recalculate(page, 1)
    await decide(page, 'Activate…', /^Activate the scores of version 1/)
    await page.goto(firstRun)
    await decide(page, 'Roll back…', /^Roll back to version 1/)
    await expect(page.getByText('The scores of this recalculation are active.')).toBeVisible()
    await page.goto('/scoring/runs')
    await expect(page.getByRole('table', { name: 'Recalculations' })).toBeVisible()
    await expectAccessible(page)
  },
)
