import { expect, test } from 'vitest'
import { bytesOf, type SitePage, sitePages } from '../../../acceptance/site-pages/site-pages.ts'
import { readContacts } from '../reading/read-contacts.ts'

async function read(page: SitePage) {
  const { url, role, contentType, record } = page
  return readContacts({
    bytes: await bytesOf(page),
    contentType,
    format: 'html',
    url,
    role,
    ownDomains: [record.domain],
    names: [record.name],
    country: 'ZA',
    maxValues: 50,
  })
}

test.each(sitePages)('the page of $builder yields the values that a person reads on it', async (page) => {
  const { values, title, excluded, protected: protectedValues, isWhole } = await read(page)
  const lines = values.map(({ kind, value, normalized, rule, isRole, isFreeMail }) =>
    [
      kind,
      normalized ?? value,
      rule === null ? 'open' : `quarantined ${rule}`,
      ...(isRole ? ['role'] : []),
      ...(isFreeMail ? ['free mail'] : []),
    ].join(' '),
  )
  expect({ title, lines: lines.toSorted(), excluded, protected: protectedValues, isWhole }).toEqual({
    title: page.title,
    lines: page.candidates.toSorted(),
    excluded: page.excluded,
    protected: page.protected,
    isWhole: true,
  })
})
