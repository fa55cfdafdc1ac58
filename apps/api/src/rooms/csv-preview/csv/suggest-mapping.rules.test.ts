import { describe, expect, test } from 'vitest'
import type { CsvField } from './fields.ts'
import { findHeader } from './find-header.rules.ts'
import { suggestMapping } from './suggest-mapping.rules.ts'

/** Returns the suggested fields by heading, without the columns that get none. `cells`: the first row below the header. */
function suggested(columns: readonly (readonly [heading: string, cell: string])[]): Record<string, CsvField> {
  const found = suggestMapping(
    columns.map(([heading]) => heading),
    [columns.map(([, cell]) => cell)],
  )
  return Object.fromEntries(columns.flatMap(([heading], at) => (found[at]?.field ? [[heading, found[at].field]] : [])))
}

/** Headings in the order of each program, with a cell as the program writes it. */
describe('the columns of exports are suggested rightly or left open:', () => {
  test('Apollo', () => {
    expect(
      suggested([
        ['First Name', 'Jan'],
        ['Last Name', 'Smit'],
        ['Title', 'Owner'],
        ['Company', 'Karoo Grill (Pty) Ltd'],
        ['Company Name for Emails', 'Karoo Grill'],
        ['Email', 'jan@karoo.co.za'],
        ['Email Status', 'Verified'],
        ['Primary Email Source', 'Apollo'],
        ['Email Confidence', '0.97'],
        ['Contact Owner', 'rep@ourfirm.co.za'],
        ['Work Direct Phone', "'+27 82 555 8826"],
        ['Mobile Phone', "'+27 82 555 8827"],
        ['Corporate Phone', "'+27 21 555 8826"],
        ['Stage', 'Cold'],
        ['Account Owner', 'rep@ourfirm.co.za'],
        ['# Employees', '12'],
        ['Industry', 'restaurants'],
        ['Person Linkedin Url', 'http://www.linkedin.com/in/jan'],
        ['Website', 'http://www.karoo.co.za'],
        ['Company Linkedin Url', 'http://www.linkedin.com/company/karoo'],
        ['Facebook Url', 'https://www.facebook.com/karoo'],
        ['City', 'Bellville'],
        ['State', 'Western Cape'],
        ['Company Address', '12 Main Road, Paarl'],
        ['Company City', 'Paarl'],
        ['Company State', 'Western Cape'],
        ['Company Country', 'South Africa'],
        ['Email Sent', 'false'],
        ['Email Bounced', 'false'],
        ['Apollo Contact Id', '0825558826'],
        ['Secondary Email', 'info@karoo.co.za'],
        ['Do Not Call', 'false'],
      ]),
    ).toEqual({
      'First Name': 'contactPerson',
      'Last Name': 'contactPerson',
      Title: 'role',
      Company: 'name',
      Email: 'email',
      'Work Direct Phone': 'phone',
      'Mobile Phone': 'phone',
      'Corporate Phone': 'phone',
      '# Employees': 'employees',
      Industry: 'industry',
      Website: 'domain',
      'Company Address': 'address.street',
      'Company City': 'address.city',
      'Company State': 'address.province',
      'Company Country': 'address.country',
      'Secondary Email': 'email',
      'Do Not Call': 'doNotContact',
    })
  })

  test('Google Contacts', () => {
    expect(
      suggested([
        ['Name', 'Jan Smit'],
        ['Given Name', 'Jan'],
        ['Family Name', 'Smit'],
        ['Phonetic First Name', 'Jan'],
        ['File As', 'Smit'],
        ['Organization Name', 'Karoo Grill'],
        ['Organization Title', 'Chef'],
        ['Birthday', '1980-01-01'],
        ['Notes', 'likes tea'],
        ['Labels', '* myContacts'],
        ['E-mail 1 - Label', 'Work'],
        ['E-mail 1 - Value', 'jan@karoo.co.za'],
        ['E-mail 2 - Value', 'info@karoo.co.za'],
        ['Phone 1 - Label', 'Mobile'],
        ['Phone 1 - Value', '+27 82 555 8826 ::: +27 21 555 8826'],
        ['Phone 2 - Type', 'Work Fax'],
        ['Address 1 - Formatted', '12 Main Road\nPaarl'],
        ['Address 1 - Street', '12 Main Road'],
        ['Address 1 - City', 'Paarl'],
        ['Address 1 - Region', 'WC'],
        ['Address 1 - Postal Code', '7646'],
        ['Address 1 - Country', 'ZA'],
        ['Website 1 - Value', 'karoo.co.za'],
      ]),
    ).toEqual({
      Name: 'contactPerson',
      'Organization Name': 'name',
      'Organization Title': 'role',
      Notes: 'note',
      Labels: 'tag',
      'E-mail 1 - Value': 'email',
      'E-mail 2 - Value': 'email',
      'Phone 1 - Value': 'phone',
      'Address 1 - Street': 'address.street',
      'Address 1 - City': 'address.city',
      'Address 1 - Region': 'address.province',
      'Address 1 - Postal Code': 'address.postalCode',
      'Address 1 - Country': 'address.country',
      'Website 1 - Value': 'domain',
    })
  })

  test('Outlook', () => {
    expect(
      suggested([
        ['Title', 'Mr'],
        ['First Name', 'Jan'],
        ['Middle Name', 'P'],
        ['Last Name', 'Smit'],
        ['Company', 'Karoo Grill'],
        ['Department', 'Kitchen'],
        ['Job Title', 'Chef'],
        ['Business Street', '12 Main Road'],
        ['Business City', 'Paarl'],
        ['Business State', 'Western Cape'],
        ['Business Postal Code', '7646'],
        ['Business Country/Region', 'South Africa'],
        ['Home Street', '1 Home Road'],
        ['Home City', 'Wellington'],
        ["Assistant's Phone", '021 555 1111'],
        ['Business Fax', '021 555 2222'],
        ['Business Phone', '021 555 3333'],
        ['Business Phone 2', '021 555 3334'],
        ['Callback', '021 555 4444'],
        ['Company Main Phone', '021 555 5555'],
        ['Home Fax', '021 555 6666'],
        ['Mobile Phone', '082 555 7777'],
        ['Pager', '082 555 8888'],
        ['TTY/TDD Phone', '082 555 9999'],
        ['Account', '0821234567'],
        ['Categories', 'Green Category'],
        ['E-mail Address', 'jan@karoo.co.za'],
        ['E-mail Type', 'SMTP'],
        ['E-mail Display Name', 'Jan Smit (jan@karoo.co.za)'],
        ['E-mail 2 Address', 'info@karoo.co.za'],
        ['Government ID Number', '8001015009087'],
        ['Notes', 'likes tea'],
        ['Organizational ID Number', '0123456789'],
        ['Web Page', 'http://karoo.co.za'],
      ]),
    ).toEqual({
      'First Name': 'contactPerson',
      'Middle Name': 'contactPerson',
      'Last Name': 'contactPerson',
      Company: 'name',
      'Job Title': 'role',
      'Business Street': 'address.street',
      'Business City': 'address.city',
      'Business State': 'address.province',
      'Business Postal Code': 'address.postalCode',
      'Business Country/Region': 'address.country',
      'Business Phone': 'phone',
      'Business Phone 2': 'phone',
      'Company Main Phone': 'phone',
      'Mobile Phone': 'phone',
      Categories: 'tag',
      'E-mail Address': 'email',
      'E-mail 2 Address': 'email',
      Notes: 'note',
      'Web Page': 'domain',
    })
  })

  test('LinkedIn, with a profile address that is no domain of the business', () => {
    expect(
      suggested([
        ['First Name', 'Jan'],
        ['Last Name', 'Smit'],
        ['URL', 'https://www.linkedin.com/in/jansmit'],
        ['Email Address', 'jan@karoo.co.za'],
        ['Company', 'Karoo Grill'],
        ['Position', 'Owner'],
        ['Connected On', '28 Nov 2026'],
      ]),
    ).toEqual({
      'First Name': 'contactPerson',
      'Last Name': 'contactPerson',
      'Email Address': 'email',
      Company: 'name',
      Position: 'role',
    })
  })

  test('HubSpot', () => {
    expect(
      suggested([
        ['Record ID', '0825551234'],
        ['First Name', 'Jan'],
        ['Last Name', 'Smit'],
        ['Email', 'jan@karoo.co.za'],
        ['Phone Number', '+27 82 555 8826'],
        ['Mobile Phone Number', '082 555 8827'],
        ['Job Title', 'Buyer'],
        ['Contact owner', 'rep@ourfirm.co.za'],
        ['Lead Status', 'Open'],
        ['Associated Company', 'Karoo Grill'],
        ['Associated Company IDs', '0825551234'],
        ['Street Address', '12 Main Road'],
        ['City', 'Paarl'],
        ['State/Region', 'Western Cape'],
        ['Postal Code', '7646'],
        ['Country/Region', 'South Africa'],
        ['Website URL', 'karoo.co.za'],
        ['Unsubscribed from all email', 'true'],
      ]),
    ).toEqual({
      'First Name': 'contactPerson',
      'Last Name': 'contactPerson',
      Email: 'email',
      'Phone Number': 'phone',
      'Mobile Phone Number': 'phone',
      'Job Title': 'role',
      'Associated Company': 'name',
      'Street Address': 'address.street',
      City: 'address.city',
      'State/Region': 'address.province',
      'Postal Code': 'address.postalCode',
      'Country/Region': 'address.country',
      'Website URL': 'domain',
      'Unsubscribed from all email': 'doNotContact',
    })
  })

  test('Pipedrive', () => {
    expect(
      suggested([
        ['Person - ID', '17'],
        ['Person - Name', 'Jan Smit'],
        ['Person - Organization', 'Karoo Grill'],
        ['Person - Job title', 'Buyer'],
        ['Person - Phone - Work', '021 555 8826'],
        ['Person - Email - Work', 'jan@karoo.co.za'],
        ['Person - Owner', 'Our Rep'],
        ['Person - Open deals', '2'],
      ]),
    ).toEqual({
      'Person - Name': 'contactPerson',
      'Person - Organization': 'name',
      'Person - Job title': 'role',
      'Person - Phone - Work': 'phone',
      'Person - Email - Work': 'email',
    })
  })

  test('a form of address is no role', () => {
    const of = (cell: string) =>
      suggested([
        ['Title', cell],
        ['Company', 'Karoo Grill'],
      ])
    expect(['Mr', 'Mev.', 'Dr'].map((cell) => of(cell).Title)).toEqual([undefined, undefined, undefined])
    expect(of('Managing director').Title).toBe('role')
  })

  test('Zoho and Salesforce', () => {
    expect(
      suggested([
        ['Record Id', 'zcrm_1'],
        ['Account Owner.id', '0825551234'],
        ['Account Owner', 'rep@ourfirm.co.za'],
        ['Account Name', 'Karoo Grill'],
        ['Account Number', '0825551234'],
        ['Account Type', 'Customer'],
        ['Phone', '021 555 1111'],
        ['Fax', '021 555 2222'],
        ['Website', 'karoo.co.za'],
        ['Billing Street', '12 Main Road'],
        ['Billing City', 'Paarl'],
        ['Billing State/Province', 'Western Cape'],
        ['Billing Code', '7646'],
        ['Billing Country', 'South Africa'],
        ['Shipping City', 'Wellington'],
        ['Email Opt Out', 'false'],
        ['Description', 'likes tea'],
        ['Created By', 'rep@ourfirm.co.za'],
      ]),
    ).toEqual({
      'Account Name': 'name',
      Phone: 'phone',
      Website: 'domain',
      'Billing Street': 'address.street',
      'Billing City': 'address.city',
      'Billing State/Province': 'address.province',
      'Billing Code': 'address.postalCode',
      'Billing Country': 'address.country',
      'Email Opt Out': 'doNotContact',
      Description: 'note',
    })
    expect(
      suggested([
        ['Company / Account', 'Karoo'],
        ['Lead Owner', 'rep@ourfirm.co.za'],
      ]),
    ).toEqual({
      'Company / Account': 'name',
    })
  })

  test('Xero and Sage', () => {
    expect(
      suggested([
        ['*ContactName', 'Karoo Grill'],
        ['AccountNumber', '0825551234'],
        ['EmailAddress', 'jan@karoo.co.za'],
        ['FirstName', 'Jan'],
        ['LastName', 'Smit'],
        ['POAddressLine1', 'PO Box 12'],
        ['POCity', 'Wellington'],
        ['SAAddressLine1', '12 Main Road'],
        ['SAAddressLine2', 'Dal Josafat'],
        ['SACity', 'Paarl'],
        ['SARegion', 'Western Cape'],
        ['SAPostalCode', '7646'],
        ['SACountry', 'South Africa'],
        ['PhoneNumber', '021 555 1111'],
        ['FaxNumber', '021 555 2222'],
        ['MobileNumber', '082 555 3333'],
        ['DDINumber', '021 555 4444'],
        ['BankAccountNumber', '0123456789'],
        ['TaxNumber', '4012345678'],
        ['CompanyNumber', '2019/123456/07'],
      ]),
    ).toEqual({
      '*ContactName': 'name',
      EmailAddress: 'email',
      FirstName: 'contactPerson',
      LastName: 'contactPerson',
      SAAddressLine1: 'address.street',
      SAAddressLine2: 'address.suburb',
      SACity: 'address.city',
      SARegion: 'address.province',
      SAPostalCode: 'address.postalCode',
      SACountry: 'address.country',
      PhoneNumber: 'phone',
      MobileNumber: 'phone',
      DDINumber: 'phone',
      CompanyNumber: 'registrationNumber',
    })
    expect(
      suggested([
        ['Customer Name', 'Karoo Grill'],
        ['Contact Name', 'Jan Smit'],
        ['Telephone Number', '021 555 1111'],
        ['Fax Number', '021 555 2222'],
        ['Mobile Number', '082 555 3333'],
        ['Email Address', 'jan@karoo.co.za'],
        ['Web Address', 'karoo.co.za'],
        ['VAT Number', '4012345678'],
        ['Sales Representative', 'rep@ourfirm.co.za'],
        ['Physical Address Line 1', '12 Main Road'],
      ]),
    ).toEqual({
      'Customer Name': 'name',
      'Contact Name': 'contactPerson',
      'Telephone Number': 'phone',
      'Mobile Number': 'phone',
      'Email Address': 'email',
      'Web Address': 'domain',
      'Physical Address Line 1': 'address.street',
    })
  })

  test('of this product', () => {
    expect(
      suggested([
        ['id', '0825551234'],
        ['name', 'Karoo Grill'],
        ['trading name', 'The Grill'],
        ['registration number', '2019/123456/07'],
        ['email', 'jan@karoo.co.za'],
        ['more emails', 'info@karoo.co.za; stay@karoo.co.za'],
        ['phone', '+27 82 555 8826'],
        ['more phones', '021 555 1111; 021 555 2222'],
        ['more domains', 'karoo.com; karoo.net'],
        ['tags', 'Farm; Wind'],
        ['assignee', 'rep@ourfirm.co.za'],
        ['pipeline state', 'new'],
        ['do not contact', 'no'],
        ['created at', '2026-11-28T10:00:00Z'],
      ]),
    ).toEqual({
      name: 'name',
      'trading name': 'tradingName',
      'registration number': 'registrationNumber',
      email: 'email',
      'more emails': 'email',
      phone: 'phone',
      'more phones': 'phone',
      'more domains': 'domain',
      tags: 'tag',
      'do not contact': 'doNotContact',
    })
  })

  test('in Afrikaans and in two languages', () => {
    expect(
      suggested([
        ['Besigheid / Company', 'Karoo Grill'],
        ['Kontakpersoon', 'Jan Smit'],
        ['Selfoon/Tel', '082 555 8826'],
        ['Faks', '021 555 2222'],
        ['E-pos', 'jan@karoo.co.za'],
        ['Webtuiste', 'karoo.co.za'],
        ['Straatadres', 'Hoofstraat 12'],
        ['Dorp / Town', 'Paarl'],
        ['Provinsie', 'Wes-Kaap'],
        ['Poskode', '7646'],
        ['ID Nommer', '0001015009087'],
        ['Rekeningnommer', '0123456789'],
        ['Verteenwoordiger', 'rep@ourfirm.co.za'],
        ['Opmerkings', 'hou van tee'],
        ['Moenie kontak nie', 'nee'],
      ]),
    ).toEqual({
      'Besigheid / Company': 'name',
      Kontakpersoon: 'contactPerson',
      'Selfoon/Tel': 'phone',
      'E-pos': 'email',
      Webtuiste: 'domain',
      Straatadres: 'address.street',
      'Dorp / Town': 'address.city',
      Provinsie: 'address.province',
      Poskode: 'address.postalCode',
      Opmerkings: 'note',
      'Moenie kontak nie': 'doNotContact',
    })
    expect(
      suggested([
        ['Naam', 'Jan'],
        ['Van', 'Smit'],
        ['Maatskappy', 'Karoo'],
        ['Cell (w)', '082 555 8826'],
      ]),
    ).toEqual({
      Naam: 'contactPerson',
      Van: 'contactPerson',
      Maatskappy: 'name',
      'Cell (w)': 'phone',
    })
  })
})

