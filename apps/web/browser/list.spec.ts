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
