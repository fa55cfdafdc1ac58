import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectAccessible, signIn, unique } from './steps.ts'

const headings = 'Besigheid / Company;Kontakpersoon;Selfoon/Tel;E-pos;Dorp;Stalletjie;Opmerkings;Moenie kontak nie;Rol'
/** Values in the column "Moenie kontak nie" that mean do not contact. */
const optOuts = ['J', 'ja', 'STOP', 'x', 'JA', 'Yes', 'stop', 'X']

/** Numbers that no other test of this run uses. */
let numbers = Date.now() % 1_000_000
const nextNumber = () => {
  numbers = (numbers + 7) % 10_000_000
  return String(numbers).padStart(7, '0')
}
const spaced = (digits: string) => `082 ${digits.slice(0, 3)} ${digits.slice(3)}`

/** A list of 60 rows as a desk receives it: 43 to work on, of which 2 are no business, 8 opt-outs, and 9 that repeat an earlier row. */
function dirtyList(name: string): Buffer {
  const clean = Array.from({ length: 41 }, () => nextNumber())
  const rows = clean.map((digits, n) => {
    const phone = n % 3 === 0 ? `+27 82 ${digits}` : spaced(digits)
    const email = n % 5 === 0 ? 'n/a' : `desk${digits}@kafee-${digits}.example.com`
    return `${name} Kafée ${n + 1};Zoë Môre;${phone};${email};Graaff-Reinet;A${n + 1};"Hou van tee; bel ná vyf";nee;Eienaar`
  })
  const repeated = clean
    .slice(0, 9)
    .map((digits, n) => `${name} Cafe ${n + 1};;082-${digits.slice(0, 3)}-${digits.slice(3)};;Graaff-Reinet;B${n};;;`)
  const blocked = optOuts.map((said, n) => {
    const digits = nextNumber()
    return `${name} Stop ${n + 1};Piet Nel;${spaced(digits)};stop${digits}@stop-${digits}.example.com;Paarl;C${n};;${said};`
  })
  const all = [
    ...rows.slice(0, 20),
    ...blocked.slice(0, 4),
    'Totaal;;;;;20;;;',
    ...rows.slice(20),
    ...repeated,
    ...blocked.slice(4),
    'Totaal;;;;;60;;;',
  ]
  return Buffer.from(`${headings}\r\n${all.join('\r\n')}\r\n`, 'latin1')
}

const listOf = (buffer: Buffer) => ({ name: 'skou.csv', mimeType: 'text/csv', buffer })
const rowHeading = (page: Page) => page.getByRole('heading', { level: 2, name: /^Row \d+ of 60$/ })

/** Ends the work on the open row by one key or one click, and waits for the next row or the end. */
async function endRow(page: Page, act: () => Promise<void>): Promise<boolean> {
  const heading = rowHeading(page)
  const before = (await heading.textContent()) ?? ''
  await act()
  const ended = page.getByText('No row is left')
  await expect(page.getByRole('heading', { name: before, exact: true })).toBeHidden()
  await expect(heading.or(ended)).toBeVisible()
  return await ended.isVisible()
}

/** True if the open row is the sum of the list, which is no business. */
const isTotal = async (page: Page) =>
  (await page.getByRole('textbox', { name: 'Registered name' }).inputValue()) === 'Totaal'

/** Answers the questions about the file by keyboard. They are asked before its first row. */
async function stateOrigin(page: Page): Promise<void> {
  const panel = page.getByRole('form', { name: 'Source of the prospects' })
  await expect(panel.getByRole('textbox', { name: 'Purpose' })).toBeFocused()
  await page.keyboard.type('Introductions to exhibitors')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Legitimate interest')
  await page.keyboard.press('Enter')
}

const stateOf = (page: Page): Locator => page.getByRole('status').filter({ hasText: /of 60 done/ })

