import type { Page as ApiPage, Evidence } from '@prospect/api-client'
import { expect, test } from './fixtures.ts'
import { createBusiness, expectAccessible, signIn, unique } from './steps.ts'

const fileOf = (text: string, name = 'contacts.csv') => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('a file is uploaded, a column is mapped, problems are shown, and one row is saved as a new prospect', async ({
  page,
}) => {
  await signIn(page, '/sources/csv-preview')
  await expect(page.getByRole('heading', { level: 1, name: 'CSV preview' })).toBeVisible()
  await expect(page.getByText('Nothing is imported or stored')).toBeVisible()
  const name = unique('Karoo Bakery')
  const text = `Firm,Reach,Mail,Town\n${name},082 123 4567,info@karoo.example.com,Prieska\nSunrise,=1+1,not an address,Upington\n`
  await page.locator('input[type="file"]').setInputFiles(fileOf(text))

  const rows = page.getByRole('region', { name: 'Rows of the file' })
  await expect(rows.getByText('Not an email address')).toBeVisible()
  await expect(rows.getByText('Formula: a spreadsheet would run this')).toBeVisible()
  const said = page.getByRole('main').getByRole('status').first()
  await expect(said).toHaveText('2 rows read, 1 to review')
  await expectAccessible(page)

  // The server cannot recognise "Firm", so the user maps it.
  await rows.getByRole('combobox', { name: 'Type of column 1' }).click()
  await page.getByRole('option', { name: 'Registered name' }).click()
  const second = rows.getByRole('combobox', { name: 'Type of column 2' })
  // Read-only while the file is read again.
  await expect(second).toBeEditable()
  await second.click()
  await page.getByRole('option', { name: 'Phone' }).click()
  // The country of the workspace is the default.
  await expect(said).toHaveText('2 rows read, 1 to review')
  await expect(rows.getByText('Local number without a country')).toBeHidden()
  await page.getByRole('button', { name: 'Clear “Local phone numbers are from”' }).click()
  await expect(rows.getByText('Local number without a country')).toBeVisible()
  await expect(said).toHaveText('2 rows read, 2 to review')
  await page.getByRole('combobox', { name: 'Local phone numbers are from' }).click()
  await page.getByRole('option', { name: 'South Africa' }).click()
  await expect(rows.getByText('Local number without a country')).toBeHidden()
  await expect(said).toHaveText('2 rows read, 1 to review')

  await rows.getByRole('button', { name: 'New prospect from row 1' }).click()
  await expect(page.getByText('From row 1 of contacts.csv')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue(name)
  await expect(page.getByLabel('City')).toHaveValue('Prieska')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  // The page returns to the row, which shows the created prospect.
  const first = rows.getByRole('row', { name: /^Row 1 / })
  await expect(first.getByRole('button', { name: 'New prospect from row 1' })).toBeFocused()
  await expect(first).toContainText(`Created: ${name}`)
  await expectAccessible(page)
  await first.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const id = page.url().split('/').at(-1)?.split('?')[0]
  const evidence: ApiPage<Evidence> = await (await page.request.get(`/api/v1/businesses/${id}/evidence`)).json()
  expect(evidence.items).toMatchObject([
    {
      sourceLabel: expect.stringMatching(/^CSV file contacts\.csv \([0-9a-f]{8}\)$/),
      sourceReference: expect.stringMatching(/^contacts\.csv · row 1 \(line 2\) · SHA-256 [0-9a-f]{64}$/),
      observation: `Firm: ${name}\nReach: 082 123 4567\nMail: info@karoo.example.com\nTown: Prieska`,
    },
  ])
})

test('numbers of another country are read after it is selected, and a row uses that country', async ({ page }) => {
  await signIn(page, '/sources/csv-preview')
  const name = unique('Arroyo Grill')
  const text = `NAME,PHONENUMBER\n${name},(626) 204-2266\nState Street Diner,(847) 488-9988\n`
  await page.locator('input[type="file"]').setInputFiles(fileOf(text))
  const rows = page.getByRole('region', { name: 'Rows of the file' })
  // The numbers are not valid in the country of the workspace, which is the default.
  await expect(rows.getByText('Not a valid phone number')).toHaveCount(2)
  const country = page.getByRole('combobox', { name: 'Local phone numbers are from' })
  await expect(country).toHaveValue('South Africa +27')
  await country.click()
  await country.fill('united states')
  await page.getByRole('option', { name: 'United States +1' }).click()
  await expect(rows.getByText('Local number without a country')).toHaveCount(0)
  await expect(page.getByRole('main').getByRole('status').first()).toHaveText('2 rows read, 0 to review')
  await expectAccessible(page)

  await rows.getByRole('button', { name: 'New prospect from row 1' }).click()
  await expect(page.getByRole('combobox', { name: 'Country of phone 1' })).toHaveValue('United States +1')
  await page.goBack()
  await page.getByRole('button', { name: 'Clear “Local phone numbers are from”' }).click()
  await expect(rows.getByText('Local number without a country')).toHaveCount(2)
  await rows.getByRole('button', { name: 'New prospect from row 2' }).click()
  await expect(page.getByRole('combobox', { name: 'Country of phone 1' })).toHaveValue('')
})

test('a new prospect after one started from a row is blank, and the draft of the first one stays', async ({ page }) => {
  await signIn(page, '/prospects/new')
  await page.getByRole('textbox', { name: 'Registered name' }).fill('Begun before')
  await page.goto('/sources/csv-preview')
  await page.locator('input[type="file"]').setInputFiles(fileOf('name,city\nOf the row,Prieska\n'))
  await page.getByRole('button', { name: 'New prospect from row 1' }).click()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue('Of the row')
  await page.keyboard.press('Escape')
  await page.keyboard.press('c')
  await expect(page.getByText('From row 1 of contacts.csv')).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue('Begun before')
  await expect(page.getByLabel('City')).toHaveValue('')
})

test('selected cells of a row are recorded on the matching prospect by keyboard', async ({ page }) => {
  await signIn(page)
  const email = `desk-${Date.now()}@recorded.example.com`
  const { id, name } = await createBusiness(page, { name: unique('Known'), emails: [{ value: email }] })
  await page.goto('/sources/csv-preview')
  await page.locator('input[type="file"]').setInputFiles(fileOf(`name,email\nSomebody,${email}\n`, 'list.csv'))
  const record = page.getByRole('button', { name: 'Record row 1 on a prospect' })
  await expect(page.getByRole('link', { name })).toBeVisible()
  await record.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Record row 1 on a prospect' })
  await expect(dialog.getByRole('radio', { name })).toBeChecked()
  await expect(dialog.getByLabel('Find prospect')).toBeFocused()
  await expectAccessible(page)
  // Searching for another prospect deselects the proposed one.
  await page.keyboard.type('Somebody else')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('radio', { name })).not.toBeChecked()
  await expect(dialog.getByRole('button', { name: 'Record cells' })).toBeDisabled()
  await dialog.getByLabel('Find prospect').fill('')
  await expect(dialog.getByRole('radio', { name })).toBeChecked()
  // No cell is selected at first.
  await expect(dialog.getByRole('button', { name: 'Record cells' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: `email: ${email}` }).press('Space')
  await dialog.getByRole('button', { name: 'Record cells' }).press('Enter')
  await expect(page.getByText(`Row 1 recorded on ${name}`)).toBeVisible()
  await expect(record).toBeFocused()
  await expect(page.getByRole('rowheader', { name: 'Row 1', exact: true })).toContainText(`Recorded on: ${name}`)
  await expect(page.getByRole('columnheader', { name: 'email', exact: true })).toBeVisible()
  const evidence: ApiPage<Evidence> = await (await page.request.get(`/api/v1/businesses/${id}/evidence`)).json()
  expect(evidence.items).toMatchObject([{ field: 'email', value: email, confidence: 'low', rawState: 'kept' }])

  // The marks are kept after a reload, although the page no longer has the file.
  await page.reload()
  await page.locator('input[type="file"]').setInputFiles(fileOf(`name,email\nSomebody,${email}\n`, 'list.csv'))
  const row = page.getByRole('rowheader', { name: 'Row 1', exact: true })
  await expect(row).toContainText(`Recorded on: ${name}`)
  await row.getByRole('link', { name }).last().click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
})

test('creating a prospect returns to its row, also on a later page of the rows to review', async ({ page }) => {
  await signIn(page, '/sources/csv-preview')
  const lines = Array.from({ length: 150 }, (_, index) => `Firm ${index + 1},not an address`)
  await page.locator('input[type="file"]').setInputFiles(fileOf(`name,email\n${lines.join('\n')}\n`))
  await page.getByText('To review (150)').click()
  await page.getByRole('button', { name: 'Load more' }).click()
  const button = page.getByRole('button', { name: 'New prospect from row 130' })
  await button.click()
  await expect(page.getByRole('textbox', { name: 'Registered name' })).toHaveValue('Firm 130')
  await page.getByRole('button', { name: 'Create prospect' }).click()
  await expect(button).toBeFocused()
  await expect(button).toBeInViewport()
  await expect(page.getByRole('radio', { name: 'To review (150)' })).toBeChecked()
})

test('a file that cannot be read completely shows the position of the error and keeps the rows before it', async ({
  page,
}) => {
  await signIn(page, '/sources/csv-preview')
  await page.locator('input[type="file"]').setInputFiles(fileOf('name,town\nOne,Prieska\nTwo,\0Upington\n'))
  await expect(page.getByRole('alert')).toContainText('There is a NUL byte')
  await expect(page.getByRole('region', { name: 'Rows of the file' })).toContainText('One')
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('do not contactNot checked')
})

test('lines with a stray quote are named with their text, and are read after quotes count as text', async ({
  page,
}) => {
  await signIn(page, '/sources/csv-preview')
  const lines = [
    'name,town',
    '"Karoo"Grill,Paarl',
    'Sunrise,"Upington"',
    `Pipe 6'5",Prieska`,
    '"Open,Calvinia',
    'Last,Paarl',
  ]
  await page.locator('input[type="file"]').setInputFiles(fileOf(`${lines.join('\n')}\n`))
  const said = page.getByRole('main').getByRole('status').first()
  await expect(said).toHaveText('2 rows read, 0 to review')
  const unread = page.getByRole('list', { name: 'Lines that were not read' })
  await expect(unread.getByRole('listitem')).toHaveText([
    /^Line 2, column 1: text after a closing quote\..*"Karoo"Grill,Paarl/,
    /^Line 4, column 1: a quote inside a cell.*Pipe 6'5",Prieska/,
    /^Line 5, column 1: a quote that is not closed\..*"Open,Calvinia/,
  ])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Read quotes as text' }).press('Enter')
  await expect(said).toHaveText('5 rows read, 0 to review')
  await expect(page.getByRole('combobox', { name: 'Quotes' })).toHaveValue('None')
  await expect(page.getByRole('region', { name: 'Rows of the file' })).toContainText(`Pipe 6'5"`)
  await expect(page.getByRole('button', { name: 'Read quotes as text' })).toBeHidden()
})

test('notes before the column names are left out, and another line can be chosen', async ({ page }) => {
  await signIn(page, '/sources/csv-preview')
  const text =
    'Notes:\n"Some addresses, as you may notice, are missing."\n\nCompany,Email Address,Remarks\nKaroo,a@karoo.example.com,tea\n'
  await page.locator('input[type="file"]').setInputFiles(fileOf(text))
  const said = page.getByRole('main').getByRole('status').first()
  await expect(said).toHaveText('1 row read, 0 to review')
  const header = page.getByRole('combobox', { name: 'Column names' })
  await expect(header).toHaveValue('Line 4: Company · Email Address · Remarks')
  await expect(page.getByText('The column names are on line 4.')).toBeVisible()
  await expectAccessible(page)
  await header.click()
  await page.getByRole('option', { name: /^None/ }).click()
  await expect(said).toHaveText(/^4 rows read/)
  await header.click()
  await page.getByRole('option', { name: /^Line 5/ }).click()
  await expect(said).toHaveText(/^0 rows read/)
  await expect(header).toHaveValue(/^Line 5: Karoo/)
})

test('a row that says do not contact is created as such, with its contact person, numbers and note', async ({
  page,
}) => {
  await signIn(page, '/sources/csv-preview')
  const name = unique('Stop Bakery')
  const text = `Besigheid / Company,Kontakpersoon,Selfoon/Tel,Notas,Moenie kontak nie\n${name},Jan Smit,+27 82 555 8826; +27 21 555 6601 (Jan),Hou van tee,ja\nUnclear Grill,,,,miskien\n`
  await page.locator('input[type="file"]').setInputFiles(fileOf(text))
  const rows = page.getByRole('region', { name: 'Rows of the file' })
  await expect(rows.getByRole('row', { name: /^Row 1 / })).toContainText('Do not contact')
  await expect(rows.getByRole('row', { name: /^Row 2 / })).toContainText('Do not contact: unclear in the file')
  await expect(rows.getByText('Neither yes nor no')).toBeVisible()
  await expectAccessible(page)
  await rows.getByRole('button', { name: 'New prospect from row 1' }).click()
  await expect(page.getByRole('checkbox', { name: 'Mark as do not contact' })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Phone 2', exact: true })).toHaveValue('+27 21 555 6601')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create prospect' }).click()
  const first = rows.getByRole('row', { name: /^Row 1 / })
  await first.getByRole('link', { name }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  const id = page.url().split('/').at(-1)?.split('?')[0]
  const record = await (await page.request.get(`/api/v1/businesses/${id}`)).json()
  expect(record).toMatchObject({
    doNotContact: { through: 'hand', reason: expect.stringContaining('contacts.csv · row 1') },
    phones: [{ label: 'Jan Smit' }, { label: 'Jan Smit' }],
  })
  const notes: ApiPage<{ id: string }> = await (await page.request.get(`/api/v1/businesses/${id}/notes`)).json()
  expect(notes.items).toHaveLength(1)
})

test('a large file is read by a job: the page shows progress, can be left, and has the result on return', async ({
  page,
}) => {
  await signIn(page, '/sources/csv-preview')
  const rows = Array.from(
    { length: 200_000 },
    (_, row) => `Large ${row},info@large-${row}.example.com,+2782${1_000_000 + row}`,
  )
  await page.locator('input[type="file"]').setInputFiles(fileOf(`name,email,phone\n${rows.join('\n')}\n`, 'large.csv'))
  const reading = page.getByRole('region', { name: 'Reading' })
  await expect(reading.getByText(/of 1\d MB read/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Prospects', exact: true }).first().click()
  await expect(page).toHaveURL(/prospects/)
  await page.getByRole('link', { name: 'Sources' }).click()
  await page.getByRole('link', { name: 'CSV preview' }).click()
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText(/200.000/, { timeout: 60_000 })

  await page.locator('input[type="file"]').setInputFiles(fileOf(`name,email,phone\n${rows.join('\n')}\n`, 'large.csv'))
  await page.getByRole('button', { name: 'Stop reading' }).click()
  await expect(page.getByRole('alert')).toContainText('The analysis was cancelled.')
})
