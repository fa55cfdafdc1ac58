import type { BusinessSummary } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderInApp } from '../../../../test/render.tsx'
import { prospectColumns } from './prospect-columns.tsx'

/** Renders the cells of one column for these values of a row. */
async function show(columnId: string, ...rows: Partial<BusinessSummary>[]): Promise<void> {
  const column = prospectColumns.find(({ id }) => id === columnId)
  await renderInApp(
    <ul>
      {rows.map((row) => (
        <li key={JSON.stringify(row)}>{column?.render(row as BusinessSummary)}</li>
      ))}
    </ul>,
  )
}
const cells = () => page.getByRole('listitem').elements()

test('the evidence of a prospect is a count, and None for zero', async () => {
  await show('evidence', { evidenceCount: 0 }, { evidenceCount: 1 }, { evidenceCount: 12_345 })
  await expect.element(page.getByText('None')).toBeVisible()
  expect(cells().map((cell) => cell.textContent)).toEqual(['None', '1', '12\u00a0345'])
})

test('a phone has one format with the original on hover; a phone that cannot be normalized is shown as entered', async () => {
  await show(
    'phone',
    { primaryPhone: '021 555 0101', primaryPhoneNormalized: '+27215550101' },
    { primaryPhone: '+27215550102', primaryPhoneNormalized: '+27215550102' },
    { primaryPhone: '021 555', primaryPhoneNormalized: null },
    { primaryPhone: null, primaryPhoneNormalized: null },
  )
  await expect.element(page.getByTitle('As entered: 021 555 0101')).toHaveTextContent('+27215550101')
  expect(cells().map((cell) => cell.textContent)).toEqual(['+27215550101', '+27215550102', '021 555', '–'])
  expect(cells().filter((cell) => cell.querySelector('[title]') !== null)).toHaveLength(1)
})
