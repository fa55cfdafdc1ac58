import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/** Simulates a new build on the web server: the page names another entry file, and the files of the previous build are gone. */
async function replaceBuild(page: Page): Promise<() => Promise<void>> {
  const isPage = (url: URL) => url.pathname === '/'
  const files = '**/assets/*'
  await page.route(isPage, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/index-newer.js"></script>' }),
  )
  await page.route(files, (route) => route.fulfill({ status: 404 }))
  return async () => {
    await page.unroute(isPage)
    await page.unroute(files)
  }
}

test('a screen removed by a newer version says so in its place, and opens after a reload', async ({ page }) => {
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { name: 'Prospects' })).toBeVisible()
  const putBack = await replaceBuild(page)
  await page.getByRole('link', { name: 'Jobs' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { name: 'A newer version is available' })).toBeVisible()
  await expectAccessible(page)
  await putBack()
  await main.getByRole('button', { name: 'Reload' }).click()
  await expect(page).toHaveURL(/\/jobs$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
})

test('a part removed by a newer version keeps the page, and typed text is restored after a reload', async ({
  page,
}) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Typed Before') })
  await page.goto(`/prospects/${id}?tab=notes`)
  const note = page.getByRole('textbox', { name: 'New note' })
  await note.fill('Half a sentence')
  const putBack = await replaceBuild(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Erase permanently…' }).click()
  await expect(page.getByText('A newer version of this app is available')).toBeVisible()
  await expect(note).toHaveValue('Half a sentence')
  await expectAccessible(page)
  await putBack()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByText('A newer version of this app is available')).toBeHidden()
  await expect(note).toHaveValue('Half a sentence')
})
