import type { Locator } from '@playwright/test'
import type { Business } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, openSection, signIn, unique } from './steps.ts'

test('an error of a tag stays at the tags until it is corrected', async ({ page }) => {
  await signIn(page, '/prospects/new')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(unique('With a long tag'))
  const tags = page.getByRole('combobox', { name: 'Tags' })
  await tags.fill('short')
  await tags.press('Enter')
  await tags.fill('a'.repeat(60))
  await tags.press('Enter')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(tags).toHaveAttribute('aria-invalid', 'true')
  await expect(tags).toBeFocused()
  await tags.press('Backspace')
  await expect(tags).not.toHaveAttribute('aria-invalid', 'true')
})

test('a name pasted with a trailing tab is trimmed, and its duplicate is shown but can be saved', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const name = unique('Copied Cell')
  await createBusiness(page, { name })
  const field = page.getByRole('textbox', { name: 'Registered name' })
  const paste = async (into: Locator, pasted: string) => {
    await into.focus()
    await into.evaluate((input, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, pasted)
  }
  await paste(page.getByRole('combobox', { name: 'Tags' }), 'walk-in\tVIP\r\n')
  await expect(page.getByText('walk-in', { exact: true })).toBeVisible()
  await expect(page.getByText('VIP', { exact: true })).toBeVisible()
  await paste(field, `${name}\t\r\n`)
  await expect(field).toHaveValue(name)
  await expect(page.getByRole('link', { name })).toBeVisible()
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('the country of the tenant is preset for a phone and sent with it; another or none can be chosen', async ({
  page,
}) => {
  await signIn(page, '/prospects/new')
  const country = (phone: number) => page.getByRole('combobox', { name: `Country of phone ${phone}` })
  const number = (phone: number) => page.getByRole('textbox', { name: `Phone ${phone}`, exact: true })
  await page.getByRole('textbox', { name: 'Registered name' }).fill(unique('Of many countries'))
  await expect(country(1)).toHaveValue('South Africa +27')
  await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('021 555 0101')

  await page.getByRole('button', { name: 'Add phone' }).click()
  await number(2).fill('(847) 488-9988')
  // Searched by code, because every name in the list contains these letters.
  await country(2).click()
  await country(2).fill('us')
  await page.keyboard.press('Enter')
  await expect(country(2)).toHaveValue('United States +1')

  await page.getByRole('button', { name: 'Add phone' }).click()
  await expect(country(3)).toHaveValue('South Africa +27')
  await number(3).fill('021 555 0102')
  await page.getByRole('button', { name: /^Clear “Country of phone 3/ }).click()
  await expect(country(3)).toHaveValue('')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Of many countries/ })).toBeVisible()
  const id = page.url().split('/').at(-1)?.split('?')[0]
  const { phones }: Business = await (await page.request.get(`/api/v1/businesses/${id}`)).json()
  expect(phones.map(({ region, normalized }) => [region, normalized])).toEqual([
    ['ZA', '+27215550101'],
    ['US', '+18474889988'],
    [null, null],
  ])

  // A number without a country stays so when something else is edited.
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: /^Of many countries/ })).toBeVisible()
  await page.keyboard.press('e')
  await expect(country(3)).toHaveValue('')
})

test('a contradictory place is marked in the list and explained in the record, in both themes and on a phone', async ({
  page,
}) => {
  const doubt = 'Durban is in KwaZulu-Natal, the record says Western Cape'
  await signIn(page, '/prospects/new')
  const name = unique('Elsewhere')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  await page.getByLabel('City').fill('Durban')
  await page.getByRole('combobox', { name: 'Province' }).fill('Western Cape')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText(`${doubt}.`)).toBeVisible()
  await expectAccessible(page)
  await page.goto('/prospects')
  const row = page.getByRole('row', { name })
  await expect(row.getByTitle(doubt)).toBeVisible()
  await expect(row).toContainText(`Uncertain place: ${doubt}`)
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByTitle(doubt).first()).toBeVisible()
  await expectAccessible(page)
})

test('a draft survives a reload and can be discarded', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const name = unique('Half done')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  await page.getByLabel('City').fill('Upington')
  // The tag is not ended with Enter yet.
  await page.getByRole('combobox', { name: 'Tags' }).fill('walk-in')
  await page.reload()
  await expect(page.getByText('Restored your unsaved draft')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(name)
  await expect(page.getByLabel('City')).toHaveValue('Upington')
  await expect(page.getByText('walk-in', { exact: true })).toBeVisible()
  // The hint is read out with the focused field, because screen readers do not announce content that exists from the start.
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveAccessibleDescription(/^Unsaved draft/)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue('')
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveAccessibleDescription('')
  await page.reload()
  await expect(page.getByRole('heading', { name: 'New prospect' })).toBeVisible()
  await expect(page.getByText('Restored your unsaved draft')).toBeHidden()
})

