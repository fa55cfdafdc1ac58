import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { OverPage } from '../dialogs/over-page.tsx'
import { openTerms } from './open-terms.tsx'

test('the meaning of the words opens over the page and closes', async () => {
  await renderInApp(<OverPage />)
  openTerms()
  const dialog = page.getByRole('dialog', { name: 'What the words mean' })
  await expect.element(dialog).toBeVisible()
  const titles = [...dialog.element().querySelectorAll('dt')].map(({ textContent }) => textContent)
  expect(titles).toEqual(['Evidence', 'Score', 'Priority', 'Review'])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await vi.waitFor(() => expect(dialog.query()).toBeNull())
})