test.for([
  'Fax',
  'Business Fax',
  'FaxNumber',
  'ID Number',
  'Identity No',
  'Account number',
  'Acc no',
  'Client code',
  'Tax ref',
])('a column %s is no phone, although its cells look like one', (heading) => {
  expect(
    suggested([
      ['Name', 'Karoo'],
      [heading, '021 555 2222'],
    ]),
  ).toEqual({ Name: 'name' })
})

test.for([
  'Account Owner',
  'account_owner_email',
  'Sales rep',
  'Account Manager',
  'Assigned to',
  'Created by',
  'Eienaar',
])('a column %s is of our own people, never the email of the prospect', (heading) => {
  expect(
    suggested([
      ['Name', 'Karoo'],
      [heading, 'rep@ourfirm.co.za'],
    ]),
  ).toEqual({ Name: 'name' })
})

test.for(['Email opt-in', 'Newsletter consent', 'Subscribed'])(
  'a column %s is not read as do not contact',
  (heading) => {
    expect(
      suggested([
        ['Name', 'Karoo'],
        [heading, 'yes'],
      ]),
    ).toEqual({ Name: 'name' })
  },
)

test('a column that is empty in the sample keeps the field of its heading, but a filled one is preferred', () => {
  const header = ['LegalName', 'Business', 'Email', 'Contact', 'First Name']
  const cells = [['', 'Karoo', '', '', 'Jan']]
  expect(suggestMapping(header, cells).map(({ field }) => field)).toEqual([
    null,
    'name',
    'email',
    null,
    'contactPerson',
  ])
})