test('a dirty list of 60 rows becomes prospects by keyboard, one key a row', async ({ page }) => {
  test.setTimeout(480_000)
  await signIn(page, '/prospects')
  await expect(page.getByRole('heading', { level: 1, name: 'Prospects' })).toBeVisible()
  await page.keyboard.press('Control+k')
  for (const word of ['upload', 'csv', 'import']) {
    await page.keyboard.press('Control+a')
    await page.keyboard.type(word)
    await expect(page.getByRole('option').first()).toHaveText(/Open a CSV file/)
  }
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'CSV preview' })).toBeVisible()
  const file = dirtyList(unique('Skou'))
  await page.locator('input[type="file"]').setInputFiles(listOf(file))
  await expect(page.getByRole('combobox', { name: 'Local phone numbers are from' })).toHaveValue('South Africa +27')
  await page.getByRole('link', { name: 'Work through the rows' }).press('Enter')
  await stateOrigin(page)
  await expect(page.getByText('Purpose: Introductions to exhibitors.')).toBeVisible()
  const heading = rowHeading(page)
  await expect(heading).toHaveText('Row 1 of 60')
  await expect(heading).toBeFocused()
  await expect(page.getByRole('complementary', { name: 'Row of the file' })).toContainText('Stalletjie')
  await expectAccessible(page)

  // Set once for all rows of the file.
  const tags = page.getByRole('combobox', { name: 'Tags for all rows' }).or(page.getByLabel('Tags for all rows'))
  await tags.first().fill('skou 2026')
  await page.keyboard.press('Enter')
  const followUp = page.getByRole('textbox', { name: 'Follow-up for all rows' })
  await followUp.fill('today')
  await heading.focus()
  let presses = 0
  for (let isOver = false; !isOver; presses += 1) {
    const key = (await isTotal(page)) ? 'x' : 'Control+Enter'
    isOver = await endRow(page, () => page.keyboard.press(key))
    if (!isOver) await expect(heading).toBeFocused()
  }
  expect(presses).toBe(43)
  await expect(stateOf(page)).toHaveText('41 of 60 done, 9 known, 8 do not contact, 2 skipped')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Add 8 opt-outs to the do-not-contact list' }).press('Enter')
  const lines = page.getByRole('textbox', { name: 'Lines' })
  await expect(lines).toHaveValue(/^082 /)
  expect((await lines.inputValue()).split('\n')).toHaveLength(16)
  await page.getByRole('button', { name: 'Preview' }).press('Enter')
  await page.getByRole('textbox', { name: 'Reason' }).fill('They opted out at the expo.')
  await page.getByRole('combobox', { name: 'Received by' }).press('Enter')
  await page.getByRole('option', { name: 'In person' }).click()
  await page.getByRole('button', { name: 'Add 16 entries' }).press('Enter')
  await expect(page.getByText('16 entries added.')).toBeVisible()
  // They are not offered again.
  await page.goBack()
  await page.getByRole('button', { name: 'Add 8 opt-outs to the do-not-contact list' }).press('Enter')
  await expect(page.getByText('The emails and phones of the opt-outs are on the do-not-contact list.')).toBeVisible()
  await expect(page.getByText('Purpose: Introductions to exhibitors.')).toBeVisible()
  await page.getByRole('link', { name: 'Prospects of this file' }).press('Enter')
  await expect(page).toHaveURL(/sourceLabel=/)
  await expect(page.getByText('41 match')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Kafée')
  // All of them have the tag and the follow-up that were set for all rows, also the one of the row that was open at that time.
  await page.goto(`${page.url()}&tag=skou%202026&followUp=today`)
  await expect(page.getByText('41 match')).toBeVisible()

  // Each has the person of its row, with the role.
  await page.goto(`${page.url()}&conditions=person:contains:zoe%20more;role:any_of:eienaar`)
  await expect(page.getByText('41 match')).toBeVisible()

  // The recorded file leads to the same prospects.
  await page.goto('/sources/files')
  const recorded = page.getByRole('row', { name: /skou\.csv/ }).first()
  await expect(recorded).toContainText('Legitimate interest')
  await recorded.getByRole('link', { name: 'Prospects of skou.csv' }).press('Enter')
  await expect(page.getByText('41 match')).toBeVisible()
})

