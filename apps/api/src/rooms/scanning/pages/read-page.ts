import { storedBounds } from '../bounds.ts'
import type { ScanReason } from '../reasons.ts'
import { decodePage } from './decode-page.ts'
import { maskContactValues } from './mask-values.rules.ts'
import { type FoundLink, type PageOrder, type ReadPage, type Suspicion, suspicions } from './page-facts.ts'
import { isSameSite, readPageUrl } from './page-urls.rules.ts'
import { aboutWords, contactWords, SHORT_TEXT, suspectedWords } from './page-words.data.ts'
import { attributeOf, type HtmlElement, isBlock, isSeen, parseHtml, walkHtml } from './parse-html.ts'
import { repeatsOf } from './repeats.rules.ts'

/** Maximum number of links to further pages that one page can contribute. */
const MAX_LINKS_FOUND = 50
/** Characters of a title that are read before its contact values are masked. */
const TITLE_READ = 1_000

/** Parses one page within its limits: visible text, counts, and links to contact and about pages. Runs in a worker thread. */
export function readPage({ bytes, contentType, format, url, known, maxBytes, maxLinks }: PageOrder): ReadPage {
  const kept = bytes.subarray(0, maxBytes)
  const { text: source, charset } = decodePage(kept, contentType)
  const reasons = new Set<ScanReason>()
  if (kept.length < bytes.length) reasons.add('decoded_limit')
  if (charset.isDoubtful) reasons.add('charset_doubtful')
  const page = format === 'text' ? plainPage(source) : htmlPage(source, new URL(url), maxLinks, reasons)
  const isWhole = !(['decoded_limit', 'node_limit', 'depth_limit'] as const).some((reason) => reasons.has(reason))
  const { title, text, spoken, counts, links, otherHosts } = page
  const shown = collapsed(text)
  const plainTitle = collapsed(title.slice(0, TITLE_READ))
  return {
    charset,
    title:
      plainTitle === ''
        ? null
        : maskContactValues(plainTitle, [new URL(url).hostname, ...known.domains]).slice(0, storedBounds.titleLength),
    counts: { ...counts, text: shown.length },
    repeats: repeatsOf(known, `${title}\n${text}\n${spoken}`, { isWhole }),
    words: wordsFound(plainTitle, shown),
    links,
    otherHosts,
    reasons: [...reasons],
  }
}

type Page = {
  title: string
  text: string
  /** email addresses and phone numbers from links, in addition to the text */
  spoken: string
  counts: { links: number; forms: number; scripts: number }
  links: FoundLink[]
  otherHosts: string[]
}

function plainPage(text: string): Page {
  return { title: '', text, spoken: '', counts: { links: 0, forms: 0, scripts: 0 }, links: [], otherHosts: [] }
}

function htmlPage(source: string, url: URL, maxLinks: number, reasons: Set<ScanReason>): Page {
  const { document, isWhole } = parseHtml(source)
  if (!isWhole) reasons.add('node_limit')
  const text: string[] = []
  const spoken: string[] = []
  const title: string[] = []
  const counts = { links: 0, forms: 0, scripts: 0 }
  const hosts = new Set<string>(savedFrom(source))
  const links: { element: HtmlElement; from: number }[] = []
  const found = new Map<string, FoundLink>()
  let base = url
  let unseen = 0
  let inTitle = false
  const isDeepEnough = walkHtml(document, {
    enter: (element) => {
      const { tagName } = element
      if (tagName === 'script') counts.scripts += 1
      if (tagName === 'form') counts.forms += 1
      if (tagName === 'base') base = baseOf(element, base)
      if (tagName === 'title' && title.length === 0) inTitle = true
      const host = hostSaidBy(element, base)
      if (host !== undefined) hosts.add(host)
      if (isLink(element)) {
        counts.links += 1
        const opened = openedBy(attributeOf(element, 'href') ?? '')
        if (opened !== undefined) spoken.push(opened)
        if (counts.links <= maxLinks) links.push({ element, from: text.length })
        else reasons.add('link_limit')
      }
      if (!isSeen(element)) unseen += 1
      if (isBlock(element)) text.push('\n')
      return tagName !== 'script' && tagName !== 'style' && tagName !== 'template' && tagName !== 'noscript'
    },
    leave: (element) => {
      if (element.tagName === 'title') inTitle = false
      if (!isSeen(element)) unseen -= 1
      if (isBlock(element)) text.push('\n')
      const link = links.at(-1)
      if (link?.element !== element) return
      links.pop()
      const named = pageLinkedBy(element, text.slice(link.from).join(''), { base, url })
      if (named !== undefined && found.size < MAX_LINKS_FOUND && !found.has(named.url)) found.set(named.url, named)
    },
    text: (value) => {
      if (inTitle) title.push(value)
      else if (unseen === 0) text.push(value)
    },
  })
  if (!isDeepEnough) reasons.add('depth_limit')
  const otherHosts = [...hosts].filter((host) => !isSameSite(host, url.hostname))
  return {
    title: title.join(''),
    text: text.join(''),
    spoken: spoken.join('\n'),
    counts,
    links: [...found.values()],
    otherHosts,
  }
}

