import { type DefaultTreeAdapterMap, defaultTreeAdapter, html, parse, type TreeAdapter } from 'parse5'
import { parseBounds } from '../bounds.ts'

/*
 * Parses HTML into a tree of bounded size. A byte limit does not bound the nodes, because 4 kB of unclosed tags create 90,000 nodes; the parser
 * counts nodes as it creates them (docs/decisions/html-parsing.md). Runs in worker threads.
 */

export type HtmlNode = DefaultTreeAdapterMap['node']
export type HtmlElement = DefaultTreeAdapterMap['element']
type Tree = TreeAdapter<DefaultTreeAdapterMap>

class TooManyNodes extends Error {}

export type ParsedHtml = {
  document: HtmlNode
  /** false if parsing stopped at the limit; the tree is then incomplete */
  isWhole: boolean
}

/** Parses as if scripts were enabled, so that `noscript` contains text instead of elements. */
export function parseHtml(source: string, maxNodes: number = parseBounds.nodes): ParsedHtml {
  let nodes = 0
  const count = () => {
    nodes += 1
    if (nodes > maxNodes) throw new TooManyNodes()
  }
  let document: HtmlNode = defaultTreeAdapter.createDocument()
  const treeAdapter: Tree = {
    ...defaultTreeAdapter,
    createDocument: () => {
      const made = defaultTreeAdapter.createDocument()
      document = made
      return made
    },
    createElement: (...given) => {
      count()
      return defaultTreeAdapter.createElement(...given)
    },
    createCommentNode: (...given) => {
      count()
      return defaultTreeAdapter.createCommentNode(...given)
    },
    // The parser inserts a text word by word; only the first word of it creates a node.
    insertText: (parent, text) => {
      const last = parent.childNodes.at(-1)
      if (last === undefined || !defaultTreeAdapter.isTextNode(last)) count()
      defaultTreeAdapter.insertText(parent, text)
    },
    insertTextBefore: (...given) => {
      count()
      defaultTreeAdapter.insertTextBefore(...given)
    },
  }
  try {
    return { document: parse(source, { treeAdapter }), isWhole: true }
  } catch (error) {
    if (error instanceof TooManyNodes) return { document, isWhole: false }
    throw error
  }
}

/** Elements whose content a browser does not show as text of the page: it is not text, or a fallback for browsers without the element. */
const withoutText = new Set(
  'annotation annotation-xml audio canvas datalist head iframe meter noembed noframes noscript object progress rp script select style svg template textarea title video'.split(
    ' ',
  ),
)

/** Elements whose text a browser shows in another form than the text around it: as a field, a choice or a picture. */
const textOfItsOwn = new Set(['datalist', 'select', 'svg', 'textarea'])
/** Elements whose text is in another document, is drawn, or is created by a script. */
const unreadElements = new Set(['applet', 'canvas', 'embed', 'frame', 'iframe', 'object'])

/** Elements that start a new line. */
const blocks = new Set(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol option p plaintext pre search section summary table tbody td tfoot th thead title tr ul xmp'.split(
    ' ',
  ),
)

function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node
}

/** True if the content of the element can be text of the page. Markup of the element or of an element around it may still hide the text. */
export function hasText({ tagName }: HtmlElement): boolean {
  return !withoutText.has(tagName)
}

/** True if the text of the element is shown, but not as text of the page. The title of a picture in SVG can repeat what the picture shows. */
export function isShownApart(element: HtmlElement): boolean {
  const { tagName } = element
  return textOfItsOwn.has(tagName) || (tagName === 'title' && !isTitle(element)) || shadowRootOf(element) !== undefined
}

/** True if a browser may show text with the element that is not read: a frame, a drawing, an encoded or reversed address, or an element that a script fills. */
export function hasUnreadText(element: HtmlElement): boolean {
  const { tagName, namespaceURI, childNodes } = element
  if (namespaceURI === html.NS.SVG) return tagName === 'text' || tagName === 'foreignObject'
  return (
    unreadElements.has(tagName) ||
    (tagName.includes('-') && childNodes.length === 0) ||
    tagName === 'joomla-hidden-mail' ||
    isReversed(element) ||
    attributeOf(element, 'data-cfemail') !== undefined ||
    encodedMail.test(attributeOf(element, 'href') ?? '')
  )
}

