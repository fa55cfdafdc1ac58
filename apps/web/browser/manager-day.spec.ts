import type { Page } from '@playwright/test'
import { createPerson, otherPage } from './accounts.ts'
import { expect, test } from './fixtures.ts'
import { call, createBusiness, expectAccessible, signIn, unique } from './steps.ts'

/* What a sales manager does with websites, contacts and domains, with nothing but the screens. Sources: sources.spec.ts. */

const slug = (name: string) => unique(name).toLowerCase().replace(/\W+/g, '-')

/** Drops a file onto the page, as from the desktop. */
async function dropFile(page: Page, name: string, content: string): Promise<void> {
  const files = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], fileName, { type: 'text/html' }))
      return transfer
    },
    [name, content] as const,
  )
  for (const event of ['dragover', 'drop'])
    await page.locator('main').dispatchEvent(event, { dataTransfer: files, bubbles: true, cancelable: true })
}

const answersOf = (domain: string) =>
  [
    ['MX', `10 mail.${domain}.`],
    ['TXT', '"v=spf1 mx include:spf.protection.outlook.com -all"'],
  ]
    .map(([kind, data]) =>
      [
        `; <<>> DiG 9.18.33 <<>> ${domain} ${kind}`,
        ';; Got answer:',
        ';; ->>HEADER<<- opcode: QUERY, status: NOERROR, id: 4711',
        ';; flags: qr rd ra; QUERY: 1, ANSWER: 1, AUTHORITY: 0, ADDITIONAL: 1',
        ';; QUESTION SECTION:',
        `;${domain}. IN ${kind}`,
        ';; ANSWER SECTION:',
        `${domain}. 3600 IN ${kind} ${data}`,
        ';; SERVER: 10.0.0.53#53(10.0.0.53) (UDP)',
        ';; WHEN: Wed Nov 25 10:00:00 SAST 2020',
      ].join('\n'),
    )
    .join('\n\n')