function isLink(element: HtmlElement): boolean {
  return (element.tagName === 'a' || element.tagName === 'area') && attributeOf(element, 'href') !== undefined
}

function openedBy(href: string): string | undefined {
  return /^\s*(?:mailto|tel|callto):(.*)$/is.exec(href)?.[1]
}

function baseOf(element: HtmlElement, base: URL): URL {
  return URL.parse(attributeOf(element, 'href') ?? '', base) ?? base
}

/** Reads the original URL from the comment that a browser's "Save as" inserts. */
function savedFrom(source: string): string[] {
  const address = /<!-- saved from url=\(\d+\)(\S+) -->/.exec(source.slice(0, 2_000))?.[1]
  const host = readPageUrl(address ?? '')?.hostname
  return host === undefined ? [] : [host]
}

/** Returns the host that the document declares as its own, for example in its canonical link. */
function hostSaidBy(element: HtmlElement, base: URL): string | undefined {
  const { tagName } = element
  const isCanonical = tagName === 'link' && /\bcanonical\b/i.test(attributeOf(element, 'rel') ?? '')
  const isOpenGraph = tagName === 'meta' && attributeOf(element, 'property') === 'og:url'
  const address = isCanonical ? attributeOf(element, 'href') : isOpenGraph ? attributeOf(element, 'content') : undefined
  return address === undefined ? undefined : readPageUrl(URL.parse(address, base)?.href ?? '')?.hostname
}

/** Returns the linked page of the same site if the link's text or path contains a contact or about word. */
function pageLinkedBy(
  element: HtmlElement,
  text: string,
  { base, url }: { base: URL; url: URL },
): FoundLink | undefined {
  if (/\bnofollow\b/i.test(attributeOf(element, 'rel') ?? '')) return undefined
  const target = readPageUrl(URL.parse(attributeOf(element, 'href') ?? '', base)?.href ?? '')
  if (target === undefined || !isSameSite(target.hostname, url.hostname) || isSamePage(target, url)) return undefined
  const isDowngrade = url.protocol === 'https:' && target.protocol === 'http:'
  const role = isDowngrade ? undefined : roleOf(`${collapsed(text)} | ${pathWords(target)}`)
  return role === undefined ? undefined : { url: target.href, role }
}

function isSamePage(target: URL, url: URL): boolean {
  return target.pathname === url.pathname && target.search === url.search
}

function roleOf(words: string): FoundLink['role'] | undefined {
  if (contactWords.test(words)) return 'contact'
  return aboutWords.test(words) ? 'about' : undefined
}

function pathWords({ pathname }: URL): string {
  return pathname.replace(/[^\p{L}]+/gu, ' ')
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

function wordsFound(title: string, text: string): Suspicion[] {
  const searched = text.length <= SHORT_TEXT ? `${title}\n${text}` : title
  return suspicions.filter((suspicion) => suspectedWords[suspicion].test(searched))
}