describe('the header', () => {
  const rowsOf = (...rows: string[][]) => rows.map((cells, at) => ({ line: at + 1, cells }))
  const notes = [['Notes:'], ['When exporting your connection data, you may notice that some addresses are missing.']]
  const header = ['First Name', 'Last Name', 'Email Address', 'Company']
  const data = ['Jan', 'Smit', 'jan@karoo.co.za', 'Karoo']

  test('follows notes, and the lines before it are named', () => {
    const found = findHeader(rowsOf(...notes, header, data))
    expect(found).toEqual({ line: 3, doubt: 'The column names are on line 3. Rows before it are not read.' })
  })

  test('is the first line of data of a wide file only if its cells are headings', () => {
    expect(findHeader(rowsOf(header, data))).toEqual({ line: 1, doubt: null })
    expect(findHeader(rowsOf(data, data)).line).toBeNull()
    // Two words that are also headings do not make a row of data the header of a file that has begun.
    expect(findHeader(rowsOf(data, ['Restaurant', 'Land', 'Stad', 'x'], data)).line).toBeNull()
  })

  test('can be any of the first lines, or none', () => {
    const rows = rowsOf(...notes, header, data)
    expect(findHeader(rows, { headerLine: 4 })).toEqual({ line: 4, doubt: null })
    expect(findHeader(rows, { hasHeader: false })).toEqual({ line: null, doubt: null })
    expect(findHeader(rows, { hasHeader: true }).line).toBe(3)
    expect(findHeader(rows, { headerLine: 9 })).toEqual({ line: null, doubt: 'No row begins on line 9 or after it.' })
    const gap = rows.filter(({ line }) => line !== 2)
    expect(findHeader(gap, { headerLine: 2 })).toEqual({ line: 3, doubt: 'No row begins on line 2. Line 3 is used.' })
  })
})

test.for([
  'Employees',
  'No. of employees',
  'Number of Employees',
  '# Employees',
  'Employee count',
  'Staff',
  'Headcount',
  'Aantal werknemers',
])('a column %s with numbers is the number of employees', (heading) => {
  for (const cell of ['12', '1,200', '11-50', '50+'])
    expect(suggested([[heading, cell]])).toEqual({ [heading]: 'employees' })
})

test('a column Staff with names is not the number of employees', () => {
  expect(suggested([['Staff', 'Thandi Mokoena']])).not.toMatchObject({ Staff: 'employees' })
})
