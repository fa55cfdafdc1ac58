import type { Page } from '@playwright/test'
import type { Business, MatchSuggestion, MatchSuggestionSummary, Page as PageOf } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, signIn, unique, untilRefreshed } from './steps.ts'

/* Journeys in which another user changes the same record, or a response is lost. The other user acts through `call`, without a page. */

// The page must not learn of the colleague's change before it sends its own.
test.beforeEach(({ page }) => page.route('**/changes/stream**', (route) => route.abort()))

const stored = async (page: Page, id: string): Promise<Business> =>
  (await page.request.get(`/api/v1/businesses/${id}`)).json()

async function moveThrough(page: Page, id: string, ...states: string[]): Promise<void> {
  for (const to of states) await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to })
}

/**
 * Drops the response to the next POST whose address has this ending: the server executes it, but the page gets no response. Call it before the page
 * opens, because a request right after interception starts may bypass it.
 */
async function answersToLose(page: Page): Promise<(ending: string) => void> {
  let lost: string | null = null
  await page.route('**/api/v1/**', async (route) => {
    if (route.request().method() !== 'POST' || lost === null || !route.request().url().endsWith(lost))
      return route.fallback()
    lost = null
    await route.fetch()
    await route.abort('connectionreset')
  })
  return (ending) => {
    lost = ending
  }
}

test('a block whose response was lost and that a colleague lifted is set again by a retry', async ({ page }) => {
  await signIn(page)
  const name = unique('Marked twice')
  const { id } = await createBusiness(page, { name })
  const loseAnswer = await answersToLose(page)
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as do not contact…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('They asked for it')
  loseAnswer('/do-not-contact')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toContainText('The server did not answer')
  expect((await stored(page, id)).doNotContact).not.toBeNull()
  await call(page, 'POST', `/businesses/${id}/do-not-contact-removal`, { reason: 'Looked at again' })
  await dialog.getByRole('textbox', { name: 'Reason' }).press('Control+Enter')
  await expect(page.getByText(`${name} marked do not contact`)).toBeVisible()
  expect((await stored(page, id)).doNotContact).not.toBeNull()
})

test('a second block shows the reason of the first one', async ({ page }) => {
  await signIn(page)
  const name = unique('Marked before')
  const { id } = await createBusiness(page, { name })
  await page.goto(`/prospects/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Mark as do not contact…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).fill('My own reason')
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'The first one' })
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/had already marked .* yours was not saved\./)).toBeVisible()
  expect((await stored(page, id)).doNotContact?.reason).toBe('The first one')
})

test('a second move with a reason reports that the first one was made', async ({ page }) => {
  await signIn(page)
  const name = unique('Moved before')
  const { id } = await createBusiness(page, { name })
  await moveThrough(page, id, 'contacted', 'qualified', 'proposal', 'negotiation', 'won')
  await page.goto(`/prospects/${id}?tab=pipeline`)
  const tab = page.getByRole('tabpanel')
  await tab.getByRole('button', { name: 'Reopen in negotiation…' }).click()
  await tab.getByRole('textbox', { name: 'Reason' }).fill('My own reason')
  await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'negotiation', reason: 'The first one' })
  await tab.getByRole('textbox', { name: 'Reason' }).press('Control+Enter')
  await expect(page.getByText(`${name} was already in Negotiation.`)).toBeVisible()
  await expect(tab.getByRole('list', { name: 'Moves, newest first' })).toContainText('The first one')
  await expect(tab.getByText('My own reason')).toBeHidden()
})

test('a move on the board without a response is reported as unknown, and is repeated after a colleague reverted it', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Moved twice')
  const { id } = await createBusiness(page, { name })
  await moveThrough(page, id, 'contacted', 'qualified', 'proposal', 'negotiation')
  await page.clock.install()
  const loseAnswer = await answersToLose(page)
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await page.getByRole('button', { name: `Move ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Won' }).click()
  const form = page.getByRole('form', { name: `Move ${name} to Won` })
  await expect(form.getByRole('textbox')).toBeFocused()
  const won = page.getByRole('region', { name: 'Won', exact: true }).getByRole('link', { name })
  loseAnswer('/pipeline-transitions')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('region', { name: 'Won' }).getByText('May not be done')).toBeVisible()
  await expect(won).toBeVisible()
  await expect.poll(async () => (await stored(page, id)).pipelineState).toBe('won')
  await call(page, 'POST', `/businesses/${id}/pipeline-transitions`, { to: 'negotiation', reason: 'Not signed yet' })
  await untilRefreshed(page, (options) => expect(won).toBeHidden(options))
  await form.getByRole('textbox').press('Control+Enter')
  await expect(form).toBeHidden()
  await expect(won).toBeVisible()
  await expect.poll(async () => (await stored(page, id)).pipelineState).toBe('won')
})

test('a note that is being saved as not sensitive is not shown as sensitive', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Switched late') })
  const held: (() => void)[] = []
  await page.route(`**/businesses/${id}/notes`, async (route) => {
    if (route.request().method() === 'POST') await new Promise<void>((resolve) => held.push(resolve))
    await route.fallback()
  })
  await page.goto(`/prospects/${id}?tab=notes`)
  await page.getByLabel('New note').fill('For everybody')
  await page.getByLabel('New note').press('Control+Enter')
  await expect.poll(() => held.length).toBe(1)
  await page.getByRole('switch', { name: 'Sensitive' }).press('Space')
  await expect(page.getByRole('switch', { name: 'Sensitive' })).not.toBeChecked()
  held[0]?.()
  await expect(page.getByText('Note added.')).toBeVisible()
})

