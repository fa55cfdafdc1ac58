import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('filters are part of the address: a shared link shows the same prospects', async ({ page, browser }) => {
  await signIn(page)
  const name = unique('Shared')
  const one = await createBusiness(page, { name: `${name} one`, tags: [name] })
  await createBusiness(page, { name: `${name} two`, tags: [name] })
  await call(page, 'POST', `/businesses/${one.id}/pipeline-transitions`, { to: 'contacted' })

  await page.goto(`/prospects?tag=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name })).toHaveCount(2)
  await page.goto(`/prospects?tag=${encodeURIComponent(name)}&state=contacted`)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
  await expectAccessible(page)

  const shared = page.url()
  const other = await (await browser.newContext()).newPage()
  await signIn(other, shared)
  await expect(other).toHaveURL(/\/prospects\?tag=.*&state=contacted$/)
  await expect(other.getByRole('row', { name: `${name} one` })).toBeVisible()
  await expect(other.getByRole('row', { name })).toHaveCount(1)
  await other.context().close()
})

test('invalid parts of an address are ignored with a notice, and the rest is applied', async ({ page }) => {
  await signIn(page)
  const name = unique('Mistyped')
  await createBusiness(page, { name })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}&updatedFrom=x&state=bogus&sort=evil&other=1`)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
  await expect(page.getByText('could not be read and are ignored: state=bogus and updatedFrom=x')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByText('could not be read and are ignored')).toBeHidden()
  await expect(page).not.toHaveURL(/bogus/)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('a filter without matches says so and can be cleared', async ({ page }) => {
  await signIn(page)
  await createBusiness(page, { name: unique('Somebody') })
  await page.goto('/prospects?q=nobodyiscalledlikethis')
  await expect(page.getByText('No prospects match')).toBeVisible()
  const covered = page.getByText('The search covers names, registration numbers, emails, phones')
  await expect(covered).toBeVisible()
  await expectAccessible(page)
  await page.goto('/prospects?tag=nobodyhasthis')
  await expect(page.getByText('No prospects match')).toBeVisible()
  await expect(covered).toBeHidden()
})

test('a search without a match offers similar names, and the city that was meant', async ({ page }) => {
  await signIn(page)
  const name = unique('Stellenbosch Winery')
  await createBusiness(page, { name, address: { city: 'Stellenbosch' } })
  await page.goto(`/prospects?q=${encodeURIComponent(name.replace('Winery', 'Wynery'))}`)
  const hints = page.getByRole('status', { name: 'Suggestions' })
  await expect(hints.getByRole('heading', { name: 'Similar names' })).toBeVisible()
  await expect(hints.getByRole('link', { name })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/prospects?q=Stelenbosch')
  await hints.getByRole('button', { name: 'Did you mean Stellenbosch?' }).click()
  await expect(page).toHaveURL(/[?&]city=Stellenbosch$/)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('a last day before the first shows an error beside it', async ({ page }) => {
  await signIn(page)
  await page.goto('/prospects?updatedFrom=2026-11-20&updatedTo=2026-11-10')
  await page.getByRole('button', { name: /^Updated: / }).click()
  const last = page.getByLabel('To', { exact: true })
  await expect(last).toHaveAccessibleDescription('The last day is before the first.')
  await expectAccessible(page)
  await last.fill('2026-11-21')
  await expect(page).toHaveURL(/updatedTo=2026-11-21/)
  await expect(last).toHaveAccessibleDescription('')
})

test('when a record narrows the table, the opened row stays visible and focused, and nothing else scrolls', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1100, height: 720 })
  await signIn(page)
  const name = unique('Beside')
  const nameOf = (at: number) => `${name} ${String(at).padStart(2, '0')}`
  await Promise.all(Array.from({ length: 45 }, (_, at) => createBusiness(page, { name: nameOf(at), tags: [name] })))
  await page.goto(`/prospects?tag=${encodeURIComponent(name)}&sort=name`)
  await expect(page.getByText('45 match')).toBeVisible()
  await page.keyboard.press('End')
  await page.keyboard.press('PageUp')
  const row = page.locator('tr[data-active]')
  const link = row.getByRole('link')
  const opened = Number(await row.getAttribute('aria-rowindex'))
  expect(opened).toBeGreaterThan(20)
  await expect(link).toBeFocused()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Record' })
  await expect(panel.getByRole('heading', { name: nameOf(opened - 2) })).toBeVisible()
  // The checkbox that selects all, and the name.
  await expect(page.getByRole('table').getByRole('columnheader')).toHaveCount(2)
  await expect(row).toHaveAttribute('aria-rowindex', String(opened))
  await expect(link).toBeInViewport({ ratio: 0.9 })
  await expect(link).toBeFocused()
  const isHigherThanItsFrame = (element: Element) => element.scrollHeight > element.clientHeight
  expect(await page.getByRole('main').evaluate(isHigherThanItsFrame)).toBe(false)
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(row).toHaveAttribute('aria-rowindex', String(opened))
  await expect(link).toBeInViewport({ ratio: 0.9 })
  await page.keyboard.press('Enter')
  await panel.getByRole('button', { name: 'Open as a page' }).click()
  await expect(panel).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: nameOf(opened - 2) })).toBeVisible()
  expect(await page.locator('html').evaluate(isHigherThanItsFrame)).toBe(false)
})

