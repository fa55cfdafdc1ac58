import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/** Share of the height of the window that the header takes at most, and of the lowest one. */
const SHARE = 0.2

async function createLong(page: Page) {
  const { id, name } = await createBusiness(page, {
    name: unique('A prospect whose registered name is longer than a phone is wide'),
    tradingName: 'Long',
    emails: ['sales', 'accounts', 'owner'].map((label) => ({ value: `${label}@long.example`, label })),
    address: { street: 'Long Street 1', suburb: 'Gardens', city: 'Cape Town', province: 'WC', postalCode: '8001' },
    tags: ['one', 'two'],
  })
  await call(page, 'POST', `/businesses/${id}/do-not-contact`, { reason: 'Asked by phone' })
  return { id, name }
}

/** Scrolls to the end and checks that the header is still fully visible at the top. */
async function expectStays(page: Page, scroller: Locator, record: Locator) {
  const header = record.locator('header').first()
  const top = (await scroller.boundingBox())?.y ?? 0
  const { scrolled, hidden } = await scroller.evaluate((element) => {
    element.scrollTop = element.scrollHeight
    return { scrolled: element.scrollTop, hidden: element.scrollWidth - element.clientWidth }
  })
  expect(scrolled).toBeGreaterThan(100)
  expect(hidden).toBe(0)
  await expect(header.getByRole('heading')).toBeInViewport({ ratio: 1 })
  await expect(header.getByText('Do not contact')).toBeInViewport({ ratio: 1 })
  await expect(header.getByRole('button', { name: 'Log call' }).first()).toBeInViewport({ ratio: 1 })
  const box = await header.boundingBox()
  expect(Math.abs((box?.y ?? 0) - top)).toBeLessThan(2)
  expect(box?.height ?? 0).toBeLessThanOrEqual(SHARE * (page.viewportSize()?.height ?? 0))
}

/** Texts of focused elements of the record that something else covers, while Tab or Shift+Tab goes through all of them. */
async function coveredBy(page: Page, record: Locator, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const covered: string[] = []
  for (let count = 0; count < 80; count += 1) {
    await page.keyboard.press(key)
    const focused = await record.evaluate((article) => {
      const { activeElement } = document
      if (activeElement === null || activeElement === article || !article.contains(activeElement)) return null
      // A link of several lines has several boxes, and the rectangle around them contains points outside the link.
      const [box = new DOMRect()] = activeElement.getClientRects()
      const { left, right, top, bottom } = box
      const at = (share: number) => document.elementFromPoint((left + right) / 2, top + (bottom - top) * share)
      const isSeen = [0.1, 0.5, 0.9]
        .map(at)
        .every((shown) => activeElement.contains(shown) || shown?.contains(activeElement))
      return isSeen ? '' : (activeElement.getAttribute('aria-label') ?? activeElement.textContent)
    })
    if (focused === null) return count === 0 ? ['nothing has the focus'] : covered
    if (focused !== '') covered.push(focused)
  }
  return [...covered, 'the focus never left the record']
}

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 500 },
  { width: 320, height: 256 },
]
for (const viewport of sizes)
  test(`the header of a record stays and covers nothing at ${viewport.width} × ${viewport.height}`, async ({
    page,
  }) => {
    test.setTimeout(180_000)
    await page.setViewportSize(viewport)
    await signIn(page)
    const { id, name } = await createLong(page)
    const record = page.getByRole('article', { name })

    const places = [
      { path: `/prospects/${id}`, scroller: page.getByRole('main') },
      {
        path: `/prospects?q=${encodeURIComponent(name)}`,
        scroller: page.getByRole('complementary', { name: 'Record' }),
      },
    ]
    for (const [place, { path, scroller }] of places.entries()) {
      await page.goto(path)
      if (place === 1) await page.getByRole('link', { name }).click()
      await record.getByRole('button', { name: /empty fields$/ }).click()
      await expectStays(page, scroller, record)
      // Over the list, a panel has no level-one heading of its own.
      if (place === 0 || viewport.width > 320) await expectAccessible(page)
      // From the end back to the top, then down again.
      await record.getByRole('tabpanel').getByRole('button').last().focus()
      expect(await coveredBy(page, record, 'Shift+Tab')).toEqual([])
      expect(await coveredBy(page, record, 'Tab')).toEqual([])
    }
  })
