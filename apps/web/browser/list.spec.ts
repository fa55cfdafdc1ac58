import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('filters live in the address: a shared link shows the same set', async ({ page, browser }) => {
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

test('what means nothing in an address is left out of the list, and the rest is shown', async ({ page }) => {
  await signIn(page)
  const name = unique('Mistyped')
  await createBusiness(page, { name })
  await page.goto(`/prospects?q=${encodeURIComponent(name)}&updatedFrom=x&state=bogus&sort=evil&other=1`)
  await expect(page.getByRole('row', { name })).toHaveCount(1)
})

test('a filter that matches nothing says so and offers the way back', async ({ page }) => {
  await signIn(page)
  await createBusiness(page, { name: unique('Somebody') })
  await page.goto('/prospects?q=nobodyiscalledlikethis')
  await expect(page.getByText('No prospects match')).toBeVisible()
  await expectAccessible(page)
})

test('a long list by keyboard: a page, its end, its beginning, and the row that has the focus stays when it is scrolled away', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Long')
  await Promise.all(
    Array.from({ length: 60 }, (_, at) => createBusiness(page, { name: `${name} ${at}`, tags: [name] })),
  )
  await page.goto(`/prospects?tag=${encodeURIComponent(name)}&sort=name`)
  const table = page.getByRole('table', { name: 'Prospects' })
  await expect(page.getByText('60 match · 50 loaded')).toBeVisible()
  await expect(table).toHaveAttribute('aria-rowcount', '61')
  const focused = page.locator('tr:has(:focus)')
  await page.keyboard.press('End')
  await expect(focused).toHaveAttribute('aria-rowindex', '51')
  await expect(page.getByText('60 match · 60 loaded')).toBeVisible()
  await page.keyboard.press('End')
  await expect(focused).toHaveAttribute('aria-rowindex', '61')
  await expect(focused.getByRole('link')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('k')
  await expect(focused).toHaveAttribute('aria-rowindex', '60')
  await page.keyboard.press('Home')
  await expect(focused).toHaveAttribute('aria-rowindex', '2')
  await page.keyboard.press('PageDown')
  await expect(focused).not.toHaveAttribute('aria-rowindex', '2')
  await expect(focused.getByRole('link')).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Home')
  await table.hover()
  await page.mouse.wheel(0, 5_000)
  await expect(page.getByRole('row', { name: `${name} 9` }).first()).toBeInViewport()
  await expect(focused).toHaveAttribute('aria-rowindex', '2')
})
