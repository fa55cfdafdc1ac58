import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, sendMove, signIn, unique } from './steps.ts'

test.use({ viewport: { width: 390, height: 844 } })

/** Expects no horizontal overflow: neither of the page nor within its main part. */
async function expectFits(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await page.getByRole('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0)
}

/** Records layout shifts on every page that is opened from now on. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: number[] = []
    const note = (list: PerformanceObserverEntryList) => {
      for (const entry of list.getEntries()) if ('value' in entry) shifts.push(Number(entry.value))
    }
    new PerformanceObserver(note).observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { shifts })
  })
}

async function expectStill(page: Page) {
  // Two frames later, layout has been measured.
  const shifted = await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    return Reflect.get(window, 'shifts').reduce((sum: number, shift: number) => sum + shift, 0)
  })
  expect(shifted).toBeLessThan(0.05)
}

test('list rows do not move after they are first rendered', async ({ page }) => {
  await signIn(page)
  const name = unique('Does not jump')
  for (let made = 0; made < 8; made += 1) await createBusiness(page, { name: `${name} ${made}` })
  await watchShifts(page)
  await page.goto(`/prospects?q=${encodeURIComponent(name)}`)
  await expect(page.getByRole('link', { name: `${name} 0` })).toBeVisible()
  await expectStill(page)
})

test('late responses do not move visible content', async ({ page }) => {
  await signIn(page)
  await watchShifts(page)
  const late = async (path: string) =>
    page.route(
      (url) => url.pathname === `/api/v1${path}`,
      async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1000))
        await route.fallback()
      },
    )
  await late('/tenant')
  await page.goto('/settings')
  await expect(page.getByRole('textbox', { name: 'Review entries of the do-not-contact list after' })).toBeVisible()
  await expectStill(page)
  for (const path of ['/jobs', '/match-suggestions/counts']) await late(path)
  await page.goto('/duplicates')
  const filters = page.getByRole('search')
  await expect(filters.getByText('All', { exact: true })).toBeVisible()
  const before = await filters.boundingBox()
  await expect(page.getByText(/full scan/).first()).toBeVisible()
  await expect(filters.getByText(/^All \(/)).toBeVisible()
  expect(await filters.boundingBox()).toEqual(before)
})

test('every part of a record works at 390 px', async ({ page }) => {
  // Runs axe twelve times, which is slow on some machines.
  test.setTimeout(120_000)
  await signIn(page)
  const { id, name } = await createBusiness(page, {
    name: unique('A business whose registered name is rather longer than a telephone is wide'),
    emails: [{ value: 'a.very.long.address.indeed@a-very-long-domain-name.example', label: 'accounts' }],
    phones: [{ value: '021 555 0101' }],
    tradingName: 'Wolkenkratzerfensterputzmaschinenverleih'.repeat(5),
    tags: ['one', 'two'],
  })
  for (const tab of ['overview', 'evidence', 'notes', 'pipeline', 'activity', 'edit']) {
    await page.goto(`/prospects/${id}?tab=${tab}`)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    if (tab !== 'edit') {
      await expect(page.getByRole('tabpanel')).toBeVisible()
      await expect(page.getByRole('tab', { selected: true })).toBeInViewport({ ratio: 1 })
    }
    await expectFits(page)
    await expectAccessible(page)
  }

  await page.getByLabel('Trading name').fill('Narrow')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('tabpanel', { name: 'Overview' })).toContainText('Narrow')
  await page.getByRole('button', { name: 'Other moves' }).click()
  await page.getByRole('menuitem', { name: 'Move to Contacted' }).click()
  await sendMove(page, name)
  await page.getByRole('tab', { name: 'Pipeline' }).click()
  await expect(page.getByRole('heading', { name: 'In Contacted' })).toBeVisible()
})

const paths = [
  '/prospects',
  '/prospects/new',
  '/audit',
  '/jobs',
  '/sources',
  '/scoring',
  '/sources/csv-preview',
  '/sources/files',
  '/sources/incidents',
  '/profile',
  '/profile/security',
  '/settings',
  '/settings/people',
  '/settings/roles',
  '/settings/security-events',
]
for (const path of paths)
  test(`${path} fits 390 px`, async ({ page }) => {
    await signIn(page, path)
    await expect(page.getByRole('main')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectFits(page)
    await expectAccessible(page)
  })

test('at 400 % zoom rows and cards are visible, including the focused one', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await signIn(page)
  const tag = unique('Zoomed').toLowerCase()
  for (const letter of 'ABCDE') await createBusiness(page, { name: `${letter} ${tag}`, tags: [tag] })
  for (const view of ['table', 'board']) {
    await page.goto(`/prospects?view=${view}&tag=${encodeURIComponent(tag)}`)
    const links = page.getByRole('main').getByRole('link', { name: tag })
    await expect(links).toHaveCount(5)
    await links.first().focus()
    for (const link of await links.all()) {
      await expect(link).toBeFocused()
      await expect(link).toBeInViewport({ ratio: 0.9 })
      await page.keyboard.press('j')
    }
    // The rest of the page can still be scrolled to.
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded()
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
  }
})
