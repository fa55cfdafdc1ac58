import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

test('by keyboard, a person is added, named in a call, and marked do not contact together with the prospect', async ({
  page,
}) => {
  await signIn(page)
  const name = unique('Buyers')
  const { id } = await createBusiness(page, { name })
  await page.goto(`/prospects/${id}`)
  const people = page.getByRole('region', { name: 'People' })
  await expect(people.getByText('No people yet.')).toBeVisible()
  // The people come before the facts of the record.
  await expect(page.getByRole('tabpanel').getByRole('heading').first()).toHaveText('People')

  await people.getByRole('button', { name: 'Add a person…' }).press('Enter')
  const adding = page.getByRole('dialog', { name: `Add a person at ${name}` })
  await expect(adding.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.type('082 555 0142')
  await page.keyboard.press('Control+Enter')
  await expect(adding.getByText('Enter a name with letters.')).toBeVisible()
  await adding.getByRole('textbox', { name: 'Name' }).fill('Thandi Nkosi')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Buyer')
  await adding.getByLabel('Phones').focus()
  await page.keyboard.type('082 555 0142')
  await page.keyboard.press('Control+Enter')
  await expect(adding).toHaveCount(0)
  await expect(people.getByRole('listitem')).toContainText(['Thandi Nkosi'])
  await expect(people.getByRole('listitem')).toContainText(['+27 82 555 0142'])
  await expectAccessible(page)

  await page.keyboard.press('i')
  const call = page.getByRole('form', { name: 'Log call' })
  await expect(call.getByRole('radio', { name: 'No answer' })).toBeFocused()
  await page.keyboard.press('1')
  await call.getByRole('combobox', { name: 'Spoke to' }).focus()
  await page.keyboard.type('than')
  await expect(page.getByRole('option', { name: 'Thandi Nkosi, Buyer' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('list', { name: 'Interactions, latest first' }).getByRole('listitem')).toHaveCount(1)

  await page.getByRole('tab', { name: 'Overview' }).click()
  await people.getByRole('button', { name: 'Do not contact… Thandi Nkosi' }).press('Enter')
  const blocking = page.getByRole('dialog', { name: 'Mark Thandi Nkosi as do not contact?' })
  await expect(blocking.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await expect(blocking.getByRole('checkbox')).toBeChecked()
  await page.keyboard.type('She asked us to stop.')
  await expectAccessible(page)
  await blocking.getByRole('combobox', { name: 'Received by' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Phone call' }).click()
  await blocking.getByRole('button', { name: 'Mark as do not contact' }).press('Enter')
  await expect(blocking).toHaveCount(0)
  await expect(people.getByRole('listitem')).toContainText(['Do not contact'])
  await expect(page.getByText('The record matches an entry of the do-not-contact list.')).toBeVisible()
})

test('by keyboard, the list is filtered by a person and a role, and its column names the people', async ({ page }) => {
  await signIn(page)
  const name = unique('Asked')
  const { id } = await createBusiness(page, { name, tags: [name] })
  await createBusiness(page, { name: `${name} alone`, tags: [name] })
  for (const person of [
    { name: 'Zoë O’Brien', role: 'Head buyer' },
    { name: 'Sipho Dlamini', role: null },
  ])
    await call(page, 'POST', `/businesses/${id}/people`, person)
  await page.goto(`/prospects?tag=${name}`)
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name }) })
  await expect(rows).toHaveCount(2)

  const add = async (field: string, typed: string) => {
    await page.getByRole('button', { name: 'Add filter' }).press('Enter')
    await page.getByRole('menuitem', { name: field, exact: true }).press('Enter')
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
  }
  await add('Person', 'obrien zoe')
  await expect(page).toHaveURL(/person/)
  await expect(rows).toHaveCount(1)
  await add('Role of a person', 'BUYER')
  await expect(page.getByRole('status').filter({ hasText: 'with a role containing “BUYER”' })).toHaveCount(1)
  await expect(rows).toHaveCount(1)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Columns and density' }).press('Enter')
  await page.getByRole('dialog').getByRole('checkbox', { name: 'People', exact: true }).press('Space')
  await page.keyboard.press('Escape')
  await expect(rows.getByText('Zoë O’Brien, Head buyer · Sipho Dlamini')).toBeVisible()
  await page.goto(`/prospects?tag=${name}&conditions=hasPerson:any_of:false`)
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(`${name} alone`)
})
