import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createBusiness, signIn, unique } from './steps.ts'

const paths = [
  '/prospects',
  '/prospects/new',
  '/duplicates',
  '/duplicates/merges',
  '/suppression',
  '/suppression/paste',
  '/reports',
  '/reports/new',
  '/exports',
  '/jobs',
  '/audit',
  '/sources',
  '/scoring',
  '/profile',
  '/profile/security',
  '/settings',
  '/settings/people',
  '/settings/roles',
  '/settings/security-events',
  '/settings/acceptance',
]

/** Position and font size of the screen's title. */
async function titleOf(page: Page) {
  const title = page.getByRole('main').getByRole('heading', { level: 1 })
  await expect(title).toBeVisible()
  return title.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const left = range.getBoundingClientRect().left - (element.closest('main')?.getBoundingClientRect().left ?? 0)
    return { left: Math.round(left), size: getComputedStyle(element).fontSize }
  })
}

test('the title of every screen has the same size and left edge', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Titled') })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    const titles = []
    for (const path of [...paths, `/prospects/${id}`]) {
      await page.goto(path)
      titles.push({ path, ...(await titleOf(page)) })
    }
    const [first] = titles
    expect(titles).toEqual(titles.map(({ path }) => ({ ...first, path })))
  }
})

test('a notification floats above the footer of a list and moves nothing', async ({ page }) => {
  await signIn(page)
  await createBusiness(page, { name: unique('Under a notice') })
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/prospects')
    const count = page.getByText(/^[\d\s]+ prospects?( · \d+ loaded)?$/)
    await expect(count).toBeVisible()
    const before = await count.boundingBox()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search prospects and commands' }).fill('single-key shortcuts')
    await page.keyboard.press('Enter')
    const notice = page.getByRole('alert').filter({ hasText: 'Single-key shortcuts are' })
    await expect(notice).toBeVisible()
    const bottomOf = (box: { y: number; height: number } | null) => (box === null ? 0 : box.y + box.height)
    await expect
      .poll(async () => ((await count.boundingBox())?.y ?? 0) - bottomOf(await notice.boundingBox()))
      .toBeGreaterThanOrEqual(0)
    expect(await count.boundingBox()).toEqual(before)
  }
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('input text has 16 px, so that phones do not zoom in', async ({ page }) => {
    await signIn(page)
    for (const path of ['/prospects', '/prospects/new', '/suppression', '/settings']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const fields = page.getByRole('main').locator('input:not([type=checkbox], [type=radio]), textarea')
      await expect(fields.first()).toBeVisible()
      const sizes = await fields.evaluateAll((all) => all.map((field) => getComputedStyle(field).fontSize))
      expect(new Set(sizes)).toEqual(new Set(['16px']))
    }
  })

  test('the rows of a table become blocks', async ({ page }) => {
    await signIn(page, '/audit')
    const row = page.getByRole('main').locator('tbody tr').first()
    await expect(row).toBeVisible()
    expect(await row.evaluate((element) => getComputedStyle(element).display)).toBe('grid')
  })

  test('the first prospect starts in the upper third, below the checkbox that selects all', async ({ page }) => {
    await signIn(page)
    await createBusiness(page, { name: unique('High up') })
    await page.goto('/prospects')
    const row = page.getByRole('row').nth(1)
    await expect(row).toBeVisible()
    expect((await row.boundingBox())?.y).toBeLessThanOrEqual(844 * 0.3)
  })
})
