import type { SuppressionPreviewLine } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { renderInApp } from '../../../test/render.tsx'
import { LineTable } from './line-table.tsx'

const line = (number: number, more: Partial<SuppressionPreviewLine>): SuppressionPreviewLine => ({
  line: number,
  text: `line ${number}`,
  kind: 'email',
  normalized: 'victim@kappertjie.co.za',
  ignored: null,
  code: null,
  message: null,
  outcome: 'would_add',
  records: 0,
  ...more,
})
const refused = { outcome: 'refused', kind: null, normalized: null, records: null } as const

test('refused lines come first and can be shown alone, and the ignored text of a line is shown', async () => {
  const lines = [
    line(1, { text: 'victim@kappertjie.co.za\tunsubscribed', ignored: 'unsubscribed', records: 1_000 }),
    line(2, { outcome: 'empty' }),
    line(3, { ...refused, message: 'This line has several values.' }),
  ]
  await renderInApp(<LineTable lines={lines} />)
  const rows = page.getByRole('row')
  await expect
    .poll(() => rows.elements().map((row) => row.textContent?.replace(/\s+/g, ' ')))
    .toEqual([
      'LinePastedRead asOutcomeRecords',
      '3line 3RefusedThis line has several values.',
      expect.stringMatching(
        /^1victim@kappertjie.co.za.unsubscribedEmail addressvictim@kappertjie.co.zaIgnored: unsubscribedTo add1.000 or more$/,
      ),
    ])
  await page.getByRole('checkbox', { name: 'Show only the 1 refused line' }).click()
  await expect.poll(() => rows.elements().length).toBe(2)
  await expect.element(page.getByText('Ignored: unsubscribed')).not.toBeInTheDocument()
})

test('the filter of refused lines works by keyboard and keeps the focus', async () => {
  await renderInApp(<LineTable lines={[line(1, {}), line(2, refused)]} />)
  const filter = page.getByRole('checkbox', { name: 'Show only the 1 refused line' })
  await expect.element(filter).toBeVisible()
  await userEvent.tab()
  await expect.element(filter).toHaveFocus()
  await userEvent.keyboard(' ')
  await expect.poll(() => page.getByRole('row').elements().length).toBe(2)
  await expect.element(filter).toHaveFocus()
  await userEvent.keyboard(' ')
  await expect.poll(() => page.getByRole('row').elements().length).toBe(3)
})

test('without refused lines, or with nothing else, there is nothing to hide', async () => {
  const { show } = await renderInApp(<LineTable lines={[line(1, {})]} />)
  await expect.element(page.getByText('To add')).toBeVisible()
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
  show(<LineTable lines={[line(1, refused)]} />)
  await expect.element(page.getByText('Refused')).toBeVisible()
  await expect.element(page.getByRole('checkbox')).not.toBeInTheDocument()
})
