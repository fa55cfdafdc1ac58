/** Exports of this room for worker threads that read pages: decoding and bounded parsing. Loads no schema and opens no store. */
export { decodePage } from './pages/decode-page.ts'
export { aboutWords, contactWords } from './pages/page-words.data.ts'
export { attributeOf, isBlock, isSeen, parseHtml, walkHtml } from './pages/parse-html.ts'
