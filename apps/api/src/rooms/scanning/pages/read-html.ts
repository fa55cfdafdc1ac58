import type { ScanReason } from '../reasons.ts'
import { valuesOfLink } from './link-values.rules.ts'
import type { FoundLink } from './page-facts.ts'
import { isSameSite, readPageUrl } from './page-urls.rules.ts'
import { aboutWords, contactWords, SHELL_TEXT, SHORT_TEXT, shellWords } from './page-words.data.ts'
import {
  attributeOf,
  type HtmlElement,
  hasText,
  hasUnreadText,
  isBlock,
  isHiddenByMarkup,
  isShownApart,
  isTitle,
  parseHtml,
  shadowRootOf,
  shownAttributes,
  walkHtml,
} from './parse-html.ts'

/** Maximum number of links to further pages that one page can contribute. */
const MAX_LINKS_FOUND = 50

/** The text of one page, and what its markup states. */
export type PageContent = {
  title: string
  /** text that a browser shows if it applies no style sheet: a line per block, inline elements joined */
  text: string
  /**
   * text that is not part of `text` although a person may see it: text that the markup hides and a script may show, for example that of a closed tab,
   * text of fields and pictures, and values of links in such parts. All text of the page follows it, because hidden text can continue shown text
   */
  hiddenText: string
  /** email addresses and phone numbers from links, in addition to the text */
  spoken: string
  /** true if the page may show text that is not read, for example in a frame, or after a script */
  hasUnread: boolean
  counts: { links: number; forms: number; scripts: number }
  links: FoundLink[]
  otherHosts: string[]
}

/** Reads the text, the links and the counts of an HTML page. Each limit that the page reaches is added to `reasons`. */
export function readHtml(source: string, url: URL, maxLinks: number, reasons: Set<ScanReason>): PageContent {
  const { document, isWhole } = parseHtml(source)
  if (!isWhole) reasons.add('node_limit')
  const text: string[] = []
  const hiddenText: string[] = []
  // All text in the order of the page, because hidden text can continue shown text.
  const allText: string[] = []
  const spoken: string[] = []
  const title: string[] = []
  const counts = { links: 0, forms: 0, scripts: 0 }
  const hosts = new Set<string>(savedFrom(source))
  const links: { element: HtmlElement; from: number }[] = []
  const found = new Map<string, FoundLink>()
  let base = url
  let titles = 0
  let isInTitle = false
  let hasUnread = false
  let hasOuterScripts = false
  // Elements without text and hidden elements around the present place.
  let withoutText = 0
  let hidden = 0
  // Elements around the present place whose line ends are shown.
  let preformatted = 0
  const isDeepEnough = walkHtml(document, {
    enter: (element) => {
      const { tagName } = element
      if (tagName === 'script') {
        counts.scripts += 1
        if (attributeOf(element, 'src') !== undefined || attributeOf(element, 'type') === 'module')
          hasOuterScripts = true
      }
      if (tagName === 'form') counts.forms += 1
      if (tagName === 'base') base = baseOf(element, base)
      if (isTitle(element)) {
        titles += 1
        isInTitle = titles === 1
      }
      if (hasUnreadText(element)) hasUnread = true
      if (!hasText(element) && !isShownApart(element)) withoutText += 1
      if (isApart(element)) hidden += 1
      for (const shown of shownAttributes(element)) pushHidden(`\n${shown}\n`)
      const host = hostSaidBy(element, base)
      if (host !== undefined) hosts.add(host)
      if (isLink(element)) {
        counts.links += 1
        const values = valuesOfLink(attributeOf(element, 'href') ?? '', base)
        if (hidden === 0 && withoutText === 0) spoken.push(...values)
        else for (const value of values) pushHidden(`\n${value}\n`)
        if (counts.links <= maxLinks) links.push({ element, from: text.length })
        else reasons.add('link_limit')
      }
      if (isBlock(element)) breakLine()
      if (isPreformatted(element)) preformatted += 1
      return shadowRootOf(element) ?? true
    },
    leave: (element) => {
      if (isTitle(element)) isInTitle = false
      if (isPreformatted(element)) preformatted -= 1
      if (isBlock(element)) breakLine()
      if (isApart(element)) {
        hidden -= 1
        hiddenText.push('\n')
        if (isShownApart(element)) allText.push('\n')
      }
      if (!hasText(element) && !isShownApart(element)) withoutText -= 1
      const link = links.at(-1)
      if (link?.element !== element) return
      links.pop()
      const named = pageLinkedBy(element, text.slice(link.from).join(''), { base, url })
      if (named !== undefined && found.size < MAX_LINKS_FOUND && !found.has(named.url)) found.set(named.url, named)
    },
    text: (value) => {
      if (isInTitle) title.push(value)
      else if (withoutText === 0 && hidden > 0) pushHidden(value)
      else if (withoutText === 0) {
        const shown = preformatted > 0 ? value : value.replace(/\s+/g, ' ')
        text.push(shown)
        allText.push(shown)
      }
    },
  })
  if (!isDeepEnough) reasons.add('depth_limit')
  const otherHosts = [...hosts].filter((host) => !isSameSite(host, url.hostname))
  const whole = text.join('')
  return {
    title: title.join(''),
    text: whole,
    hiddenText: hiddenText.every((part) => part.trim() === '') ? '' : `${hiddenText.join('')}\n${allText.join('')}`,
    spoken: spoken.join('\n'),
    hasUnread: hasUnread || mayBeShell(collapsed(whole), counts.scripts > 0, hasOuterScripts),
    counts,
    links: [...found.values()],
    otherHosts,
  }

  /** Ends a line of both texts. A hidden block also separates the words before it from those after it. */
  function breakLine() {
    text.push('\n')
    hiddenText.push('\n')
    allText.push('\n')
  }

  function pushHidden(value: string) {
    hiddenText.push(value)
    allText.push(value)
  }
}

/** True if the text of the element is not read as shown text. */
function isApart(element: HtmlElement): boolean {
  return isHiddenByMarkup(element) || isShownApart(element)
}

/** True if scripts probably create the text of the page: it is little beside a script file, or it asks the reader to wait or to enable scripts. */
function mayBeShell(text: string, hasScripts: boolean, hasOuterScripts: boolean): boolean {
  if (hasOuterScripts && text.length < SHELL_TEXT) return true
  return hasScripts && text.length <= SHORT_TEXT && shellWords.test(text)
}

function isPreformatted({ tagName }: HtmlElement): boolean {
  return tagName === 'pre' || tagName === 'listing' || tagName === 'plaintext' || tagName === 'xmp'
}

function isLink(element: HtmlElement): boolean {
  return (element.tagName === 'a' || element.tagName === 'area') && attributeOf(element, 'href') !== undefined
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

export function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
