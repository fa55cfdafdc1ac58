import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { FixedTable, useZeroRows } from './fixed-table.tsx'

function Counts({ counts }: { counts: number[] }) {
  const { rows, button } = useZeroRows(counts, (count) => count === 0)
  return (
    <>
      <FixedTable>
        <tbody>
          {rows.map((count, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: counts are not unique
            <tr key={at}>
              <td>{count}</td>
            </tr>
          ))}
        </tbody>
      </FixedTable>
      {button}
    </>
  )
}
const shown = () =>
  page
    .getByRole('row')
    .elements()
    .map((row) => row.textContent)

test('rows of zeros are folded, and a button shows them in their places', async () => {
  await renderInApp(<Counts counts={[0, 3, 0, 1]} />)
  await expect.poll(shown).toEqual(['3', '1'])
  const button = page.getByRole('button', { name: 'Show 2 with 0' })
  await expect.element(button).toHaveAttribute('aria-expanded', 'false')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.poll(shown).toEqual(['0', '3', '0', '1'])
  await page.getByRole('button', { name: 'Hide 2 with 0' }).click()
  await expect.poll(shown).toEqual(['3', '1'])
})

test('a table without zeros, or with nothing else, is not folded', async () => {
  const { show } = await renderInApp(<Counts counts={[1]} />)
  await expect.poll(shown).toEqual(['1'])
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
  show(<Counts counts={[0, 0]} />)
  await expect.poll(shown).toEqual(['0', '0'])
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})
