import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

const dig = (name: string) =>
  [
    `; <<>> DiG 9.18.33 <<>> ${name} MX`,
    ';; Got answer:',
    ';; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 4711',
    ';; flags: qr rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1',
    ';; QUESTION SECTION:',
    `;${name}. IN MX`,
    ';; ANSWER SECTION:',
    `${name}. 3600 IN MX 10 mail.${name}.`,
    ';; SERVER: 10.0.0.53#53(10.0.0.53) (UDP)',
    ';; WHEN: Wed Nov 25 10:00:00 IST 2020',
  ].join('\n')

test('a pasted DNS response is read, corrected, recorded and shown with its age', async ({ page }) => {
  test.slow()
  const name = `${unique('paste').toLowerCase().replace(/\W+/g, '-')}.co.za`
  await signIn(page, '/domains/paste')
  await page.getByRole('textbox', { name: 'Output of dig' }).fill(dig(name))
  const card = page.getByRole('region', { name: `MX of ${name}` })
  await expect(card.getByText('This time or its time zone is not known')).toBeVisible()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Record', exact: true }).click()
  await expect(card.getByText('Enter a date and time, such as')).toBeVisible()
  await card.getByRole('textbox', { name: 'Queried at' }).fill('2020-11-25 10:00')
  await card.getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByRole('link', { name: `Open ${name}` }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  const mail = page.getByRole('region', { name: 'Mail servers (MX)' })
  await expect(mail).toContainText(`10 mail.${name}`)
  await expect(mail).toContainText('Stale since')
  await expect(page.getByRole('region', { name: 'Name servers (NS)' })).toContainText('Not checked')
  await expect(page.getByText('Availability unknown.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Check now' }).click()
  await expect(page.getByText('No source for DNS queries is set up, so no query was sent.')).toBeVisible()
})

test('a candidate is compared and accepted by keyboard, and the domain is added only on request', async ({ page }) => {
  test.slow()
  const domain = `${unique('mail').toLowerCase().replace(/\W+/g, '-')}.co.za`
  await signIn(page, '/domains/candidates')
  const business = await createBusiness(page, { name: unique('Candidate Traders') })
  await call(page, 'POST', '/domain-candidates', {
    domain,
    businessId: business.id,
    reason: 'It is on their letterhead.',
  })
  await page.goto(`/domains/candidates?search=${domain}`)
  const card = page.getByRole('article', { name: `${domain} for ` })
  await expect(card).toContainText('A person proposed it')
  await expectAccessible(page)
  for (let moves = 0; moves < 40; moves++) {
    await page.keyboard.press('j')
    if (await card.evaluate((element) => element.contains(document.activeElement))) break
  }
  await page.keyboard.press('y')
  const dialog = page.getByRole('dialog', { name: `Accept ${domain}` })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('The owner confirmed it.')
  await expectAccessible(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toBeHidden()
  await expect(card).toBeHidden()
  await page.goto(`/domains/about?domain=${domain}`)
  await expect(page.getByRole('heading', { name: 'Accepted for' })).toBeVisible()
  await page.goto(`/prospects/${business.id}`)
  await expect(page.getByText(domain).first()).toBeVisible()
})
