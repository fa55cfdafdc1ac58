/** Exports of this room for worker threads that read pages: decoding, bounded parsing, addresses and masks. Loads no schema and opens no store. */
export { decodePage } from './pages/decode-page.ts'
export { maskAround, maskContactValues } from './pages/mask-values.rules.ts'
export { isUnder } from './pages/page-urls.rules.ts'
export { aboutWords, contactWords } from './pages/page-words.data.ts'
export {
  attributeOf,
  type HtmlElement,
  type HtmlNode,
  hasText,
  isBlock,
  isHiddenByMarkup,
  isReversed,
  isTitle,
  parseHtml,
  walkHtml,
} from './pages/parse-html.ts'
