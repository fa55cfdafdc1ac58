import { expect, test } from 'vitest'
import { buildTestApp } from '../../../../test/build-app.ts'
import { createProspect } from '../../../../test/prospects.ts'
import { newId } from '../../../lib/ids.ts'
import {
  aboutWords,
  attributeOf,
  contactWords,
  decodePage,
  hasText,
  isBlock,
  isHiddenByMarkup,
  parseHtml,
  walkHtml,
} from '../scanning.thread.ts'
import { heldContentOf } from '../scanning.ts'
import { formWith } from './page-forms.ts'

test('another room reads the lines and links of a page that is held, as a browser shows them', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator)
  const form = formWith(
    '<h1>Contact us</h1><p>Write to <a href="mailto:a@karoo.co.za">us</a></p><p hidden>Not here</p>',
  )
  const headers = { 'content-type': form.contentType, 'idempotency-key': newId() }
  const { body } = await operator.post<{ id: string }>(`/businesses/${id}/supplied-pages`, form.body, headers)
  const [page] = heldContentOf(t.store).pagesOf(t.tenants.home.id, body.id)
  if (page === undefined) throw new Error('The page is not held.')
  const { text } = decodePage(page.body, page.contentType)
  const lines: string[] = ['']
  const links: string[] = []
  const add = (part: string) => lines.push((lines.pop() ?? '') + part)
  const isWhole = walkHtml(parseHtml(text).document, {
    enter: (element) => {
      if (isBlock(element)) lines.push('')
      links.push(...(attributeOf(element, 'href') ?? []))
      return hasText(element) && !isHiddenByMarkup(element)
    },
    leave: (element) => void (isBlock(element) && lines.push('')),
    text: add,
  })
  expect([isWhole, lines.filter((line) => line !== ''), links.join('')]).toEqual([
    true,
    ['Contact us', 'Write to us'],
    'mailto:a@karoo.co.za',
  ])
  expect([contactWords.test('Contact us'), aboutWords.test('Oor ons')]).toEqual([true, true])
})
