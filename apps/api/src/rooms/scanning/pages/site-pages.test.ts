import { expect, test } from 'vitest'
import { bytesOf, sitePages } from '../../../acceptance/site-pages/site-pages.ts'
import { decodePage } from './decode-page.ts'
import { collapsed, readHtml } from './read-html.ts'
import { readPage } from './read-page.ts'

test.each(sitePages)('the page of $builder is read as a person reads it', async (page) => {
  const { url, contentType, record } = page
  const bytes = await bytesOf(page)
  const { text } = readHtml(decodePage(bytes, contentType).text, new URL(url), 500, new Set())
  const lines = text
    .split('\n')
    .map(collapsed)
    .filter((line) => line !== '')
  const { title, repeats, words, reasons, otherHosts } = readPage({
    bytes,
    contentType,
    format: 'html',
    url,
    known: {
      names: [record.name],
      registrationNumber: record.registrationNumber,
      phones: [],
      domains: [record.domain],
      street: record.street,
    },
    maxBytes: 5_000_000,
    maxLinks: 500,
  })
  const { phone: _, ...compared } = repeats
  expect({ title, lines: lines.slice(0, page.firstLines.length), repeats: compared }).toEqual({
    title: page.title,
    lines: page.firstLines,
    repeats: page.repeats,
  })
  expect({ words, reasons, otherHosts }).toEqual({ words: [], reasons: [], otherHosts: [] })
})