test('several prospects are entered one after another by keyboard', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const [one, two] = [unique('First of two'), unique('Second of two')]
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toBeFocused()
  await page.keyboard.type(one)
  await page.keyboard.press('Control+Shift+Enter')
  await expect(page.getByText(`${one} created`)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue('')
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toBeFocused()
  await page.keyboard.type(two)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: two })).toBeVisible()
  await page.goto('/prospects')
  for (const name of [one, two]) await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('two tabs with the same form keep their own text', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const other = await page.context().newPage()
  await other.goto('/prospects/new')
  const [mine, theirs] = [unique('First tab'), unique('Second tab')]
  await page.getByRole('textbox', { name: 'Registered name' }).fill(mine)
  await other.getByRole('textbox', { name: 'Registered name' }).fill(theirs)
  await page.reload()
  await expect(page.getByText('Restored your unsaved draft')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(mine)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name: mine })).toBeVisible()
  // The draft of a closed tab is restored in the next one.
  await other.close()
  await page.goto('/prospects/new')
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(theirs)
  await page.getByRole('button', { name: 'Discard draft' }).click()
})

test('a save whose response was lost is retried and creates one record', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const name = unique('Lost answer')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  let isLost = true
  await page.route('**/api/v1/businesses', async (route) => {
    if (route.request().method() !== 'POST' || !isLost) return route.continue()
    isLost = false
    await route.fetch()
    await route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'May not be saved' })).toContainText(
    'Your text is still here.',
  )
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  const found = await page.request.get('/api/v1/businesses', { params: { q: name } })
  expect((await found.json()).items).toHaveLength(1)
})