test('an export is described with the name of the filtered assignee, and from the board it covers every state', async ({
  page,
}) => {
  await signIn(page)
  const session = await (await page.request.get('/api/v1/session')).json()
  await page.goto(`/prospects?assignee=${session.user.id}&state=won`)
  await expect(page).toHaveTitle(new RegExp(`^Prospects in Won, assigned to ${session.user.name}`))
  const words = page.getByRole('dialog', { name: 'Export prospects' })
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(words).toContainText(
    `Prospects in Won, assigned to ${session.user.name}. The file contains the values at the time of the export`,
  )
  await page.keyboard.press('Escape')
  await expect(words).toBeHidden()
  await page.getByText('Board', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Won', exact: true })).toBeVisible()
  // Wait for the response: leaving the page earlier could cancel the request.
  const answer = page.waitForResponse(
    (response) => response.request().method() === 'POST' && response.url().endsWith('/exports'),
  )
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(words).toContainText(
    `Prospects assigned to ${session.user.name}. The file contains the values at the time of the export`,
  )
  await words.getByRole('button', { name: 'Create file' }).click()
  expect((await answer).request().postDataJSON().filter).toEqual([
    { field: 'assignee', op: 'any_of', values: [session.user.id] },
  ])
  await page.goto('/exports')
  await expect(page.getByText(`Prospects assigned to ${session.user.name}`, { exact: true }).first()).toBeVisible()
})

test('the name of another record beside an open one opens it like its row', async ({ page }) => {
  await signIn(page)
  const tag = unique('Beside')
  await createBusiness(page, { name: `${tag} A`, tags: [tag] })
  await createBusiness(page, { name: `${tag} B`, tags: [tag] })
  await page.setViewportSize({ width: 1500, height: 900 })
  await page.goto(`/prospects?tag=${encodeURIComponent(tag)}`)
  await page.getByRole('link', { name: `${tag} A` }).click()
  await expect(page.getByRole('article', { name: `${tag} A` })).toBeVisible()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('form', { name: `Edit ${tag} A` })).toBeVisible()
  await page.getByRole('link', { name: `${tag} B` }).click()
  // The record opens for reading, and one step back leads to the list before the first one was opened.
  await expect(page.getByRole('article', { name: `${tag} B` })).toBeVisible()
  await expect(page.getByRole('form', { name: `Edit ${tag} B` })).toHaveCount(0)
  await expect(page).not.toHaveURL(/tab=/)
  await page.goBack()
  await expect(page).toHaveURL(/\/prospects\?/)
})

