import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type HtmlElement, parseHtml, walkHtml } from './parse-html.ts'
import { collapsed, readHtml } from './read-html.ts'

const url = new URL('https://karoo.co.za/')
const textOf = (html: string) => collapsed(readHtml(html, url, 500, new Set()).text)

describe('the text is what a browser shows', () => {
  test.each([
    ['<head><style>a{}</style><script>b</script></head><h1>Contact</h1><p>Call us</p>', 'Contact Call us'],
    ['<p>One</p><script>x</script><p>Two</p><noscript><p>y</p></noscript><p>Three</p>', 'One Two Three'],
    ['<p>One</p><template><p>x</p><style>y</style></template><p>Two</p>', 'One Two'],
    ['<table><script>x</script><tr><td>One</td><style>y</style><td>Two</td></tr></table>', 'One Two'],
    ['<svg><style>x</style><title>Logo</title><text>Karoo</text></svg><p>One</p>', 'One'],
    ['Wind<script>x</script>pumps', 'Windpumps'],
    ['Wind<b>pumps</b><br>Karoo<p>West', 'Windpumps Karoo West'],
    ['<ul><li>One<li>Two</ul><dl><dt>Three<dd>Four</dl>', 'One Two Three Four'],
    ['<details><summary>Hours</summary><p>8 to 5</p></details>', 'Hours 8 to 5'],
    ['<select><option>One<option>Two</select><textarea>x</textarea><p>Three</p>', 'Three'],
    ['<iframe>x</iframe><object>x</object><video>x</video><canvas>x</canvas><noframes>x</noframes><p>One</p>', 'One'],
    ['<p>One</p><p hidden>x <b>y</b></p><dialog>z</dialog><div popover>v</div><p>Two</p>', 'One Two'],
    [
      '<p style="color: red; display : none">x</p><p style="VISIBILITY:hidden">y</p><p style="color:red">One</p>',
      'One',
    ],
    ['<p>One</p><style>a{} <p>x</p>', 'One'],
    ['<p>One</p><!-- x --><p>Two', 'One Two'],
  ])('%s', (html, text) => expect(textOf(html)).toBe(text))

  test('the title is the first one of the page, never that of a picture', () => {
    const { title, text } = readHtml(
      '<svg><title>Logo</title></svg><title>Karoo</title><title>Other</title><p>One</p>',
      url,
      500,
      new Set(),
    )
    expect([title, collapsed(text)]).toEqual(['Karoo', 'One'])
  })
})

type Piece = { tag: string | null; pieces: readonly Piece[]; text: string }

const { tree } = fc.letrec<{ tree: Piece; leaf: Piece }>((tie) => ({
  leaf: fc.record({ tag: fc.constant(null), pieces: fc.constant([]), text: fc.stringMatching(/^[a-z ]{1,6}$/) }),
  tree: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.record({
      tag: fc.constantFrom('p', 'div', 'b', 'span', 'ul', 'li', 'table', 'section', 'details', 'title', 'svg'),
      pieces: fc.array(tie('tree'), { maxLength: 4 }),
      text: fc.constant(''),
    }),
  ),
}))
const skipped = fc.constantFrom(
  '<style></style>',
  '<style>p { color: red }</style>',
  '<script>document.write("<p>x</p>")</script>',
  '<script type="text/html"><style>p</style></script>',
  '<template></template>',
  '<template><p>x</p><template><script>y</script>z</template><style>w</style></template>',
  '<noscript></noscript>',
  '<noscript><p>Enable scripts</p><style>p</style></noscript>',
)

/** Writes the page with `insert()` between any two pieces, and with `before` in its head. */
function written(pieces: readonly Piece[], before: string, insert: () => string): string {
  const write = (piece: Piece): string => {
    if (piece.tag === null) return piece.text
    if (piece.tag === 'table') return `<table>${insert()}<tr>${insert()}<td>${inside(piece)}</td></tr></table>`
    return `<${piece.tag}>${inside(piece)}</${piece.tag}>`
  }
  // Tags inside a title are text, and a picture in SVG has other rules for the content of a script.
  const inside = ({ tag, pieces: inner }: Piece): string =>
    tag === 'title' || tag === 'svg'
      ? inner.map(({ text }) => text).join('')
      : inner.map((piece) => insert() + write(piece)).join('')
  return `<!doctype html><head><meta charset="utf-8">${before}</head><body>${pieces.map((piece) => insert() + write(piece)).join('')}${insert()}`
}

test('the text does not depend on styles, scripts, templates and noscript elements, wherever they are', () => {
  fc.assert(
    fc.property(
      fc.array(tree, { minLength: 1, maxLength: 6 }),
      fc.array(skipped, { maxLength: 3 }),
      fc.infiniteStream(fc.option(skipped, { freq: 2 })),
      (pieces, before, inserted) => {
        const plain = written(pieces, '', () => '')
        const next = () => inserted.next().value ?? ''
        expect(textOf(written(pieces, before.join(''), next))).toBe(textOf(plain))
      },
    ),
    { numRuns: 200 },
  )
})

test('each entered element is left once, whether its children are visited, skipped or too deep', () => {
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 6 }), fc.integer({ min: 0, max: 5 }), (pieces, maxNesting) => {
      const open: HtmlElement[] = []
      const { document } = parseHtml(written(pieces, '<style>x</style>', () => '<noscript>y</noscript>'))
      walkHtml(
        document,
        {
          enter: (element) => {
            open.push(element)
            return element.tagName !== 'li' && element.tagName !== 'style'
          },
          leave: (element) => expect(open.pop()).toBe(element),
          text: () => {},
        },
        maxNesting,
      )
      expect(open).toEqual([])
    }),
  )
})