test('a form that was left while saving is not restored as unsaved', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Left while saving') })
  await page.goto(`/prospects/${id}?tab=notes`)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/v1/businesses/*/notes', async (route) => {
    if (route.request().method() !== 'GET') await held.promise
    await route.continue()
  })
  await page.getByLabel('New note').fill('They close at noon')
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/notes'))
  await page.keyboard.press('Control+Enter')
  await sent
  await openSection(page, 'Activity')
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByLabel('New note')).toHaveValue('They close at noon')
  held.resolve()
  await expect(page.getByText('Note added.')).toBeVisible()
  await expect(page.getByLabel('New note')).toHaveValue('')
  await expect(page.getByLabel('New note')).toHaveAccessibleDescription('')
  await page.reload()
  await expect(page.getByText('They close at noon')).toBeVisible()
  await expect(page.getByLabel('New note')).toHaveValue('')
})

test('possible duplicates are a hint while typing, never a block', async ({ page }) => {
  await signIn(page)
  const first = unique('First')
  const email = `office-${Date.now()}@duplicate.example`
  const { id } = await createBusiness(page, { name: first, emails: [{ value: email }] })
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'Asked on the phone' })

  await page.goto('/prospects/new')
  const second = unique('Second')
  const hint = page.getByRole('region', { name: /possible duplicates?$/ })
  await page.getByRole('textbox', { name: 'Registered name' }).fill(first.toUpperCase())
  await expect(hint).toContainText('Same name')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(second)
  await expect(hint).toBeHidden()
  await page.getByLabel('Email', { exact: true }).fill(email.toUpperCase())
  await expect(hint.getByRole('link', { name: first })).toBeVisible()
  await expect(hint).toContainText('Do not contact')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(page.getByRole('heading', { level: 1, name: second })).toBeVisible()
})

test('a stale edit shows both versions, keeps what does not conflict, and lets the user choose', async ({ page }) => {
  await signIn(page)
  const name = unique('Stale')
  const business = await createBusiness(page, { name, industry: 'Energy', tags: ['old'] })
  await page.goto(`/prospects/${business.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Industry').fill('Solar energy')
  await page.getByLabel('City').fill('Beaufort West')

  await call<Business>(
    page,
    'PATCH',
    `/businesses/${business.id}`,
    { industry: 'Renewables', tradingName: 'Theirs' },
    { 'if-match': `"${business.version}"` },
  )
  await call(page, 'POST', `/businesses/${business.id}/pipeline-transitions`, { to: 'contacted' })
  await page.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByRole('heading', { name: 'This record changed while you were editing' })).toBeFocused()
  await expect(page.getByText('Pipeline: New became Contacted by you, in another tab or device')).toBeVisible()
  const industry = page.getByRole('radiogroup', { name: 'Industry' })
  await expect(page.getByText('When you started: Energy')).toBeVisible()
  await expect(industry.getByRole('radio', { name: 'Saved by you, in another tab or device Renewables' })).toBeVisible()
  await expect(page.getByText('Trading name: blank became Theirs')).toBeVisible()
  await expect(page.getByText('City: blank became Beaufort West')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save this version' })).toBeDisabled()
  await expectAccessible(page)

  await industry.getByRole('radio', { name: 'Yours Solar energy' }).click()
  await page.getByRole('button', { name: 'Save this version' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toContainText('Solar energy')
  const saved: Business = await (await page.request.get(`/api/v1/businesses/${business.id}`)).json()
  expect(saved).toMatchObject({
    version: business.version + 3,
    industry: 'Solar energy',
    tradingName: 'Theirs',
    address: { city: 'Beaufort West' },
  })
})

test('a late response does not navigate away from the page that the user opened meanwhile', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const [name, other] = [unique('Saved late'), unique('Looked at meanwhile')]
  const { id } = await createBusiness(page, { name: other })
  let held = Promise.withResolvers<void>()
  await page.route('**/api/v1/businesses{,/*}', async (route) => {
    if (route.request().method() !== 'GET') await held.promise
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  held.resolve()
  await expect(page.getByText(`${name} created`)).toBeVisible()
  await expect(page).toHaveURL(/\/jobs$/)

  held = Promise.withResolvers<void>()
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await page.getByRole('row', { name }).getByRole('link').click()
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible()
  await page.keyboard.press('e')
  await page.getByLabel('Industry').fill('Late trade')
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Control+k')
  await page.keyboard.type(other)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(id))
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByLabel('New note')).toBeVisible()
  held.resolve()
  await expect(page.getByText(`${name} saved`)).toBeVisible()
  await expect(page.getByLabel('New note')).toBeVisible()

  // A rejected save is shown on the current page.
  await page.route('**/api/v1/businesses/*/notes', (route) =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/notes'))
  await page.getByLabel('New note').fill('Kept where it was written')
  held = Promise.withResolvers<void>()
  await page.route('**/api/v1/businesses/*/notes', async (route) => {
    if (route.request().method() !== 'GET') await held.promise
    await route.fallback()
  })
  await page.keyboard.press('Control+Enter')
  await sent
  await openSection(page, 'Activity')
  await expect(page.getByLabel('New note')).toBeHidden()
  held.resolve()
  await expect(page.getByRole('alert').filter({ hasText: `May not be saved: a note of ${other}` })).toBeVisible()
  await page.getByRole('tab', { name: 'Notes' }).click()
  await expect(page.getByLabel('New note')).toHaveValue('Kept where it was written')
})

test('a label without a value is reported instead of being dropped silently', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Labelled') })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Label of email 1' }).fill('owner, ask first')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Enter a value for this label, or clear the label.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Email', exact: true })).toBeFocused()
  await page.keyboard.type('desk@labelled.example')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('owner, ask first')).toBeVisible()
})

test('several numbers in one input can be split into rows with the same label and country', async ({ page }) => {
  await signIn(page, '/prospects/new')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(unique('Two lines'))
  await page.getByRole('textbox', { name: 'Phone', exact: true }).fill('082 555 0199 / 011 555 0123')
  await page.getByRole('textbox', { name: 'Label of phone 1' }).fill('office')
  await page.getByRole('combobox', { name: 'Country of phone 1' }).click()
  await page.getByRole('option', { name: 'South Africa' }).click()
  await expect(page.getByText('These look like 2 numbers.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Split into 2 rows' }).click()
  await expect(page.getByRole('textbox', { name: 'Phone 2', exact: true })).toBeFocused()
  await expect(page.getByText('These look like')).toBeHidden()
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('a@x.co.za; the owner')
  await expect(page.getByText('These look like')).toBeHidden()
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^Two lines/ })).toBeVisible()
  const id = page.url().split('/').at(-1)?.split('?')[0]
  const { phones }: Business = await (await page.request.get(`/api/v1/businesses/${id}`)).json()
  expect(phones).toMatchObject([
    { value: '082 555 0199', label: 'office', region: 'ZA', normalized: '+27825550199' },
    { value: '011 555 0123', label: 'office', region: 'ZA', normalized: '+27115550123' },
  ])
})

test('evidence accepts a day without a time, and shows no time anywhere', async ({ page }) => {
  await signIn(page)
  const { id, name } = await createBusiness(page, { name: unique('By letter') })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: /^No evidence yet: add it for registered name/ }).click()
  const form = page.getByRole('form', { name: 'Add evidence' })
  await expect(form.getByRole('textbox', { name: 'Value in the source' })).toHaveValue(name)
  await form.getByRole('textbox', { name: 'Source', exact: true }).fill('Their letter')
  await form.getByRole('textbox', { name: 'Observed' }).fill('2026-11-32')
  await form.getByRole('textbox', { name: 'Captured' }).fill('2020-03-05')
  await page.keyboard.press('Control+Enter')
  await expect(form.getByText('This date does not exist.')).toBeVisible()
  await form.getByRole('textbox', { name: 'Observed' }).fill('2020-03-06')
  await page.keyboard.press('Control+Enter')
  const observed = form.getByRole('textbox', { name: 'Observed' })
  await expect(observed).toHaveAccessibleDescription(/cannot be later than its capture/)
  await expect(observed).toBeFocused()
  await observed.fill('2020-03-04')
  await expect(observed).not.toHaveAccessibleDescription(/cannot have been observed after/)
  await page.keyboard.press('Control+Enter')
  const entry = page.getByRole('listitem').filter({ hasText: 'Their letter' })
  await expect(entry).toContainText(/observed 04 Mar 2020\s*captured 05 Mar 2020\s*added by/)
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: /evidence for registered name/ }).click()
  await expect(page.getByText(/observed 04 Mar 2020/)).toBeVisible()
})

test('a prospect whose response was lost is shown in the form with a link, before an edited retry could create it twice', async ({
  page,
}) => {
  await signIn(page, '/prospects/new')
  const name = unique('Lost answer')
  await page.route('**/api/v1/businesses', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  const looked = page.waitForResponse('**/duplicate-checks')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  await looked
  await page.keyboard.press('Control+Enter')
  const told = page.getByRole('alert').filter({ hasText: 'May not be saved' })
  await expect(told).toBeVisible()
  await expect(page.getByRole('complementary', { name: 'Possible duplicates' })).toContainText(name)
  await expect(told.getByRole('link', { name: `Look for “${name}”` })).toHaveAttribute('target', '_blank')
  await page.unroute('**/api/v1/businesses')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('Cancel discards an edit: the form opens with the stored values, and Undo restores the typed ones', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Legal name')
  const { id } = await createBusiness(page, { name, industry: 'Bakery' })
  const field = page.getByRole('textbox', { name: 'Registered name' })
  const industry = page.getByLabel('Industry')
  const discarded = page.getByRole('alert').filter({ hasText: 'Discarded.' })
  const undo = discarded.getByRole('button', { name: 'Undo' })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await field.fill('Typed by mistake')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(discarded).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('e')
  await expect(field).toHaveValue(name)
  await expect(page.getByText('Restored your unsaved draft')).toBeHidden()

  // Undo restores the text in the open form.
  await undo.click()
  await expect(field).toHaveValue('Typed by mistake')
  await expect(page.getByText('Restored your unsaved draft')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  // Undo works from another page.
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  await undo.click()
  await expect(field).toHaveValue('Typed by mistake')
  await page.getByRole('button', { name: 'Cancel' }).click()

  // Typing withdraws Undo, which would overwrite the new text.
  await page.keyboard.press('e')
  await industry.fill('Confectionery')
  await expect(discarded).toBeHidden()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toContainText('Confectionery')
  const saved: Business = await (await page.request.get(`/api/v1/businesses/${id}`)).json()
  expect(saved).toMatchObject({ name, industry: 'Confectionery' })

  // Undo is not offered if nothing was changed.
  await page.keyboard.press('e')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await expect(discarded).toBeHidden()
})

test('Cancel discards a new prospect and Undo opens it again; Back keeps it as a draft', async ({ page }) => {
  await signIn(page, '/prospects')
  const name = unique('Not yet')
  const field = page.getByRole('textbox', { name: 'Registered name' })
  await page.getByRole('link', { name: 'New prospect' }).first().click()
  await field.fill(name)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
  await page.getByRole('link', { name: 'New prospect' }).first().click()
  await expect(field).toHaveValue(name)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
  await page.getByRole('alert').filter({ hasText: 'Discarded.' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'New prospect' })).toBeVisible()
  await expect(field).toHaveValue(name)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto('/prospects/new')
  await expect(field).toHaveValue('')
})

test('Enter in the fields of a new prospect moves to the next field or opens a list, and creates nothing', async ({
  page,
}) => {
  await signIn(page, '/prospects/new')
  let created = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/businesses')) created += 1
  })
  const name = unique('By Enter')
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  for (const next of ['Trading name', 'Registration number', 'Industry', 'Employees']) {
    await page.keyboard.press('Enter')
    await expect(page.getByLabel(next)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /^E-?mail$/ })).toBeFocused()
  await page.getByLabel('City').focus()
  await page.keyboard.press('Enter')
  const province = page.getByRole('combobox', { name: 'Province' })
  await expect(province).toBeFocused()
  await page.keyboard.type('Gau')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(province).toHaveValue('Gauteng')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Postal code')).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  const assignee = page.getByRole('combobox', { name: 'Assignee' })
  await expect(assignee).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(assignee).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('Escape')
  const tags = page.getByRole('combobox', { name: 'Tags' })
  await tags.fill('walk-in')
  await tags.press('Enter')
  await expect(page.getByText('walk-in', { exact: true })).toBeVisible()
  await expect(tags).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Create prospect' })).toBeFocused()
  expect(created).toBe(0)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  expect(created).toBe(1)
})