test('a manager drops a saved page, reads what was read, extracts it and decides ten candidates', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000)
  const domain = `${slug('site')}.co.za`
  const name = unique('Karoo Fencing')
  await signIn(page)
  const { id } = await createBusiness(page, { name, domains: [{ value: domain }] })
  await page.goto(`/prospects/${id}?tab=website`)
  await page.getByRole('button', { name: `Propose ${domain} as official site` }).click()
  const sites = page.getByRole('list', { name: 'Official sites, newest first' })
  await expect(sites).toContainText(`${domain} · Proposed`)

  const manager = await otherPage(browser, baseURL)
  await signIn(manager, `/prospects/${id}?tab=website`, await createPerson(browser, baseURL, 'manager'))
  await manager.getByRole('button', { name: 'Approve…' }).click()
  await manager.getByRole('textbox', { name: 'Reason' }).fill('Their own name is on it.')
  await manager
    .getByRole('dialog')
    .getByRole('button', { name: /^Approve/ })
    .click()
  await expect(manager.getByRole('list', { name: 'Official sites, newest first' })).toContainText('Approved until')
  await manager.context().close()

  await page.goto('/contacts/extraction')
  const toggle = page.getByRole('button', { name: /^(?:Enable|Disable) extraction…$/ })
  await expect(toggle).toBeVisible()
  // Another journey of this worker can have enabled it before.
  if ((await toggle.textContent())?.startsWith('Enable')) {
    await toggle.click()
    const enabling = page.getByRole('dialog', { name: 'Enable extraction?' })
    await enabling.getByRole('textbox', { name: 'Reason' }).fill('Their sites are approved.')
    await enabling.getByRole('button', { name: 'Enable extraction' }).click()
    await expect(enabling).toBeHidden()
  }

  await page.goto(`/prospects/${id}?tab=website`)
  const contacts = page.getByRole('region', { name: 'Contacts' })
  await expect(contacts).toContainText('First add a contact page above.')
  const people = ['ann', 'ben', 'cara', 'dan', 'eve', 'finn', 'gita', 'hans', 'iris']
  const html = [
    `<!-- saved from url=(0027)https://${domain}/contact -->`,
    '<html><head><style>p { margin: 0 }</style><script>var hidden = "x@tracker.example"</script></head><body>',
    `<h1>${name}</h1><p>Telephone 021 555 0105</p>`,
    ...people.map((person) => `<p><a href="mailto:${person}@${domain}">${person}@${domain}</a></p>`),
    '<p>Example: name@example.com</p></body></html>',
  ].join('\n')
  await dropFile(page, 'contact.html', html)
  const supplying = page.getByRole('dialog', { name: 'Supply page' })
  await expect(supplying.getByRole('textbox', { name: 'Address of the page' })).toHaveValue(`https://${domain}/contact`)
  await expectAccessible(page)
  await supplying.getByRole('button', { name: 'Supply page' }).click()
  await expect(supplying).toBeHidden()
  const read = page.getByRole('region', { name: 'Contact page' })
  await expect(read).toContainText('Telephone •••')
  await expect(read).toContainText('Name: yes')

  await page.getByRole('button', { name: 'Extract contacts' }).click()
  await expect(contacts).toContainText('10 to review')
  await contacts.getByText('What was left out and why').click()
  await expect(contacts.getByRole('list', { name: 'Left out, by reason' })).toContainText('name@example.com')
  await expectAccessible(page)

  await contacts.getByRole('link', { name: 'Review the candidates' }).click()
  await expect(page.getByRole('article', { name: `021 555 0105 for ${name}` })).toBeVisible()
  for (const person of people) {
    const card = page.getByRole('article', { name: `${person}@${domain} for ${name}` })
    const isTheirs = person < 'e'
    await card.getByRole('button', { name: isTheirs ? 'Accept…' : 'Reject…' }).click()
    const dialog = page.getByRole('dialog')
    if (!isTheirs) await dialog.getByRole('textbox', { name: 'Reason' }).fill('No longer there.')
    await dialog.getByRole('button', { name: isTheirs ? 'Accept' : 'Reject' }).click()
    await expect(card).toBeHidden()
  }
  const phone = page.getByRole('article', { name: `021 555 0105 for ${name}` })
  await phone.getByRole('button', { name: 'Accept…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox', { name: 'Country of the number' })).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Add to record' }).click()
  await dialog.getByRole('button', { name: 'Accept' }).click()
  await expect(phone).toBeHidden()
  await page.goto(`/prospects/${id}?tab=evidence`)
  await expect(page.getByText(`ann@${domain}`).first()).toBeVisible()
})

test('a manager records DNS answers, reads them in words, and rejects the candidates of a mail host together', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const domain = `${slug('mailhost')}.co.za`
  await signIn(page)
  for (const at of [1, 2, 3]) {
    const { id } = await createBusiness(page, { name: unique(`Client ${at}`) })
    await call(page, 'POST', '/domain-candidates', { domain, businessId: id, reason: 'On their letterhead.' })
  }
  await page.goto('/domains/paste')
  await page.getByRole('textbox', { name: 'Output of dig' }).fill(answersOf(domain))
  await page.getByRole('button', { name: 'Record all 2' }).click()
  await page
    .getByRole('link', { name: `Open ${domain}` })
    .first()
    .click()
  const texts = page.getByRole('region', { name: 'Texts (TXT)' })
  await expect(texts).toContainText(
    'Mail of the domain is sent by its own mail servers and the servers that spf.protection.outlook.com',
  )
  await expect(page.getByRole('region', { name: 'Mail servers (MX)' })).toContainText(`10 mail.${domain}`)
  await expectAccessible(page)

  await page.getByRole('link', { name: '3 candidates wait for a decision' }).click()
  const group = page.getByRole('region', { name: domain })
  await expect(group).toContainText('3 candidates wait · no prospect uses it')
  await group.getByRole('button', { name: `Show candidates of ${domain}` }).click()
  await expect(group.getByRole('article')).toHaveCount(3)
  await expectAccessible(page)
  await group.getByRole('button', { name: `Reject all of ${domain}` }).click()
  const dialog = page.getByRole('dialog', { name: `Reject the candidates of ${domain}?` })
  await expect(dialog).toContainText('3 candidates are rejected')
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Anybody can have a mailbox there.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Reject the candidates' }).click()
  await expect(page.getByText(`3 candidates of ${domain} rejected.`)).toBeVisible()
  await expect(group).toBeHidden()
})