/** True if a browser shows the text of the element from its last character to its first, which hides addresses from programs. */
export function isReversed(element: HtmlElement): boolean {
  if (element.attrs.length === 0) return false
  if (element.tagName === 'bdo') return /^rtl$/i.test(attributeOf(element, 'dir') ?? '')
  const style = attributeOf(element, 'style') ?? ''
  return /bidi-override/i.test(style) && /direction\s*:\s*rtl/i.test(style)
}

/** The link that a proxy writes in place of an email address, which a script decodes. */
const encodedMail = /\/cdn-cgi\/l\/email-protection\b/i

/** Returns the content of a declarative shadow root, which a browser shows in place of the content of the element around it. */
export function shadowRootOf(element: HtmlElement): HtmlNode | undefined {
  const isShadowRoot = 'content' in element && /^(?:open|closed)$/i.test(attributeOf(element, 'shadowrootmode') ?? '')
  return isShadowRoot ? (element as DefaultTreeAdapterMap['template']).content : undefined
}

/** Returns the texts that a browser shows of attributes: the text in place of a picture, the value of a field, a label or a tooltip. */
export function shownAttributes(element: HtmlElement): string[] {
  const isField = element.tagName === 'input' && !unseenFields.test(attributeOf(element, 'type') ?? '')
  return element.attrs.flatMap(({ name, value }) =>
    attributesWithText.has(name) || (isField && name === 'value') ? [value] : [],
  )
}

const attributesWithText = new Set(['alt', 'aria-label', 'label', 'placeholder', 'title'])
const unseenFields = /^(?:hidden|password|checkbox|radio|file)$/i

/** True if the markup of the element hides its text. Style sheets are not read, so text that only a style sheet hides counts as shown. */
export function isHiddenByMarkup(element: HtmlElement): boolean {
  const { tagName, attrs } = element
  if (tagName === 'dialog' && attributeOf(element, 'open') === undefined) return true
  return attrs.some(
    ({ name, value }) => name === 'hidden' || name === 'popover' || (name === 'style' && hidingStyle.test(value)),
  )
}

const hidingStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i

/** True for the title of the page; the title of a picture in SVG has the same tag name. */
export function isTitle({ tagName, namespaceURI }: HtmlElement): boolean {
  return tagName === 'title' && namespaceURI === html.NS.HTML
}

export function isBlock(element: HtmlElement): boolean {
  return blocks.has(element.tagName)
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value
}

export type Visitor = {
  /** false skips the element's children; a node is visited in place of the element */
  enter(element: HtmlElement): boolean | HtmlNode
  /** runs once for each entered element, also if its children were skipped, so that counters of both functions balance */
  leave(element: HtmlElement): void
  text(value: string): void
  comment?(value: string): void
}

/**
 * Visits a tree in document order without recursion. Returns false if elements are nested deeper than the limit; the deeper elements are not visited.
 */
export function walkHtml(document: HtmlNode, visitor: Visitor, maxNesting: number = parseBounds.nesting): boolean {
  let isWhole = true
  const path: { element: HtmlNode; node: HtmlNode; next: number }[] = [{ element: document, node: document, next: 0 }]
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const child = 'childNodes' in at.node ? at.node.childNodes[at.next] : undefined
    if (child === undefined) {
      if (isElement(at.element)) visitor.leave(at.element)
      path.pop()
      continue
    }
    at.next += 1
    if (child.nodeName === '#text' && 'value' in child) visitor.text(child.value)
    else if (child.nodeName === '#comment' && 'data' in child) visitor.comment?.(child.data)
    else if (isElement(child)) {
      const visited = visitor.enter(child)
      const isTooDeep = visited !== false && path.length > maxNesting
      if (isTooDeep) isWhole = false
      if (visited !== false && !isTooDeep)
        path.push({ element: child, node: visited === true ? child : visited, next: 0 })
      else visitor.leave(child)
    }
  }
  return isWhole
}
