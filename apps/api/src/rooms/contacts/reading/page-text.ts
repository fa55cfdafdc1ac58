import { withoutUnseen } from '../../normalization/normalization.ts'
import {
  aboutWords,
  attributeOf,
  contactWords,
  type HtmlElement,
  type HtmlNode,
  hasText,
  isBlock,
  isHiddenByMarkup,
  isReversed,
  isTitle,
  walkHtml,
} from '../../scanning/scanning.thread.ts'
import type { Method, QuarantineRule } from '../contacts.table.ts'
import type { PageScope } from './found-values.ts'
import { encodedParts } from './obfuscated.rules.ts'
import {
  articleClass,
  articleType,
  creditsClass,
  faxClass,
  joomlaPageClass,
  pageClass,
  priceQuoteClass,
  quoteClass,
  userCommentClass,
  userCommentType,
} from './value-words.data.ts'

/*
 * Reads a page as lines of text, as a browser shows it: inline elements join, block elements and `<br>` separate. Each line stores which of its parts
 * are hidden, quoted or linked. Text that style sheets hide is read as visible (docs/contacts.md).
 */

export type Zone = Extract<QuarantineRule, 'hidden' | 'code' | 'quote' | 'user_comment' | 'article' | 'credits'>
export type TextMethod = Extract<Method, 'text' | 'microdata' | 'h_card' | 'hcard'>

/** A link with the text that it shows. */
export type PageLink = { href: string; line: Line; from: number; to: number; zone: Zone | null }

/** A part of a line, from `from` to the next part. */
type Part = { from: number; zone: Zone | null; method: TextMethod; link: PageLink | null }

export type Line = {
  text: string
  parts: Part[]
  /** text of the heading above the line */
  heading: string
  region: string
  /** true if the line is in the part of the page that is read */
  isInScope: boolean
  /** places at which a class, such as that of an icon, says that a fax number follows */
  faxAt: readonly number[]
}

/**
 * A value that no text of the page states. `isDecoded`: the page hides it from programs. Otherwise an attribute states it:
 * `<meta itemprop="email" content="…">`.
 */
export type StatedValue = {
  itemprop: 'email' | 'telephone'
  content: string
  isDecoded: boolean
  zone: Zone | null
  line: Line
}

export type PageText = {
  title: string
  scope: PageScope
  lines: Line[]
  links: PageLink[]
  stated: StatedValue[]
  /** false if the nesting reached its limit */
  isWhole: boolean
}

/** Receives the parts of a page that no reader sees, because they are counted. */
export type Aside = {
  raw(rule: 'script' | 'style' | 'template' | 'comment' | 'attribute', text: string, element?: HtmlElement): void
  /** Returns the addresses that the script builds and that may be those of the site. */
  script(element: HtmlElement, isInScope: boolean): readonly string[]
  /** Returns the addresses that attributes of the element encode. */
  element(element: HtmlElement, isInScope: boolean): readonly string[]
  /** Returns the values in a text that a browser shows from its last character to its first. It is given in the order in which it is shown. */
  reversed(text: string): readonly DecodedValue[]
}
export type DecodedValue = Pick<StatedValue, 'itemprop' | 'content'>

const rawElements: Readonly<Record<string, 'script' | 'style' | 'template'>> = {
  script: 'script',
  style: 'style',
  template: 'template',
  noscript: 'template',
}
const regions = new Set(['header', 'footer', 'nav', 'aside', 'main'])
/** Attributes that the methods read, and attributes with page addresses. */
const readAttributes = new Set(['href', 'content', 'class', 'style', 'data-cfemail', ...encodedParts])

type Frame = {
  element: HtmlElement
  zone: Zone | null
  method: TextMethod
  link: PageLink | null
  card: 'h_card' | 'hcard' | null
  region: string
  outer: Sink | null
}
type Sink = { text: string; parts: Part[]; links: PageLink[]; faxAt: number[]; of: 'shown' | 'hidden' | 'reversed' }

const emptySink = (of: Sink['of']): Sink => ({ text: '', parts: [], links: [], faxAt: [], of })