test('shows a sentence under an invalid contact value on blur and saves the value as entered', async ({ page }) => {
  await signIn(page, '/prospects/new')
  const email = page.getByRole('textbox', { name: /^E-?mail$/ })
  const phone = page.getByRole('textbox', { name: 'Phone', exact: true })
  const domain = page.getByRole('textbox', { name: 'Web domain', exact: true })
  const typed = [
    [email, '555 0199', 'email address'],
    [phone, '12', 'phone number'],
    [domain, 'not a domain', 'web domain'],
  ] as const
  await page.getByRole('textbox', { name: 'Registered name' }).fill(unique('As entered'))
  for (const [field, value, kind] of typed) {
    const sentence = `Not a valid ${kind}. It will be saved as entered.`
    const told = page.getByRole('status').filter({ hasText: sentence })
    await field.fill(value)
    await expect(told).toHaveCount(0)
    await page.keyboard.press('Tab')
    await expect(told).toBeVisible()
    await expect(field).toHaveAccessibleDescription(sentence)
    // A hint, not an error.
    await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  }
  await expectAccessible(page)
  await email.fill('owner@karoo.example')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Not a valid email address.')).toBeHidden()
  await email.fill('555 0199')
  // A local number without a country is not invalid.
  const read = page.waitForResponse((answer) => (answer.request().postData() ?? '').includes('"021 555 0101"'))
  await phone.fill('021 555 0101')
  await page.keyboard.press('Tab')
  await read
  await expect(page.getByText('Not a valid phone number.')).toBeHidden()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: /^As entered/ })).toBeVisible()
  const id = page.url().split('/').at(-1)?.split('?')[0]
  const saved: Business = await (await page.request.get(`/api/v1/businesses/${id}`)).json()
  expect([saved.emails[0]?.value, saved.domains[0]?.value]).toEqual(['555 0199', 'not a domain'])
})