test('a dirty list becomes prospects by mouse, and after a reload the same file continues at the same row', async ({
  page,
}) => {
  test.setTimeout(480_000)
  await signIn(page, '/prospects')
  await page.getByRole('button', { name: 'New prospects from a list' }).click()
  await page.getByRole('menuitem', { name: 'Open a CSV file' }).click()
  const name = unique('Mark')
  const file = dirtyList(name)
  const upload = page.locator('input[type="file"]')
  await upload.setInputFiles(listOf(file))
  await page.getByRole('link', { name: 'Work through the rows' }).click()
  // A person who does not know the answers about the file yet can work without them.
  await page.getByRole('button', { name: 'Answer later' }).click()
  const heading = rowHeading(page)
  await expect(heading).toHaveText('Row 1 of 60')
  const create = page.getByRole('button', { name: 'Create and open next row' })
  const skip = page.getByRole('button', { name: 'Skip', exact: true })
  await create.click()
  await expect(heading).toHaveText('Row 2 of 60')
  await skip.click()
  await expect(heading).toHaveText('Row 3 of 60')
  await expect(stateOf(page)).toHaveText('1 of 60 done, 1 skipped')

  await page.reload()
  await expect(page.getByText('No file is open')).toBeVisible()
  await page.getByRole('link', { name: 'Choose file' }).click()
  await upload.setInputFiles(listOf(file))
  await page.getByRole('link', { name: 'Work through the rows' }).click()
  await expect(heading).toHaveText('Row 3 of 60')
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(`${name} Kafée 3`)
  await page.getByRole('button', { name: 'Previous', exact: true }).click()
  await expect(heading).toHaveText('Row 2 of 60')
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await expect(heading).toHaveText('Row 3 of 60')

  await page.getByRole('button', { name: 'Record them' }).click()
  await page.getByRole('textbox', { name: 'Purpose' }).fill('Introductions to exhibitors')
  await page.getByRole('textbox', { name: 'Legal basis' }).fill('Legitimate interest')
  await page.getByRole('button', { name: 'Record and open the rows' }).click()
  await expect(page.getByText('Purpose: Introductions to exhibitors.')).toBeVisible()
  await expect(heading).toHaveText('Row 3 of 60')

  let clicks = 0
  for (let isOver = false; !isOver; clicks += 1) {
    const button = (await isTotal(page)) ? skip : create
    isOver = await endRow(page, () => button.click())
  }
  // One click for each of the other rows to work on, among them the row that repeats the skipped one.
  expect(clicks).toBe(42)
  await expect(stateOf(page)).toHaveText('41 of 60 done, 8 known, 8 do not contact, 3 skipped')
  await page.getByRole('link', { name: 'Prospects of this file' }).click()
  await expect(page.getByText('41 match')).toBeVisible()
})

test('the choices for a set of headings are remembered', async ({ page }) => {
  await signIn(page, '/sources/csv-preview')
  const upload = page.locator('input[type="file"]')
  const fileOf = (text: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await upload.setInputFiles(fileOf('Firm,Reach\nKaroo,082 123 4567\n'))
  const rows = page.getByRole('region', { name: 'Rows of the file' })
  await rows.getByRole('combobox', { name: 'Type of column 1' }).click()
  await page.getByRole('option', { name: 'Registered name' }).click()
  await expect(rows.getByRole('combobox', { name: 'Type of column 1' })).toHaveValue('Registered name')
  await page.reload()
  await upload.setInputFiles(fileOf('Firm,Reach\nSutherland,082 123 9999\n'))
  await expect(rows.getByRole('combobox', { name: 'Type of column 1' })).toHaveValue('Registered name')
})
