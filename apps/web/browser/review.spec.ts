import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, openSection, signIn, unique } from './steps.ts'

const tagOf = () => `t${Date.now()}${process.pid}`

async function createTagged(page: Page, tag: string, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, at) => unique(`Tagged ${String(at).padStart(2, '0')}`))
  for (const name of names) await createBusiness(page, { name, tags: [tag] })
  return names
}

test('a filter is saved and shared, the queue is reviewed and a decision undone, by keyboard', async ({ page }) => {
  const tag = tagOf()
  await signIn(page)
  const [first = '', second = ''] = await createTagged(page, tag, 2)
  await page.goto(`/prospects?tag=${tag}&sort=name`)
  await expect(page.getByRole('row', { name: new RegExp(first) })).toBeVisible()
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Save as…' }).press('Enter')
  const name = unique('Tagged ones')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('checkbox', { name: /Share it/ }).press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: `Saved filter: ${name}` })).toBeVisible()
  // The list shows that the filter was changed, and can reset it.
  await page.getByRole('button', { name: `Remove the filter “tagged ${tag}”` }).press('Enter')
  await expect(page.getByRole('button', { name: `Saved filter: ${name}, edited` })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Reset' }).press('Enter')
  await expect(page).toHaveURL(new RegExp(`tag=${tag}`))
  await page.keyboard.press('f')
  await page.getByRole('menuitem', { name: 'Share, rename, delete' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('Prospects. Shared.')).toBeVisible()
  await expect(page.getByRole('link', { name: '2 match' })).toBeVisible()
  await page.getByRole('button', { name: 'Lock' }).press('Enter')
  await expect(page.getByText('Prospects. Shared, locked.')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`/review?tag=${tag}&review=due&sort=name`)
  const predicate = page.getByRole('region', { name: 'Filter of the queue' })
  await expect(predicate).toContainText(/review is due; tag is .*by name/)
  await expect(predicate).toContainText('2 prospects in the queue, as of')
  await page.keyboard.press('j')
  await page.keyboard.press('v')
  await expect(page.getByRole('dialog', { name: `Verify ${first}?` })).toBeVisible()
  await page.getByRole('checkbox', { name: /^Registered name/ }).press('Space')
  await page.keyboard.press('Control+Enter')
  // The next prospect opens automatically.
  const opened = page.getByRole('region', { name: 'Review of this prospect' })
  await expect(page.getByRole('article', { name: second })).toBeVisible()
  await expect(opened).toContainText('Belongs to this queue')
  await expectAccessible(page)
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog', { name: `Reject ${second}?` })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('s')
  await expect(
    page.getByText('Other people have all remaining prospects of this queue open. Try again later.'),
  ).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByRole('article', { name: first })).toBeVisible()
  await openSection(page, 'Review')
  await expect(page.getByRole('list', { name: 'Reviews, newest first' }).getByRole('listitem')).toContainText([
    'Reopened',
    'Verified',
  ])
  await expectAccessible(page)
})

test('all matching rows except three are selected, previewed, confirmed, reported and undone', async ({ page }) => {
  test.slow()
  const tag = tagOf()
  await signIn(page)
  await createTagged(page, tag, 54)
  await page.goto(`/prospects?tag=${tag}&sort=name`)
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).press('Space')
  await page.getByRole('button', { name: 'Select all 54 prospects that match' }).press('Enter')
  const bar = page.getByRole('region', { name: 'Selection' })
  await expect(bar).toContainText('All 54 prospects that match selected')
  await page.getByRole('table', { name: 'Prospects' }).getByRole('row').nth(1).focus()
  for (let row = 1; row <= 3; row += 1) await page.getByRole('row').nth(row).getByRole('checkbox').press('Space')
  await expect(bar).toContainText('but for 3')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Verify…' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Preview' }).press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Preview: Verify' })).toBeVisible()
  await expect(page.getByText('51 prospects selected, at most 10 000.')).toBeVisible()
  await expect(page.getByRole('row', { name: 'Would change' })).toContainText('51')
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Reason' }).fill('Checked by phone')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Done: 51 prospects of 51')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('row', { name: 'Changed 51' })).toBeVisible()
  await expect(page.getByText('51 outcomes and 51 events found in the audit log, complete')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Outcome of each prospect' })).toContainText(
    'Review: unreviewed → verified',
  )
  await expectAccessible(page)
  await page.keyboard.press('u')
  await expect(page.getByRole('heading', { level: 1, name: 'Preview: Undo: Verify' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Reason' }).fill('The wrong list')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Undo: Verify' })).toBeVisible()
  await expect(page.getByText('Done: 51 prospects of 51')).toBeVisible({ timeout: 30_000 })
  await page.goto(`/prospects?tag=${tag}&review=unreviewed`)
  await expect(page.getByText('54 match')).toBeVisible()
})

test('a tile loads, fails and is retried on its own, and its number links to what it counts', async ({ page }) => {
  await signIn(page)
  const tag = tagOf()
  await createTagged(page, tag, 1)
  let isBroken = true
  await page.route('**/api/v1/dashboard/tiles/failed_jobs', (route) =>
    isBroken
      ? route.fulfill({ status: 400, json: { code: 'x', status: 400, title: 'Broken', detail: 'Broken.' } })
      : route.continue(),
  )
  await page.goto('/dashboard')
  const tile = (name: string) => page.getByRole('region', { name })
  await expect(tile('Failed jobs')).toContainText('Broken.')
  await expect(tile('Failed jobs').getByRole('link')).toHaveCount(0)
  await expect(tile('By priority')).toContainText('No scores are active yet.')
  const due = tile('Due for review').getByRole('link')
  await expect(due).toHaveText(/^\d/)
  await expectAccessible(page)
  isBroken = false
  await tile('Failed jobs').getByRole('button', { name: 'Try again' }).press('Enter')
  // Jobs of other tests on this store may have failed.
  await expect(tile('Failed jobs').getByRole('link')).toHaveText(/^\d+$/)

  await page.getByRole('button', { name: 'Arrange: Failed jobs' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Hide tile' }).press('Enter')
  await expect(tile('Failed jobs')).toHaveCount(0)
  await page.getByRole('button', { name: 'Add tile' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Failed jobs' }).press('Enter')
  await expect(tile('Failed jobs')).toBeVisible()

  const words = await due.textContent()
  await due.press('Enter')
  await expect(page.getByRole('region', { name: 'Filter of the queue' })).toContainText(
    new RegExp(`^.*${words} prospects? in the queue, as of`, 's'),
  )
})