export function readPageText(
  document: HtmlNode,
  { url, role, aside }: { url: URL; role: 'start' | 'contact' | 'about' | 'other'; aside: Aside },
): PageText {
  const isStart = role === 'start' || isStartPath(url.pathname)
  const outline = outlineOf(document)
  const saysSo =
    role === 'contact' ||
    role === 'about' ||
    [pathWords(url), outline.title, ...outline.headings].some(saysContactOrAbout)
  const scope: PageScope = isStart ? 'section' : saysSo ? 'page' : 'out'

  const lines: Line[] = []
  const links: PageLink[] = []
  const stated: StatedValue[] = []
  const frames: Frame[] = []
  let sink = emptySink('shown')
  let heading = ''
  let section: number | null = null
  let withoutText = 0
  let preDepth = 0

  const top = (): Frame | undefined => frames.at(-1)
  const isInScope = () => scope === 'page' || (scope === 'section' && section !== null)

  const flush = () => {
    if (sink.of === 'reversed') return
    const { text, parts, links: inLine, faxAt } = sink
    sink = emptySink(sink.of)
    if (text.trim() === '' && inLine.length === 0) {
      // An icon in a block of its own belongs to the next line.
      if (faxAt.length > 0) sink.faxAt.push(0)
      return
    }
    const line: Line = { text, parts, heading, region: top()?.region ?? '', isInScope: isInScope(), faxAt }
    for (const link of inLine) link.line = line
    links.push(...inLine)
    if (text.trim() !== '') lines.push(line)
  }

  const append = (value: string) => {
    const frame = top()
    let text = withoutUnseen(value).replace(/\s+/g, ' ')
    if (text.startsWith(' ') && (sink.text === '' || sink.text.endsWith(' '))) text = text.slice(1)
    if (text === '') return
    const part = { zone: frame?.zone ?? null, method: frame?.method ?? 'text', link: frame?.link ?? null }
    const last = sink.parts.at(-1)
    if (last === undefined || last.zone !== part.zone || last.method !== part.method || last.link !== part.link)
      sink.parts.push({ from: sink.text.length, ...part })
    sink.text += text
    if (part.link !== null) part.link.to = sink.text.length
  }

  const lineHere = (frame: Frame | undefined): Line => {
    return { text: '', parts: [], heading, region: frame?.region ?? '', isInScope: isInScope(), faxAt: [] }
  }

  const state = (values: readonly DecodedValue[]) => {
    const zone = top()?.zone ?? null
    for (const value of values) stated.push({ ...value, isDecoded: true, zone, line: lineHere(top()) })
  }

  /** Ends a reversed text: its values are stated, and its links have no text. */
  const leaveReversed = ({ text, links: inText }: Sink) => {
    for (const link of inText) links.push(Object.assign(link, { line: lineHere(top()), from: 0, to: 0 }))
    state(aside.reversed([...text].toReversed().join('').trim()))
  }

  const isWhole = walkHtml(document, {
    enter: (element) => {
      const { tagName } = element
      const raw = rawElements[tagName]
      if (raw !== undefined) {
        if (tagName === 'script') state(aside.script(element, isInScope()).map(asAddress))
        aside.raw(raw, rawText(element), element)
        return false
      }
      for (const { name, value } of element.attrs) if (!readAttributes.has(name)) aside.raw('attribute', value)
      const decoded = aside.element(element, isInScope())
      if (isBlock(element)) flush()
      const isHidden = sink.of !== 'hidden' && (isHiddenByMarkup(element) || isInvisible(element))
      const isTurned = sink.of === 'shown' && isReversed(element)
      const frame = frameOf(element, top(), isHidden ? 'hidden' : zoneOf(element, outline))
      if (isHidden || isTurned) {
        frame.outer = sink
        sink = emptySink(isHidden ? 'hidden' : 'reversed')
      }
      if (faxClass.test(attributeOf(element, 'class') ?? '')) sink.faxAt.push(sink.text.length)
      if (!hasText(element)) withoutText += 1
      if (tagName === 'pre') preDepth += 1
      if (isLink(element) && withoutText === 0) {
        const href = attributeOf(element, 'href') ?? ''
        const { length } = sink.text
        const link: PageLink = { href, line: unknownLine, from: length, to: length, zone: frame.zone }
        sink.links.push(link)
        frame.link = link
      }
      const itemprop = attributeOf(element, 'itemprop')
      const content = attributeOf(element, 'content')
      if ((itemprop === 'email' || itemprop === 'telephone') && content !== undefined)
        stated.push({ itemprop, content, isDecoded: false, zone: frame.zone, line: lineHere(frame) })
      frames.push(frame)
      state(decoded.map(asAddress))
      return true
    },
    leave: (element) => {
      const frame = top()
      const level = levelOf(element)
      if (level !== null) {
        const text = sink.text.trim()
        if (text !== '') {
          heading = text
          if (saysContactOrAbout(text)) section = section === null ? level : Math.min(section, level)
          else if (section !== null && level <= section) section = null
        }
      }
      if (isBlock(element)) flush()
      if (frame === undefined || frame.element !== element) return
      if (frame.outer !== null) {
        flush()
        const ended = sink
        sink = frame.outer
        if (ended.of === 'reversed') leaveReversed(ended)
      }
      frames.pop()
      if (!hasText(element)) withoutText -= 1
      if (element.tagName === 'pre') preDepth -= 1
    },
    text: (value) => {
      if (withoutText > 0) return
      if (preDepth > 0 && value.includes('\n')) {
        for (const line of value.split('\n')) {
          append(line)
          flush()
        }
        return
      }
      append(value)
    },
    comment: (value) => aside.raw('comment', value),
  })
  flush()
  return { title: outline.title, scope, lines, links, stated, isWhole }
}

