import type { BusinessSummary } from '@prospect/api-client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderInApp } from '../../../../test/render.tsx'
import { facts, nounOf, numberFacts } from '../../../ui/text/facts.ts'
import { conditionOf, fields } from './filter-fields.ts'
import { conditionWords } from './filter-words.ts'
import { NarrowProspect, prospectColumns } from './prospect-columns.tsx'
import { prospectSorts } from './prospect-search.ts'

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

test('the people of a prospect are names with roles and the number of further ones; hidden names are marked', async () => {
  const person = (name: string, role: string | null) => ({ id: name, businessId: 'b', name, role })
  await show(
    'people',
    { people: [person('Thandi Nkosi', 'Buyer'), person('Sipho Dlamini', null)], furtherPeople: 0 },
    { people: [person('•••', '•••')], furtherPeople: 4 },
    { people: [], furtherPeople: 0 },
  )
  await expect.poll(() => cells().length).toBe(3)
  expect(cells().map((cell) => cell.textContent)).toEqual([
    'Thandi Nkosi, Buyer · Sipho Dlamini',
    '•••, ••• · 4 more',
    '–',
  ])
})

test('a prospect that is do not contact, or that has no number, has no contact hours', async () => {
  await show(
    'calls',
    { doNotContact: true, primaryPhone: '+27 21 555 0101', callCountry: 'ZA' },
    { doNotContact: false, primaryPhone: null, callCountry: null },
    { doNotContact: false, primaryPhone: '0104', callCountry: null },
  )
  await expect.element(page.getByText('Unknown: the country of the number is not known')).toBeVisible()
  expect(cells().map((cell) => cell.textContent)).toEqual(['–', '–', 'Unknown: the country of the number is not known'])
})

test('a phone has one format with the original on hover; a phone that cannot be normalized is shown as entered', async () => {
  await show(
    'phone',
    { primaryPhone: '021 555 0101', primaryPhoneNormalized: '+27215550101' },
    { primaryPhone: '+27215550102', primaryPhoneNormalized: '+27215550102' },
    { primaryPhone: '021 555', primaryPhoneNormalized: null },
    { primaryPhone: null, primaryPhoneNormalized: null },
  )
  await expect.element(page.getByTitle('As entered: 021 555 0101')).toHaveTextContent('+27 21 555 0101')
  expect(cells().map((cell) => cell.textContent)).toEqual(['+27 21 555 0101', '+27 21 555 0102', '021 555', '–'])
  expect(cells().filter((cell) => cell.querySelector('[title]') !== null)).toHaveLength(1)
})

const durban = {
  kind: 'city_in_another_province',
  field: 'address.city',
  text: 'Durban is in KwaZulu-Natal, the record says Western Cape',
  version: 'identifiers-9',
} as const

test.for(['light', 'dark'])(
  'a doubtful place has a sign and words in the %s theme, not only a colour',
  async (theme) => {
    await show('city', { city: 'Durban', placeDoubts: [durban] }, { city: 'Paarl', placeDoubts: [] })
    // The theme is set after the first rendering, which sets it to light.
    const root = document.documentElement
    root.setAttribute('data-mantine-color-scheme', theme)
    onTestFinished(() => root.setAttribute('data-mantine-color-scheme', 'light'))
    const mark = page.getByTitle(durban.text)
    await expect.element(mark).toBeVisible()
    expect(mark.element().querySelector('svg')?.getBoundingClientRect().width).toBeGreaterThan(10)
    expect(cells().map((cell) => cell.textContent)).toEqual([`DurbanUncertain place: ${durban.text}`, 'Paarl'])
    expect(getComputedStyle(mark.element()).color).toBe(theme === 'light' ? 'rgb(138, 83, 0)' : 'rgb(233, 182, 92)')
  },
)

test('a place without a town shows its doubts too', async () => {
  const text = 'Postal code 8001 is in Western Cape, the record says KwaZulu-Natal'
  await show('city', { city: null, placeDoubts: [{ ...durban, kind: 'postal_code_in_another_province', text }] })
  expect(cells().map((cell) => cell.textContent)).toEqual([`–Uncertain place: ${text}`])
})

test('a narrow row marks a doubtful place', async () => {
  const row = { id: 'b1', name: 'Karoo', pipelineState: 'new', city: 'Durban', followUpOn: null, placeDoubts: [durban] }
  await renderInApp(
    <NarrowProspect row={{ ...row, updatedAt: '2026-11-01T08:00:00.000Z' } as unknown as BusinessSummary} />,
  )
  await expect.element(page.getByTitle(durban.text)).toBeVisible()
})

test('each number of the table of facts, such as employees, has a column, two sort orders and a filter with words', () => {
  expect(numberFacts).toContain('employees')
  for (const field of numberFacts) {
    expect(prospectColumns.map(({ id }) => id)).toContain(field)
    expect(prospectSorts).toEqual(expect.arrayContaining([field, `-${field}`]))
    const condition = conditionOf(field, 'between', [10, 50])
    expect([fields[field].kind, fields[field].ops[0]]).toEqual(['number', 'between'])
    expect(conditionWords(condition, { people: [], timeZone: 'UTC' })).toBe(
      `with a ${nounOf(facts[field])} from 10 to 50`,
    )
  }
})
