import type { Session } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('closes the record panel while it loads and after it failed, and keeps the error on screen during a retry', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Slow to come')
  const { id } = await createBusiness(page, { name })
  let answer = Promise.withResolvers<number>()
  await page.route(`**/api/v1/businesses/${id}`, async (route) => {
    const status = await answer.promise
    if (status === 200) return route.continue()
    await route.fulfill({
      status,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: 'Failed', status, detail: 'Failed.', code: 'internal', requestId: 'r' },
    })
  })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('link', { name })
  const panel = page.getByRole('complementary', { name: 'Record' })
  const close = panel.getByRole('button', { name: 'Close record' })
  await row.click()
  await expect(panel.getByRole('status', { name: 'Loading' })).toBeVisible()
  await close.click()
  await expect(panel).toBeHidden()
  await row.click()
  await expect(close).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await row.click()
  answer.resolve(500)
  const alert = panel.getByRole('alert')
  await expect(alert).toContainText('Could not load this prospect')
  await expectAccessible(page)
  await alert.evaluate((element) => element.setAttribute('data-seen', ''))
  const retry = panel.getByRole('button', { name: 'Try again' })
  for (const status of [500, 500, 200]) {
    answer = Promise.withResolvers<number>()
    const asked = page.waitForRequest(`**/api/v1/businesses/${id}`)
    await retry.press('Enter')
    await asked
    await expect(retry).toHaveAttribute('data-loading')
    // The element was not replaced, so it is not announced again.
    await expect(page.locator('[data-seen]')).toBeVisible()
    await expect(panel.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await expect(retry).toBeFocused()
    answer.resolve(status)
    if (status !== 200) await expect(retry).not.toHaveAttribute('data-loading')
  }
  await expect(panel.getByRole('article', { name })).toBeVisible()
  await expect(page.locator('[data-seen]')).toHaveCount(0)
})

test('Escape and single keys work after an assignee was chosen in the panel', async ({ page }) => {
  await signIn(page)
  const session: Session = await (await page.request.get('/api/v1/session')).json()
  const name = unique('Assigned beside the list')
  await createBusiness(page, { name })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('link', { name })
  const panel = page.getByRole('complementary', { name: 'Record' })
  const assignee = panel.getByRole('combobox', { name: `Assignee of ${name}` })
  const edit = panel.getByRole('button', { name: 'Edit assignee' })
  const work = panel.getByRole('region', { name: 'Pipeline and assignee' })

  await row.click()
  await edit.click()
  await assignee.click()
  await page.getByRole('option', { name: session.user.name }).click()
  await expect(edit).toBeFocused()
  await expect(work).not.toContainText('Unassigned')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  // Clearing the field also returns the focus.
  await row.click()
  await edit.click()
  await panel.getByRole('button', { name: `Clear “Assignee of ${name}”` }).press('Enter')
  await expect(edit).toBeFocused()
  await expect(work).toContainText('Unassigned')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()

  await row.click()
  await edit.press('Enter')
  await expect(assignee).toBeFocused()
  await page.keyboard.type(session.user.name.slice(0, 5))
  await page.keyboard.press('Enter')
  await expect(edit).toBeFocused()
  await expect(work).not.toContainText('Unassigned')
  await page.keyboard.press('n')
  await expect(page.getByLabel('New note')).toBeFocused()
})

test('Escape first closes the list of a field and then leaves the field', async ({ page }) => {
  await signIn(page)
  const name = unique('Left by Esc')
  await createBusiness(page, { name })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name }).click()
  const panel = page.getByRole('complementary', { name: 'Record' })
  const assignee = panel.getByRole('combobox', { name: `Assignee of ${name}` })
  await panel.getByRole('button', { name: 'Edit assignee' }).click()
  await assignee.click()
  await expect(assignee).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  await expect(assignee).toHaveAttribute('aria-expanded', 'false')
  await expect(assignee).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(assignee).toBeHidden()
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
})
