import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { FocusKeeper } from './focus-keeper.tsx'

function Removed() {
  const [isThere, setThere] = useState(true)
  return (
    <>
      <FocusKeeper />
      <section aria-label="Around it">
        {isThere && (
          <button type="button" onClick={() => setThere(false)}>
            Remove me
          </button>
        )}
      </section>
      <p>Beside everything</p>
    </>
  )
}

test('a button that removes itself leaves the focus in its section', async () => {
  await renderInApp(<Removed />)
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('region', { name: 'Around it' })).toHaveFocus()
})

test('a click on the empty page removes the focus permanently', async () => {
  await renderInApp(<Removed />)
  await userEvent.tab()
  await page.getByText('Beside everything').click()
  expect(document.activeElement).toBe(document.body)
})