test('without browser storage, typed text can still be saved', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('No room') })
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  await page.goto(`/prospects/${id}?tab=notes`)
  await page.getByLabel('New note').fill('Kept by the server alone')
  await page.getByLabel('New note').press('Control+Enter')
  await expect(page.getByText('Note added.')).toBeVisible()
  await expect(page.getByLabel('New note')).toHaveValue('')
  await expect(page.getByRole('tabpanel')).toContainText('Kept by the server alone')
})

/** Merges the only suggested duplicate of this record into it. */
async function mergeInto(page: Page, survivorId: string): Promise<void> {
  const pairs = async (): Promise<PageOf<MatchSuggestionSummary>> =>
    (await page.request.get(`/api/v1/match-suggestions?businessId=${survivorId}`)).json()
  await expect.poll(async () => (await pairs()).items.length).toBe(1)
  const suggestion = `/match-suggestions/${(await pairs()).items[0]?.id}`
  const { fingerprint }: MatchSuggestion = await (await page.request.get(`/api/v1${suggestion}`)).json()
  const decision = { survivorId, fields: {}, fingerprint, reason: 'One yard' }
  await call(page, 'POST', `${suggestion}/merge`, decision, { 'idempotency-key': survivorId })
}

test('saving a record that was merged meanwhile shows a link to the surviving record', async ({ page }) => {
  await signIn(page)
  const facts = { name: unique('Merged while edited'), phones: [{ value: `+27 41 ${String(Date.now()).slice(-7)}` }] }
  const a = await createBusiness(page, facts)
  const b = await createBusiness(page, { ...facts, industry: 'Irrigation' })
  await page.goto(`/prospects/${b.id}?tab=edit`)
  await page.getByLabel('City').fill('Upington')
  await mergeInto(page, a.id)
  await page.getByLabel('City').press('Control+Enter')
  await expect(page.getByRole('link', { name: 'Open surviving record' })).toHaveAttribute('href', RegExp(a.id))
  await expect(page.getByLabel('City')).toHaveValue('Upington')
})

test('typed text stays on screen when a colleague merges the record', async ({ page }) => {
  await signIn(page)
  const facts = { name: unique('Merged meanwhile'), phones: [{ value: `+27 41 ${String(Date.now()).slice(-7)}` }] }
  const a = await createBusiness(page, facts)
  const b = await createBusiness(page, { ...facts, industry: 'Irrigation' })
  await page.clock.install()
  await page.goto(`/prospects/${b.id}?tab=notes`)
  await page.getByLabel('New note').fill('Half a note')
  await mergeInto(page, a.id)
  await untilRefreshed(page, (options) => expect(page.getByText('Merged into').first()).toBeVisible(options))
  await expect(page.getByLabel('New note')).toHaveValue('Half a note')
  await page.getByLabel('New note').press('Control+Enter')
  await expect(page.getByText('Your text is still here.').first()).toBeVisible()
  expect((await stored(page, b.id)).status).toBe('merged')
})

test('the move button under the pointer does not change when a colleague moves the prospect', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Pointed at') })
  await page.clock.install()
  await page.goto(`/prospects/${id}?tab=pipeline`)
  const tab = page.getByRole('tabpanel')
  await tab.getByRole('button', { name: 'Move to Contacted' }).hover()
  await moveThrough(page, id, 'contacted')
  await untilRefreshed(page, (options) =>
    expect(tab.getByRole('heading', { name: 'In Contacted' })).toBeVisible(options),
  )
  await page.mouse.down()
  await page.mouse.up()
  await expect(tab.getByRole('button', { name: 'Move to Qualified' })).toBeVisible()
  expect((await stored(page, id)).pipelineState).toBe('contacted')
})

test('m opens the menu also on a card at the clipped edge of the board', async ({ page }) => {
  await signIn(page)
  const name = unique('At the edge')
  const { id } = await createBusiness(page, { name })
  await moveThrough(page, id, 'contacted', 'qualified', 'proposal', 'negotiation')
  await page.setViewportSize({ width: 1_440, height: 900 })
  await page.goto(`/prospects?view=board&q=${encodeURIComponent(name)}`)
  await page.getByRole('link', { name }).focus()
  await page.keyboard.press('m')
  await expect(page.getByRole('menuitem', { name: 'Won' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: `Move ${name}` })).toBeFocused()
})

test('after an erasure no typed text stays in the browser, and the same prospect can be created again', async ({
  page,
}) => {
  const loseAnswer = await answersToLose(page)
  await signIn(page, '/prospects/new')
  const name = unique('Erased since')
  const notSaved = page.getByRole('alert').filter({ hasText: /not (be )?saved/i })
  await page.getByRole('textbox', { name: 'Registered name' }).fill(name)
  loseAnswer('/businesses')
  await page.keyboard.press('Control+Enter')
  await expect(notSaved).toContainText('Nothing will be saved twice')
  const { items } = await (await page.request.get('/api/v1/businesses', { params: { q: name } })).json()
  const { id } = items[0]
  await page.goto(`/prospects/${id}?tab=edit`)
  await page.getByLabel('City').fill('Only here')
  const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(await kept()).toContain('Only here')
  await call(page, 'POST', `/businesses/${id}/erasure`, { reason: 'They asked for it' })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Erased record' })).toBeVisible()
  await expect.poll(kept).not.toContain('Only here')
  // The palette offers no action that the record no longer accepts.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('do not contact')
  await expect(page.getByText('No results.')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.goto('/prospects/new')
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(name)
  await page.getByRole('textbox', { name: 'Registered name' }).press('Control+Enter')
  await expect(notSaved).toContainText('what was saved has since changed or been erased')
  await page.getByRole('textbox', { name: 'Registered name' }).press('Control+Enter')
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})
