import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('an unknown address shows not found beside the sidebar', async ({ page }) => {
  await signIn(page, '/nowhere')
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Drafts' })).toBeVisible()
})

test('filter addresses are readable, and Back undoes “Clear”', async ({ page }) => {
  await signIn(page)
  const name = unique('Cleared')
  await createBusiness(page, { name })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('menuitem', { name: 'Do not contact' }).click()
  await page.getByRole('option', { name: 'Not marked' }).click()
  await expect(page).toHaveURL(/[?&]doNotContact=false$/)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page).toHaveURL(/\/prospects$/)
  await page.goBack()
  await expect(page).toHaveURL(/[?&]doNotContact=false$/)
  await expect(page.getByRole('button', { name: 'Do not contact: not marked do not contact' })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Search prospects' })).toHaveValue(name)

  // Tests share a store, so another test may have created a matching record.
  const nothing = { items: [], page: { limit: 50, returned: 0, nextCursor: null, total: null } }
  await page.route(
    /\/api\/v1\/(?:audit-events|jobs|suppressions|match-suggestions|merges|security-events)\?/,
    (route) => route.fulfill({ json: nothing }),
  )
  for (const address of [
    '/audit?action=note.nothing',
    '/jobs?status=cancelled',
    '/suppression?status=past_term',
    '/duplicates?q=nobodyiscalledlikethis',
    '/duplicates/merges?status=reversed',
    '/settings/security-events?action=nothing',
  ]) {
    await page.goto(address)
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect(page).not.toHaveURL(/\?/)
    await page.goBack()
    await expect(page).toHaveURL(new RegExp(`${address.replace('?', '\\?')}$`))
  }
})

test('numbers of audit events have separators', async ({ page }) => {
  await signIn(page)
  await createBusiness(page, { name: unique('Numbered') })
  await page.route('**/api/v1/audit-events?*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    for (const event of body.items) event.sequence += 1_000_000
    await route.fulfill({ response: answer, json: body })
  })
  await page.goto('/audit')
  await expect(page.getByRole('row').nth(1)).toContainText(/1\s000\s\d{3}/)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page.getByRole('dialog')).toContainText(/1\s000\s\d{3}/)
})

test('a look-up without a result states that it is not an all-clear', async ({ page }) => {
  await signIn(page)
  const host = `part${Date.now()}.co.za`
  const entry = { kind: 'email', value: `jan@${host}`, reason: 'Asked', channel: 'email' }
  await call(page, 'POST', '/suppressions', entry)
  await page.goto('/suppression')
  const field = page.getByRole('searchbox', { name: 'Look up' })
  await expect(field).toHaveAccessibleDescription(/Enter a whole value/)
  await field.fill(`jan@${host.slice(0, 8)}`)
  await page.keyboard.press('Enter')
  const main = page.getByRole('main')
  await expect(main).toContainText(`No entry found for “jan@${host.slice(0, 8)}”`)
  await expect(main.getByText('This does not mean that you may contact them.', { exact: true })).toBeVisible()
  await expect(
    main.getByRole('status').filter({ hasText: 'This does not mean that you may contact them.' }),
  ).toHaveCount(1)
  await expect(main.getByRole('link', { name: 'search the prospects' })).toBeVisible()
  await expectAccessible(page)
  await field.fill(`JAN+news@${host}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: `jan@${host}` })).toBeVisible()
})

test('filters offer only enabled states, and a switch confirms that it is saved', async ({ page }) => {
  await signIn(page, '/prospects')
  const states = async () => {
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('menuitem', { name: 'Pipeline state' }).click()
    await expect(page.getByRole('option', { name: 'Won' })).toBeVisible()
    const names = await page.getByRole('option').allTextContents()
    await page.keyboard.press('Escape')
    return names
  }
  expect(await states()).toContain('Paused')
  await page.goto('/settings')
  await expect(page.getByText('Changes are saved immediately.')).toBeVisible()
  await page.getByRole('switch', { name: 'Use “Paused”' }).uncheck()
  await expect(page.getByRole('alert').filter({ hasText: 'Saved: “Paused” is off.' })).toBeVisible()
  await page.goto('/prospects')
  expect(await states()).not.toContain('Paused')
  await page.goto('/settings')
  await page.getByRole('switch', { name: 'Use “Paused”' }).check()
  await expect(page.getByRole('alert').filter({ hasText: 'Saved: “Paused” is on.' })).toBeVisible()
})
