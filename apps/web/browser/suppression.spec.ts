import type { Page } from '@playwright/test'
import { createPerson } from './accounts.ts'
import { administrator, expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/** As the server answers when the last proof is more than 15 minutes old: until the person has shown another. */
async function goStale(page: Page) {
  let isFresh = false
  await page.route('**/api/v1/**', async (route) => {
    const request = route.request()
    if (request.url().endsWith('/session/mfa')) {
      const answer = await route.fetch()
      isFresh = answer.ok()
      return route.fulfill({ response: answer })
    }
    if (isFresh || !request.url().endsWith('/removal')) return route.continue()
    await route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      json: { type: 'about:blank', title: '', status: 403, detail: '', code: 'step_up_required', requestId: 'r' },
    })
  })
}

/** As the server answers when the term that the tenant set has ended for every entry; no test waits a month. */
async function endTerms(page: Page) {
  await page.route('**/api/v1/suppressions*', async (route) => {
    if (route.request().method() !== 'GET') return route.continue()
    const answer = await route.fetch()
    const body = await answer.json()
    for (const item of body.items) Object.assign(item, { isPastTerm: true, termEndsOn: '2026-01-31' })
    await route.fulfill({ response: answer, json: body })
  })
}

test('an entry marks its records everywhere, and only a removal with reason and proof frees them, written down', async ({
  page,
}) => {
  // Five pages are looked at by axe, each in both themes.
  test.slow()
  await signIn(page, '/suppression')
  const name = unique('Withdrawn Welding')
  const host = `w${Date.now()}.co.za`
  const { id } = await createBusiness(page, { name, emails: [{ value: `Sales@mail.${host}` }] })
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Suppress', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Domain' }).click()
  await dialog.getByRole('textbox', { name: 'Domain' }).fill('co.za')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The owner asked in writing')
  await page.keyboard.press('Control+Enter')
  await expect(dialog.getByText('would block strangers')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Domain' }).fill(host)
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('1 record is marked')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Suppress', exact: true })).toBeFocused()

  // Everywhere at once: list, board, palette, record.
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name })).toContainText('Do not contact')
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('main').getByText('Do not contact').last()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('dialog').getByRole('option', { name })).toContainText('Do not contact')
  await page.keyboard.press('Escape')
  await page.goto(`/prospects/${id}`)
  const band = page.getByRole('region', { name: 'Do not contact' })
  await expect(band).toContainText(`Held by ${host} and all below it`)
  await expectAccessible(page)

  // Found by another form of it, opened, removed.
  await page.goto('/suppression')
  await page.getByRole('searchbox', { name: 'Look up' }).fill(`https://www.${host}/contact`)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: `${host} and all below it` }).click()
  await expect(page.getByRole('link', { name })).toBeVisible()
  await expectAccessible(page)
  await goStale(page)
  await page.getByRole('button', { name: 'Remove…' }).click()
  const removal = page.getByRole('dialog', { name: /Remove the entry/ })
  await removal.getByRole('button', { name: 'Remove the entry' }).click()
  await expect(removal.getByText('Without a reason nothing is lifted.')).toBeVisible()
  await removal.getByRole('textbox', { name: 'Reason' }).fill('The owner became a client')
  await page.keyboard.press('Control+Enter')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await proof.getByLabel('Your password').fill(administrator.password)
  await page.keyboard.press('Enter')
  const written = page.getByRole('dialog', { name: 'Removed, and written down' })
  await expect(written).toContainText(/In the audit log\s*Number \d+/)
  await expect(written).toContainText('The owner became a client')
  await expectAccessible(page)
  await written.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Removed by', { exact: true })).toBeVisible()
  const history = page.getByRole('main').getByRole('listitem')
  await expect(history.filter({ hasText: 'Added by' })).toBeVisible()
  await expect(history.filter({ hasText: 'The owner became a client' })).toBeVisible()

  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(band).toBeHidden()
  await page.goto('/suppression?status=removed')
  await expect(page.getByRole('row', { name: host })).toContainText('The owner became a client')
})

test('many are pasted, seen line by line before anything is stored, and then stand', async ({ page }) => {
  await signIn(page, '/suppression')
  const host = `p${Date.now()}.co.za`
  const { id, name } = await createBusiness(page, { name: unique('Pasted Plumbing'), emails: [{ value: `a@${host}` }] })
  await page.getByRole('link', { name: 'Paste many' }).click()
  // What is refused as a whole is told by the number of the line, beside the field.
  await page.getByLabel('Lines').fill(`info@${host}\n${'x'.repeat(400)}`)
  await page.getByRole('button', { name: 'Show what would happen' }).click()
  await expect(page.getByText('Line 2: At most 320 characters a line.')).toBeVisible()
  await expect(page.getByLabel('Lines')).toBeFocused()
  await page
    .getByRole('textbox', { name: 'Lines' })
    .fill(`a@${host}\n\nA+x@${host}\ngmail.com\n082 555 ${String(Date.now()).slice(-4)}`)
  await page.getByRole('button', { name: 'Show what would happen' }).click()
  await expect(page.getByRole('row', { name: `a@${host}` }).first()).toContainText('Would be added')
  await expect(page.getByRole('row', { name: `A+x@${host}` })).toContainText('The same as line 1.')
  await expect(page.getByRole('row', { name: 'gmail.com' })).toContainText('Refused')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Suppress 2 lines' }).click()
  await expect(page.getByText('The reason stays with every entry.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('From the registry')
  await page.getByRole('button', { name: 'Suppress 2 lines' }).click()
  await expect(page.getByText('2 entries were added')).toBeVisible()
  await endTerms(page)
  await page.goto('/suppression')
  await expect(page.getByText('Past its term: to be looked at again, still in force').first()).toBeVisible()
  await expectAccessible(page)
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('region', { name: 'Do not contact' })).toContainText(`a@${host}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('a block by hand is lifted by an administrator; an operator cannot, and a viewer sees no addresses', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page)
  const { id } = await createBusiness(page, {
    name: unique('Lifted Logistics'),
    emails: [{ value: 'hidden@lifted.co.za' }],
  })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as do not contact…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Asked on the phone')
  await page.keyboard.press('Control+Enter')
  const band = page.getByRole('region', { name: 'Do not contact' })
  await expect(band).toContainText('Asked on the phone')
  await expect(page.getByRole('button', { name: 'More actions' })).toBeFocused()

  for (const role of ['operator', 'viewer'] as const) {
    const person = await createPerson(browser, baseURL, role)
    const theirs = await browser.newPage({ ...(baseURL === undefined ? {} : { baseURL }) })
    await signIn(theirs, `/prospects/${id}`, person)
    await expect(theirs.getByRole('region', { name: 'Do not contact' })).toBeVisible()
    await expect(theirs.getByRole('button', { name: 'Lift the block…' })).toBeHidden()
    if (role === 'operator') await expect(theirs.getByText('hidden@lifted.co.za').first()).toBeVisible()
    else {
      await expect(theirs.getByText('•••').first()).toBeVisible()
      await expect(theirs.getByText('hidden@lifted.co.za')).toHaveCount(0)
    }
    await theirs.close()
  }

  await band.getByRole('button', { name: 'Lift the block…' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('A mistake of ours')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('dialog', { name: 'Removed, and written down' })).toContainText(
    /In the audit log\s*Number \d+/,
  )
  await page.getByRole('button', { name: 'Done' }).click()
  // The button that lifted it went with the band.
  await expect(page.getByRole('article')).toBeFocused()
  await expect(band).toBeHidden()
})