test('sorting, filtering and searching keep the record beside the list and its unsaved text', async ({ page }) => {
  await signIn(page)
  const tag = unique('Stays')
  await createBusiness(page, { name: `${tag} A`, tags: [tag] })
  await createBusiness(page, { name: `${tag} B`, tags: [tag] })
  await page.setViewportSize({ width: 1500, height: 900 })
  await page.goto(`/prospects?tag=${encodeURIComponent(tag)}`)
  await page.getByRole('link', { name: `${tag} A` }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const form = page.getByRole('form', { name: `Edit ${tag} A` })
  await form.getByLabel('Industry').fill('Half a wor')
  await page.getByRole('columnheader', { name: /^Name/ }).getByRole('button').first().click()
  await expect(page).toHaveURL(/sort=name/)
  await expect(form.getByLabel('Industry')).toHaveValue('Half a wor')
  await page.getByRole('searchbox').first().fill(`${tag} B`)
  await expect(page).toHaveURL(/[?&]q=/)
  await expect(page.getByRole('link', { name: `${tag} A` })).toBeHidden()
  await expect(form.getByLabel('Industry')).toHaveValue('Half a wor')
})

test('a filter by days added by keyboard has the focus afterwards', async ({ page }) => {
  await signIn(page, '/prospects')
  const chip = page.getByRole('button', { name: /^Updated: / })
  await page.getByRole('button', { name: 'Add filter' }).press('Enter')
  // The menu focuses its first item when it has opened.
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.getByRole('menuitem', { name: 'Updated' }).press('Enter')
  await page
    .getByRole('button', { name: /^Since / })
    .first()
    .press('Enter')
  await expect(chip).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: /^Since / }).nth(1)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(chip).toBeFocused()
  // Close it before the opened element has the focus, which arrives while it is closing.
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  for (let time = 0; time < 4; time += 1) {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await expect(chip).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByRole('button', { name: /^Since / })).toHaveCount(0)
    await expect(chip).toBeFocused()
  }
})

test('a relative time updates while nothing else changes', async ({ page }) => {
  await signIn(page)
  const name = unique('Lately')
  await createBusiness(page, { name, tags: [name] })
  await page.clock.install()
  await page.goto(`/prospects?tag=${encodeURIComponent(name)}`)
  const row = page.getByRole('row', { name })
  await expect(row.getByText('just now')).toBeVisible()
  await page.route('**/api/v1/**', (route) => route.abort('connectionrefused'))
  await page.clock.runFor(3 * 60_000)
  await expect(row.getByText('3 min ago')).toBeVisible()
})

