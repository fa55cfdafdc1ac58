import { expect, test } from './fixtures.ts'
import {
  call,
  createBusiness,
  expectAccessible,
  openSection,
  sendMove,
  signIn,
  unique,
  untilRefreshed,
} from './steps.ts'

test('do not contact requires a reason and appears beside every name', async ({ page }) => {
  await signIn(page)
  const name = unique('Blocked Bakery')
  const address = `${Date.now()}@bakery.co.za`
  const { id } = await createBusiness(page, { name, emails: [{ value: address }] })
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Only an administrator can lift the block')
  await dialog.getByRole('button', { name: 'Mark as do not contact' }).click()
  await expect(dialog.getByText('Enter a reason.')).toBeVisible()
  await expect(dialog.getByRole('checkbox', { name: address })).toBeChecked()
  await expectAccessible(page)
  await page.keyboard.type('Asked by e-mail to be left alone')
  await page.keyboard.press('Tab')
  await expect(dialog.getByRole('checkbox', { name: address })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()

  const band = page.getByRole('region', { name: 'Do not contact' })
  await expect(band).toContainText('Asked by e-mail to be left alone')
  await expect(band).toContainText('Marked by')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Add evidence' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Mark as do not contact…' })).toBeHidden()
  await page.keyboard.press('Escape')
  await openSection(page, 'Drafts')
  await expect(page.getByText('The prospect is marked do not contact, so nobody can write a draft.')).toBeVisible()
  await page.goto(`/drafts/new?businessId=${id}`)
  await expect(page.getByRole('region', { name: 'Do not contact' })).toContainText('Asked by e-mail')
  await expect(page.getByRole('form', { name: 'Draft' })).toBeHidden()
  await expectAccessible(page)

  // Another prospect with the address is blocked from the start, and its form says so.
  await page.goto('/prospects/new')
  const second = unique('Second Bakery')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(second)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(address.toUpperCase())
  await page.keyboard.press('Tab')
  await expect(page.getByText(/If you save this value, the prospect is marked do not contact/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { name: second })).toBeVisible()
  await expect(band).toContainText(`Blocked by ${address}`)
  await page.goto(`/prospects/${id}`)

  // A move does not lift the block.
  await page.getByRole('button', { name: 'Move to Contacted' }).click()
  await sendMove(page, name)
  await expect(page.getByText('Contacted').first()).toBeVisible()
  await expect(band).toBeVisible()

  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name })).toContainText('Do not contact')
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await expect(page.getByRole('main').getByText('Do not contact').last()).toBeVisible()
  await page.goto(`/audit?subjectId=${id}`)
  await expect(page.getByRole('row', { name }).first()).toContainText('Do not contact')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('dialog').getByRole('option', { name })).toContainText('Do not contact')
})

test('hidden characters never reverse the text around them, and the reason for lifting a block is stored', async ({
  page,
}) => {
  await signIn(page)
  const turned = '\u202Exe.dab\u202C'
  const name = `${unique('Spoofed')} ${turned}`
  const { id } = await createBusiness(page, { name, tags: [`late ${turned}`], phones: [{ value: '1', label: turned }] })
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: `Asked ${turned}` }, { 'idempotency-key': id })
  await page.goto(`/prospects/${id}`)
  const lift = page.getByRole('button', { name: 'Lift block…' })
  // The smallest button still has a sufficient touch target.
  expect((await lift.boundingBox())?.height).toBeGreaterThanOrEqual(24)
  await lift.click()
  const dialog = page.getByRole('dialog', { name: /^Lift block of Spoofed .*\[U\+202E\]xe\.dab\[U\+202C\]\?$/ })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('They called again')
  expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e]/)
  await page.reload()
  await page.getByRole('button', { name: 'Lift block…' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('They called again')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('main').getByText('late U+202Exe.dab')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Tags' })).toBeVisible()
})

test('a block set by a colleague appears on an open page without user input', async ({ page }) => {
  // Without the stream the page reads again at intervals, which the clock of this test controls.
  await page.route('**/changes/stream**', (route) => route.abort())
  await signIn(page)
  const name = unique('Blocked by another')
  const { id } = await createBusiness(page, { name })
  await page.clock.install()
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByText('No notes yet')).toBeVisible()
  await call(page, 'POST', `/businesses/${id}/notes`, { text: 'They rang and asked not to be called' })
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'Told a colleague' })
  // While a change of this page is pending, nothing is refreshed, as the response could show the old state.
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/v1/businesses/*/notes', async (route) => {
    if (route.request().method() !== 'GET') await answer.promise
    await route.continue()
  })
  await page.getByLabel('New note').fill('Mine, on its way')
  await page.keyboard.press('Control+Enter')
  await page.clock.runFor(31_000)
  await expect(page.getByRole('region', { name: 'Do not contact' })).toBeHidden()
  await page.unroute('**/api/v1/businesses/*/notes')
  await page.reload()
  await untilRefreshed(page, (options) =>
    expect(page.getByText('They rang and asked not to be called')).toBeVisible(options),
  )
  await expect(page.getByRole('region', { name: 'Do not contact' })).toContainText('Told a colleague')

  const second = unique('Blocked in a list')
  const { id: secondId } = await createBusiness(page, { name: second })
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(second)}`)
  const card = page.getByRole('listitem').filter({ hasText: second })
  await expect(card).not.toContainText('Do not contact')
  await call(page, 'POST', `/businesses/${secondId}/do-not-contact`, { reason: 'Told a colleague' })
  await untilRefreshed(page, (options) => expect(card).toContainText('Do not contact', options))

  // After a long absence nothing is refreshed, so that the session can expire; the next user input refreshes.
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`, { waitUntil: 'networkidle' })
  const row = page.getByRole('row', { name })
  await expect(row).toContainText('Do not contact')
  let asked = 0
  await page.route('**/api/v1/businesses**', async (route) => {
    asked += 1
    await route.continue()
  })
  // In one step: in smaller steps, pending requests would time out on the way and be repeated.
  await page.clock.fastForward(6 * 60_000)
  await page.waitForTimeout(300)
  expect(asked).toBe(0)
  await page.mouse.move(300, 300)
  await expect.poll(() => asked).toBeGreaterThan(0)
})