const unknownLine: Line = { text: '', parts: [], heading: '', region: '', isInScope: false, faxAt: [] }

function asAddress(content: string): DecodedValue {
  return { itemprop: 'email', content }
}

/** Reads plain text. Each line of it is a line, and no part is hidden or linked. */
export function readPlainText(text: string, { url, role }: { url: URL; role: string }): PageText {
  const isStart = role === 'start' || isStartPath(url.pathname)
  const saysSo = role === 'contact' || role === 'about' || saysContactOrAbout(pathWords(url))
  const isInScope = !isStart && saysSo
  const part: Part = { from: 0, zone: null, method: 'text', link: null }
  const lines = text
    .split(/\r\n|[\r\n]/)
    .map((line) => withoutUnseen(line).replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .map((line): Line => ({ text: line, parts: [part], heading: '', region: '', isInScope, faxAt: [] }))
  return { title: '', scope: isInScope ? 'page' : 'out', lines, links: [], stated: [], isWhole: true }
}

/** The parts of a line that a value touches. */
export function partsAt({ parts }: Line, from: number, to: number): Part[] {
  return parts.filter((part, at) => part.from < to && (parts[at + 1]?.from ?? Infinity) > from)
}

function saysContactOrAbout(text: string): boolean {
  return contactWords.test(text) || aboutWords.test(text)
}

function isStartPath(path: string): boolean {
  return /^\/(?:(?:index|home|default|tuis)(?:\.\w+)?\/?)?$/i.test(path)
}

function pathWords({ pathname }: URL): string {
  return pathname.replace(/[^\p{L}]+/gu, ' ')
}

function rawText(element: HtmlElement): string {
  const parts: string[] = []
  const root = 'content' in element && element.tagName === 'template' ? element.content : element
  walkHtml(root as HtmlNode, {
    enter: () => true,
    leave: () => {},
    text: (value) => parts.push(value),
  })
  return parts.join('\n')
}

function isLink(element: HtmlElement): boolean {
  return (element.tagName === 'a' || element.tagName === 'area') && attributeOf(element, 'href') !== undefined
}

function levelOf({ tagName }: HtmlElement): number | null {
  return tagName.length === 2 && /^h[1-6]$/.test(tagName) ? Number(tagName.slice(1)) : null
}

/**
 * True if an inline style makes the text invisible. Another style may show it again, so its values are quarantined and not excluded. Webflow fades in
 * elements with `data-w-id`, which are invisible only until the page was scrolled to them.
 */
function isInvisible(element: HtmlElement): boolean {
  const style = element.attrs.length === 0 ? undefined : attributeOf(element, 'style')
  return style !== undefined && invisibleStyle.test(style) && attributeOf(element, 'data-w-id') === undefined
}

const invisibleStyle = /(?:^|[;\s])(?:font-size\s*:\s*0(?![.\d]*[1-9])|opacity\s*:\s*0(?![.\d]*[1-9]))/i

function frameOf(element: HtmlElement, above: Frame | undefined, zone: Zone | null): Frame {
  const region = regions.has(element.tagName) ? element.tagName : (above?.region ?? '')
  const inherited = { element, zone: above?.zone ?? zone, link: above?.link ?? null, region, outer: null }
  if (element.attrs.length === 0) return { ...inherited, method: above?.method ?? 'text', card: above?.card ?? null }
  const classes = ` ${attributeOf(element, 'class') ?? ''} `
  const card = / h-card /.test(classes) ? 'h_card' : / vcard /.test(classes) ? 'hcard' : (above?.card ?? null)
  const itemprop = attributeOf(element, 'itemprop')
  const method: TextMethod =
    itemprop === 'email' || itemprop === 'telephone'
      ? 'microdata'
      : card === 'h_card' && / [pu]-(?:email|tel) /.test(classes)
        ? 'h_card'
        : card === 'hcard' && / (?:email|tel) /.test(classes)
          ? 'hcard'
          : (above?.method ?? 'text')
  return { ...inherited, method, card }
}

const zoneOfTag: Readonly<Record<string, Zone>> = {
  ...{ code: 'code', kbd: 'code', samp: 'code', tt: 'code', pre: 'code', var: 'code' },
  ...{ blockquote: 'quote', q: 'quote', cite: 'quote' },
}

function zoneOf(element: HtmlElement, outline: Outline): Zone | null {
  const { tagName, attrs } = element
  const zone = zoneOfTag[tagName]
  if (zone !== undefined) return zone
  if (attrs.length === 0 && tagName !== 'article') return null
  const itemtype = attributeOf(element, 'itemtype') ?? ''
  const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`
  if (userCommentType.test(itemtype) || (tagName !== 'body' && userCommentClass.test(names))) return 'user_comment'
  if (tagName !== 'body' && quoteClass.test(names) && !priceQuoteClass.test(names)) return 'quote'
  if (tagName !== 'body' && creditsClass.test(names)) return 'credits'
  if (articleType.test(itemtype) && !joomlaPageClass.test(attributeOf(element, 'class') ?? '')) return 'article'
  return tagName === 'article' && outline.isArticle(element) ? 'article' : null
}

type Outline = {
  title: string
  /** headings of the first and second level, outside of the parts that surround the page */
  headings: string[]
  isArticle(element: HtmlElement): boolean
}

const MAX_HEADINGS = 100

/** Reads the title and the headings first, because they decide which part of the page is read. */
function outlineOf(document: HtmlNode): Outline {
  let title = ''
  let inTitle = false
  let inHeading: string[] | null = null
  let around = 0
  const headings: string[] = []
  const open: HtmlElement[] = []
  const headingOf = new Map<HtmlElement, string>()
  walkHtml(document, {
    enter: (element) => {
      const { tagName } = element
      if (rawElements[tagName] !== undefined) return false
      if (isTitle(element) && title === '') inTitle = true
      if (/^(?:header|footer|nav|aside)$/.test(tagName)) around += 1
      if (tagName === 'article') {
        open.push(element)
        headingOf.set(element, '')
      }
      if (levelOf(element) !== null) inHeading = []
      return true
    },
    leave: (element) => {
      const { tagName } = element
      if (tagName === 'title') inTitle = false
      if (/^(?:header|footer|nav|aside)$/.test(tagName)) around -= 1
      const level = levelOf(element)
      if (level !== null && inHeading !== null) {
        const text = inHeading.join('').replace(/\s+/g, ' ').trim()
        inHeading = null
        const article = open.at(-1)
        if (article !== undefined && headingOf.get(article) === '') headingOf.set(article, text)
        if (level <= 2 && around === 0 && headings.length < MAX_HEADINGS) headings.push(text)
      }
      if (tagName === 'article' && open.at(-1) === element) open.pop()
    },
    text: (value) => {
      if (inTitle) title += value
      inHeading?.push(value)
    },
  })
  return {
    title: title.replace(/\s+/g, ' ').trim(),
    headings,
    isArticle: (element) => {
      const names = `${attributeOf(element, 'class') ?? ''} ${attributeOf(element, 'id') ?? ''}`
      if (pageClass.test(names) || saysContactOrAbout(headingOf.get(element) ?? '')) return false
      return headingOf.size > 1 || articleClass.test(names) || headingOf.get(element) !== ''
    },
  }
}