test('a debounced search does not cancel a navigation that follows it', async ({ page }) => {
  await signIn(page, '/prospects')
  const search = page.getByRole('searchbox', { name: 'Search prospects' })
  await expect(search).toBeVisible()
  await page.route('**/assets/jobs-screen*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    await route.continue()
  })
  await search.pressSequentially('Upington')
  await page.getByRole('link', { name: 'Jobs' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
  await expect(page).toHaveURL(/\/jobs$/)
})

test('a column is resized by a fast drag without being moved, and pinned columns leave room for the others', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Columns')
  await createBusiness(page, { name, tags: [name] })
  await page.setViewportSize({ width: 1_150, height: 700 })
  await page.goto(`/prospects?tag=${encodeURIComponent(name)}`)
  const heads = page.getByRole('columnheader')
  await expect(page.getByRole('row', { name })).toBeVisible()
  const before = await heads.allInnerTexts()
  // The first header contains the checkbox that selects all.
  const first = heads.nth(1)
  // Dragging is available once the header is marked as draggable.
  await expect(first).toHaveAttribute('draggable', 'true')
  const box = await first.boundingBox()
  if (box === null) throw new Error('no header')
  await page.mouse.move(box.x + box.width - 3, box.y + 10)
  await page.mouse.down()
  for (const by of [60, 120, 200, 320]) await page.mouse.move(box.x + box.width + by, box.y + 10)
  await page.mouse.up()
  expect(await heads.allInnerTexts()).toEqual(before)
  await expect.poll(async () => Math.round((await first.boundingBox())?.width ?? 0)).toBeGreaterThan(box.width + 120)

  for (const label of before.slice(2, 5)) {
    await page.getByRole('button', { name: `Column ${label}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Pin to the left' }).click()
  }
  await expect(page.getByRole('menuitem', { name: 'Pin to the left' })).toBeHidden()
  const scroller = page.getByRole('table').locator('..')
  await scroller.evaluate((node) => node.scrollTo(10_000, 0))
  const { room, stuck } = await scroller.evaluate((node) => {
    const ends = [...node.querySelectorAll('th[data-pinned]')].map((head) => head.getBoundingClientRect().right)
    return { stuck: ends.length, room: node.getBoundingClientRect().right - Math.max(...ends) }
  })
  expect(stuck).toBeGreaterThan(0)
  expect(stuck).toBeLessThan(4)
  expect(room).toBeGreaterThanOrEqual(240)
  await page.getByRole('button', { name: `Column ${before[2]}`, exact: true }).click()
  await expect(page.getByRole('menuitem', { name: 'Unpin' })).toBeVisible()
})

test('in forced colours selected and switched-on elements are distinguishable', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' })
  await signIn(page, '/prospects')
  const drawn = (locator: Locator) =>
    locator.first().evaluate((element) => {
      const { backgroundColor, borderBottomColor, color, outlineStyle } = getComputedStyle(element)
      return [backgroundColor, borderBottomColor, color, outlineStyle].join()
    })
  const expectTold = async (chosen: Locator, other: Locator) => expect(await drawn(chosen)).not.toBe(await drawn(other))
  const view = page.getByRole('radiogroup', { name: 'View' })
  await expectTold(view.locator('label[data-active]'), view.locator('label:not([data-active])'))
  await page.getByRole('button', { name: 'Columns and density' }).click()
  const columns = page.getByRole('dialog')
  await expectTold(columns.getByRole('checkbox', { name: 'City' }), columns.getByRole('checkbox', { name: 'Province' }))
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expectTold(page.getByRole('option', { selected: true }), page.getByRole('option', { selected: false }))
  await page.goto('/settings')
  const pages = page.getByRole('main').getByRole('navigation').getByRole('link')
  await expectTold(pages.filter({ hasText: 'General' }), pages.filter({ hasText: 'People' }))
  const track = page.locator('[role="switch"] + *').first()
  expect(await track.evaluate((element) => getComputedStyle(element).borderTopStyle)).toBe('solid')
  await page.goto('/reports/new')
  await expectTold(page.getByRole('button', { pressed: true }), page.getByRole('button', { pressed: false }))
})

test('rows, header and columns scale with the font size and do not clip wider text spacing', async ({ page }) => {
  await signIn(page)
  const tag = unique('Larger').toLowerCase()
  for (const letter of 'AB') await createBusiness(page, { name: `${letter} ${tag}`, tags: [tag] })
  await page.setViewportSize({ width: 2_400, height: 700 })
  await page.goto(`/prospects?tag=${encodeURIComponent(tag)}`)
  const rows = page.getByRole('row', { name: tag })
  await expect(rows).toHaveCount(2)
  const measures = async () => {
    const named = page.getByRole('columnheader', { name: 'Name' })
    const [column, head, first, last] = await Promise.all(
      [named, page.locator('thead'), rows.first(), rows.last()].map((one) => one.boundingBox()),
    )
    const step = (last?.y ?? 0) - (first?.y ?? 0)
    return [column?.width, head?.height, first?.height, step].map((px) => Math.round(px ?? 0))
  }
  const before = await measures()
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '32px'
  })
  await expect.poll(measures).toEqual(before.map((px) => 2 * px))

  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
    const spaced = new CSSStyleSheet()
    spaced.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    )
    document.adoptedStyleSheets = [spaced]
  })
  await expect.poll(measures).toEqual(before)
  const cut = page
    .locator('thead :is(button, span), td')
    .evaluateAll((elements) =>
      elements
        .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
        .map(({ textContent }) => textContent),
    )
  expect(await cut).toEqual([])
})

test('a filter of several cities is added by keyboard, is read in the address, and excludes them with one choice', async ({
  page,
}) => {
  await signIn(page)
  const word = unique('Cities')
  for (const city of ['Caledon', 'Paarl', 'George'])
    await createBusiness(page, { name: `${word} ${city}`, address: { city } })
  await page.goto(`/prospects?q=${encodeURIComponent(word)}`)
  const rows = page.getByRole('row', { name: word })
  await expect(rows).toHaveCount(3)
  await page.getByRole('button', { name: 'Add filter' }).press('Enter')
  await page.getByRole('menuitem', { name: 'City' }).press('Enter')
  const values = page.getByRole('combobox', { name: 'City' })
  await expect(values).toBeFocused()
  await values.fill('Caledon')
  await values.press('Enter')
  await values.fill('paarl')
  await values.press('Enter')
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/conditions=city:any_of:Caledon,paarl/)
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'Operator' }).click()
  await page.getByRole('option', { name: 'is none of' }).click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('George')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'City: without city Caledon or paarl' })).toBeFocused()
  await page.getByRole('button', { name: 'Remove the filter “without city Caledon or paarl”' }).press('Enter')
  await expect(rows).toHaveCount(3)
})