test('at most ten Tabs lead from the name to the city of a new prospect; labels and buttons are added when needed', async ({
  page,
}) => {
  await signIn(page, '/prospects/new')
  const country = page.getByRole('combobox', { name: 'Country of phone 1' })
  await country.click()
  await page.getByRole('option', { name: 'South Africa' }).click()
  await page.reload()
  await expect(country).toHaveValue(/South Africa/)
  const city = page.getByLabel('City')
  await page.getByRole('textbox', { name: 'Registered name' }).focus()
  let tabs = 0
  while (tabs < 20 && !(await city.evaluate((input) => input === document.activeElement))) {
    await page.keyboard.press('Tab')
    tabs += 1
  }
  expect(tabs).toBeLessThanOrEqual(10)

  const phone = page.getByRole('textbox', { name: 'Phone', exact: true })
  await phone.fill('021 555 0101')
  const reached: string[] = []
  while (reached.length < 5) {
    await page.keyboard.press('Tab')
    reached.push(
      await page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? ''),
    )
  }
  expect(reached).toEqual([
    'Country of phone 1',
    'Clear “Country of phone 1”',
    'Label of phone 1',
    'Add phone',
    'Web domain',
  ])
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Phone 2', exact: true })).toBeFocused()
  // Rows can be removed by keyboard once there are two.
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Remove phone 2' })).toBeFocused()
  await expectAccessible(page)
})
