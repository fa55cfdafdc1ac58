import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('keys typed right after opening the palette run nothing on the page below', async ({ page }) => {
  // The code of the palette loads only after the letters were typed.
  const typed = Promise.withResolvers<void>()
  await page.route('**/assets/palette-*.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('nnn?')
  typed.resolve()
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toBeFocused()
  await expect(page).toHaveURL(/\/prospects$/)
  await expect(page.getByRole('dialog')).toHaveCount(1)
  // The text is in the input of the palette instead.
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toHaveValue('nnn?')
})

test('Enter in the palette opens the match of fast typing', async ({ page }) => {
  await signIn(page, '/prospects')
  const name = unique('Quick Hands')
  const { id } = await createBusiness(page, { name })
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/prospects/${id}$`))
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('jobs')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/jobs$/)
})

test('a tab of a room that is opened by Enter keeps the focus while the page below it changes', async ({ page }) => {
  await signIn(page, '/websites')
  const tabs = page.getByRole('navigation', { name: 'Websites' })
  const policy = tabs.getByRole('link', { name: 'Scan policy' })
  await policy.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Scan policy' })).toBeVisible()
  await expect(policy).toHaveAttribute('aria-current', 'page')
  await expect(policy).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Websites' })).toBeVisible()
  await expect(tabs.getByRole('link', { name: 'Scans' })).toBeFocused()
})

test('the Enter that ends a composition opens nothing from the palette, also in the event order of Safari', async ({
  page,
}) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search prospects and commands' })
  await field.fill('jobs')
  await expect(page.getByRole('option', { name: 'Jobs' }).first()).toBeVisible()
  await field.evaluate((element) =>
    element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }),
    ),
  )
  await field.press('s')
  await expect(field).toHaveValue('jobss')
  await expect(page).toHaveURL(/\/prospects/)
})

test('text typed into the password over the open palette stays there and is not searched', async ({ page }) => {
  const searched: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/api/v1/businesses') searched.push(url.searchParams.get('q') ?? '')
  })
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('karo')
  await expect(page.locator('[data-palette-field]')).toHaveValue('karo')
  // One more letter, then no input until the form is open: the form takes the focus whenever it opens.
  await page.context().clearCookies()
  await page.keyboard.type('o')
  const password = page.getByRole('dialog', { name: 'Your session has ended' }).getByLabel('Password', { exact: true })
  await password.click()
  await expect(password).toBeFocused()
  await page.keyboard.type('not for anybody')
  await expect(password).toHaveValue('not for anybody')
  await expect(page.locator('[data-palette-field]')).toHaveValue('karoo')
  expect(searched.filter((text) => text.includes('not'))).toEqual([])
})

test('the palette shows the shortcut of a command, also while text is typed', async ({ page }) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  const jobs = page.getByRole('option', { name: /^Jobs/ })
  await expect(jobs.locator('kbd')).toHaveText(['G', 'J'])
  await page.keyboard.type('jobs')
  await expect(jobs.locator('kbd')).toHaveText(['G', 'J'])
})

test('by keyboard alone: search, list, record, note, edit, and back to the list', async ({ page }) => {
  await signIn(page)
  const name = unique('Keyboard Kitchens')
  await createBusiness(page, { name: `${name} A` })
  await createBusiness(page, { name: `${name} B` })
  await page.goto('/prospects')

  await expect(page.getByRole('row', { name: `${name} B` })).toBeVisible()

  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\?q=/)
  await expect(page.getByText('2 match')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('Enter')
  const record = page.getByRole('article', { name: `${name} B` })
  await expect(record).toBeVisible()
  await expect(page).toHaveURL(/\/prospects\/[0-9a-f-]{36}\?q=/)

  await page.keyboard.press('n')
  await expect(page.getByLabel('New note')).toBeFocused()
  await page.keyboard.type('e and n are letters here')
  await page.keyboard.press('Control+Enter')
  // Announced, because the focus stays in the field for the next note.
  await expect(page.getByRole('alert').filter({ hasText: 'Note added.' })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Notes, newest first' })).toContainText('e and n are letters here')
  await expectAccessible(page)

  // Escape blurs the field and keeps its text.
  await page.keyboard.type('half a note')
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('New note')).not.toBeFocused()
  await expect(page.getByLabel('New note')).toHaveValue('half a note')
  await expect(record).toBeVisible()
  await page.keyboard.press('e')
  await expect(record.getByRole('form', { name: `Edit ${name} B` })).toBeVisible()
  await page.getByLabel('Trading name').fill('Kitchens')
  await page.keyboard.press('Control+Enter')
  await expect(record.getByRole('tabpanel', { name: 'Overview' })).toContainText('Kitchens')
  await expect(record).toBeFocused()

  // The next record starts at its top, wherever the previous one was scrolled to.
  const panel = page.getByRole('complementary', { name: 'Record' })
  await panel.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await page.keyboard.press('j')
  await expect(page.getByRole('article', { name: `${name} A` })).toBeVisible()
  await expect.poll(() => panel.evaluate((element) => element.scrollTop)).toBe(0)
  await page.keyboard.press('k')
  await expect(record).toBeVisible()

  await page.keyboard.press('Escape')
  await expect(record).toBeHidden()
  await expect(page.getByRole('row', { name })).toHaveCount(2)

  // The list keeps its position, also after the record was opened as a page.
  const row = page.getByRole('link', { name: `${name} B` })
  await expect(row).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Open as a page' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Prospects' }).click()
  await expect(row).toBeFocused()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Open prospect')
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search prospects and commands' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row).toBeFocused()
})

test('a slow record is announced by its name, and a switch keeps the focus while it saves', async ({ page }) => {
  await signIn(page)
  const name = unique('Slow')
  const { id } = await createBusiness(page, { name, tags: [name] })
  await page.goto(`/prospects?tag=${encodeURIComponent(name)}`)
  const answer = Promise.withResolvers<void>()
  await page.route(`**/api/v1/businesses/${id}`, async (route) => {
    await answer.promise
    await route.continue()
  })
  await page.clock.install()
  await page.getByRole('link', { name }).click()
  await page.clock.runFor(1_000)
  await expect(page.getByRole('status').filter({ hasText: /^Prospect Platform$/ })).toHaveCount(0)
  answer.resolve()
  await expect(page.getByRole('article', { name })).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(page.getByRole('status').filter({ hasText: `${name} · Prospect Platform` })).toHaveCount(1)

  await page.goto('/settings')
  const paused = page.getByRole('switch', { name: /Paused/ })
  await paused.focus()
  for (let times = 0; times < 2; times += 1) {
    const saved = page.waitForResponse(/\/api\/v1\/pipeline$/)
    await page.keyboard.press('Space')
    await saved
    await expect(paused).toBeFocused()
    await page.clock.runFor(1_000)
  }
})

/** True if nothing hides the focused element entirely (WCAG 2.4.11): its middle or one of its ends is visible. */
const isFocusSeen = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement
    const { left, right, y, height } = focused?.getBoundingClientRect() ?? new DOMRect()
    return [left + 3, (left + right) / 2, right - 3].some((x) =>
      focused?.contains(document.elementFromPoint(x, y + height / 2)),
    )
  })

test('focused elements are scrolled out from under pinned columns and the tabs of a record', async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 600 })
  await signIn(page)
  const { id, name } = await createBusiness(page, {
    name: unique('Not under'),
    tradingName: 'Under',
    industry: 'Bakeries',
    emails: Array.from({ length: 9 }, (_, index) => ({ value: `under${index}@under.example.com` })),
  })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  const heads = page.getByRole('columnheader').getByRole('button')
  await heads.last().focus()
  for (let steps = await heads.count(); steps > 1; steps -= 1) {
    await page.keyboard.press('Shift+Tab')
    expect(await isFocusSeen(page)).toBe(true)
  }
  // The pinned column is visible at every scroll position.
  const scroller = page.locator('div:has(> table)')
  await scroller.evaluate((element) => element.scrollTo({ left: 200 }))
  await page.getByRole('link', { name }).focus()
  expect(await scroller.evaluate((element) => element.scrollLeft)).toBe(200)

  await page.setViewportSize({ width: 900, height: 400 })
  await page.goto(`/prospects/${id}`)
  const facts = page.getByRole('tabpanel').getByRole('button')
  await expect(facts).toHaveCount(46)
  await facts.last().focus()
  for (let steps = await facts.count(); steps > 1; steps -= 1) {
    await page.keyboard.press('Shift+Tab')
    expect(await isFocusSeen(page)).toBe(true)
  }
})

test('single-key shortcuts are switched off in the profile and can be switched on again', async ({ page }) => {
  await signIn(page, '/profile')
  const keys = page.getByRole('switch', { name: 'Single-key shortcuts' })
  await keys.uncheck()
  await expectAccessible(page)
  await page.reload()
  await expect(keys).not.toBeChecked()
  await page.getByRole('heading', { level: 1 }).click()
  for (const key of ['c', 'g', 'p', '?', '/']) await page.keyboard.press(key)
  await page.keyboard.press('Control+k')
  await expect(page).toHaveURL(/\/profile$/)
  // Other shortcuts still work, and the palette shows no switched-off key.
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await page.keyboard.type('shortcuts')
  await expect(palette.getByRole('option', { name: 'Turn single-key shortcuts on' })).toBeVisible()
  await expect(palette.locator('kbd')).toHaveCount(0)
  await palette.getByRole('option', { name: 'Shortcuts', exact: true }).click()
  const list = page.getByRole('dialog', { name: 'Shortcuts' })
  const accent = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'))
    probe.style.color = 'var(--pp-accent-text)'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })
  await expect(list.getByRole('link', { name: 'profile' })).toHaveCSS('color', accent)
  await expect(list).toContainText('Single-key shortcuts are off. Turn them on in your profile.')
  await expect(list.locator('kbd').filter({ hasText: /^.$/ })).toHaveCount(0)
  await expect(list.locator('kbd').filter({ hasText: 'Ctrl K' })).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await keys.check()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/prospects\/new$/)
})

test('the first move of the menu gets the focus, also when the moves load after the menu opened', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Moves later') })
  const opened = Promise.withResolvers<void>()
  await page.route('**/api/v1/pipeline', async (route) => {
    await opened.promise
    await route.continue()
  })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'Move', exact: true }).press('Enter')
  await expect(page.getByRole('menu')).toBeFocused()
  opened.resolve()
  await expect(page.getByRole('menuitem', { name: 'Move to Contacted' })).toBeFocused()
})

test('correcting evidence without a field by keyboard moves the focus to the form', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Seen and corrected') })
  await call(page, 'POST', `/businesses/${id}/evidence`, {
    observation: 'A new sign over the door',
    sourceLabel: 'visit',
    capturedAt: '2026-11-20T10:00:00Z',
    confidence: 'high',
  })
  await page.goto(`/prospects/${id}?tab=evidence`)
  await page.getByRole('button', { name: 'Correct this' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Observation' })).toBeFocused()
})

test('the columns of a file are mapped one after another by keyboard: the focus stays at the column after each reading', async ({
  page,
}) => {
  await signIn(page, '/sources/csv-preview')
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from('First,Second\nOne,Two\nThree,Four\n') })
  const second = page.getByRole('combobox', { name: 'Type of column 2' })
  await second.focus()
  await page.keyboard.type('city')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Do not read column 2' })).toBeVisible()
  await expect(second).toBeFocused()
  const separator = page.getByRole('combobox', { name: 'Delimiter' })
  await separator.press('ArrowDown')
  await page.getByRole('option', { name: 'Semicolon' }).waitFor()
  const read = page.waitForResponse('**/api/v1/csv-previews**')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await read
  await expect(second).toHaveCount(0)
  await expect(separator).toBeFocused()
})
