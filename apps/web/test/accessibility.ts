import axe from 'axe-core'
import { expect } from 'vitest'

/** Expects no violation of WCAG 2.2 AA in what is rendered. */
export async function expectAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    // Rules about the page around the component do not apply.
    rules: { 'html-has-lang': { enabled: false }, 'document-title': { enabled: false } },
  })
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))).toEqual([])
}
