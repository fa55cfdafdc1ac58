import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, openSection, signIn, unique } from './steps.ts'

/** Expects that the focus ring is not clipped by any ancestor. */
async function expectWholeRing(page: Page): Promise<void> {
  const cut = () =>
    page.evaluate(() => {
      const focused = document.activeElement
      if (focused === null || focused === document.body) return ['nothing has the focus']
      const { outlineOffset, outlineWidth, outlineStyle } = getComputedStyle(focused)
      if (outlineStyle === 'none') return ['no ring']
      const beyond = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
      const { left, right } = focused.getBoundingClientRect()
      const cutting: string[] = []
      for (let around = focused.parentElement; around !== null; around = around.parentElement) {
        const edge = around.getBoundingClientRect()
        if (getComputedStyle(around).overflowX === 'visible') continue
        if (left - beyond < edge.left || right + beyond > edge.right) cutting.push(around.tagName)
      }
      return cutting
    })
  await expect.poll(cut).toEqual([])
}

test('an interaction is recorded by keyboard, corrected by a new one, and moves no state', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Talked to') })
  await page.goto(`/prospects/${id}`)
  await expect(page.getByRole('tab', { name: 'Interactions' })).toBeVisible()
  await page.keyboard.press('i')
  const form = page.getByRole('form', { name: 'Log call' })
  await expect(form.getByRole('radio', { name: 'No answer' })).toBeFocused()
  await form.getByLabel('Summary').press('Control+Enter')
  await expect(form.getByText('Choose an outcome.')).toBeVisible()
  await expect(form.getByRole('radio', { name: 'No answer' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('6')
  await expect(form.getByRole('combobox', { name: 'Outcome' })).toBeFocused()
  await form.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'No answer' }).click()
  await form.getByRole('textbox', { name: 'When' }).fill('11/20/2026 11:30')
  await form.getByLabel('Summary').press('Control+Enter')
  await expect(form.getByText('Enter a date and time, such as 21/11/2026 14:30.')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'When' })).toBeFocused()
  await form.getByRole('textbox', { name: 'When' }).fill('2025-3-4 11:30')
  await form.getByLabel('Summary').fill('Rang for a minute.')
  await form.getByLabel('Participants').fill('Nomsa Dlamini')
  await expectAccessible(page)
  // Text that was not ended with a comma or Enter counts as a name too.
  await form.getByLabel('Participants').press('Control+Enter')
  const list = page.getByRole('list', { name: 'Interactions, latest first' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('with Nomsa Dlamini')
  await expect(list).toContainText('04 Mar 2025, 11:30')
  await expectWholeRing(page)

  await list.getByRole('button', { name: 'Correct this' }).click()
  const correction = page.getByRole('form', { name: 'Correct interaction' })
  await expect(correction.getByLabel('Summary')).toHaveValue('Rang for a minute.')
  await correction.getByRole('combobox', { name: 'Outcome' }).click()
  await page.getByRole('option', { name: 'Left a message' }).click()
  await correction.getByRole('button', { name: 'Save correction' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(list.getByText('Corrected by a later entry')).toBeVisible()
  await expectAccessible(page)
  const address = page.url()
  await list.getByRole('link', { name: 'Corrected by a later entry' }).click()
  await expect(list.getByRole('listitem').filter({ hasText: 'Left a message' })).toBeFocused()
  expect(page.url()).toBe(address)
  const { pipelineState } = await (await page.request.get(`/api/v1/businesses/${id}`)).json()
  expect(pipelineState).toBe('new')
})

test('an interaction with a do-not-contact prospect is recorded as history with a warning', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Called in') })
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'They asked.' })
  await page.goto(`/prospects/${id}?tab=interactions`)
  await page.getByRole('button', { name: 'Log call' }).first().click()
  const form = page.getByRole('form', { name: 'Log call' })
  await expect(form.getByText('Such interactions are counted separately.')).toBeVisible()
  await form.getByRole('radio', { name: 'Connected' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(
    page.getByText('Recorded while the prospect was marked do not contact. Counted separately'),
  ).toBeVisible()
  await expectAccessible(page)
})

test('an unsaved correction is marked after a reload, beside the corrected entry', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Half corrected') })
  for (const summary of ['Rang twice.', 'Rang once.']) {
    await call(page, 'POST', `/businesses/${id}/interactions`, {
      outcome: 'no_answer',
      channel: 'phone',
      occurredAt: '2026-01-05T08:00:00.000Z',
      summary,
    })
  }
  await page.goto(`/prospects/${id}?tab=interactions`)
  const entry = page.getByRole('listitem').filter({ hasText: 'Rang twice.' })
  await entry.getByRole('button', { name: 'Correct this' }).click()
  const correction = page.getByRole('form', { name: 'Correct interaction' })
  await correction.getByLabel('Summary').fill('Rang three times.')
  await page.reload()
  await expect(entry).toContainText('Unsaved correction')
  await expect(page.getByText('Unsaved correction')).toHaveCount(1)
  await expectAccessible(page)
  await entry.getByRole('button', { name: 'Correct this' }).click()
  await expect(correction.getByLabel('Summary')).toHaveValue('Rang three times.')
  await expect(page.getByText('Unsaved correction')).toBeHidden()
  await correction.getByRole('button', { name: 'Discard' }).click()
  await expect(entry.getByRole('button', { name: 'Correct this' })).toBeVisible()
  await expect(page.getByText('Unsaved correction')).toBeHidden()
})

test('a link between entries loads pages until the other entry is found', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Long history') })
  const record = (day: number, summary: string, correctsId?: string) =>
    call<{ id: string }>(page, 'POST', `/businesses/${id}/interactions`, {
      outcome: 'no_answer',
      channel: 'phone',
      occurredAt: new Date(Date.UTC(2025, 0, 1 + day)).toISOString(),
      summary,
      ...(correctsId === undefined ? {} : { correctsId }),
    })
  const first = await record(0, 'The very first.')
  for (let day = 1; day <= 110; day++) await record(day, `Call ${day}.`)
  await record(200, 'The first, corrected.', first.id)
  await page.goto(`/prospects/${id}?tab=interactions`)
  const list = page.getByRole('list', { name: 'Interactions, latest first' })
  await expect(list.getByText('The very first.')).toBeHidden()
  await list.getByRole('link', { name: 'Corrects an earlier one' }).click()
  await expect(list.getByRole('listitem').filter({ hasText: 'The very first.' })).toBeFocused()
  await list.getByRole('link', { name: 'Corrected by a later entry' }).click()
  await expect(list.getByRole('listitem').filter({ hasText: 'The first, corrected.' })).toBeFocused()
})

test('with a fast computer clock nothing is recorded in the future or shown as old', async ({ page }) => {
  await signIn(page)
  const { id } = await createBusiness(page, { name: unique('Ahead of time') })
  await page.clock.install({ time: Date.now() + 3 * 3_600_000 })
  await page.goto(`/prospects/${id}?tab=interactions`)
  await expect(page.getByRole('tab', { name: 'Interactions' })).toBeVisible()
  await page.keyboard.press('i')
  const form = page.getByRole('form', { name: 'Log call' })
  await form.getByRole('radio', { name: 'No answer' }).click()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Interaction with .* recorded\.$/)).toBeVisible()
  const { items } = await (await page.request.get(`/api/v1/businesses/${id}/interactions`)).json()
  expect(Math.abs(Date.parse(items[0].occurredAt) - Date.now())).toBeLessThan(60_000)
  await openSection(page, 'Activity')
  await expect(page.getByRole('tabpanel').getByText('just now').first()).toBeVisible()
})
