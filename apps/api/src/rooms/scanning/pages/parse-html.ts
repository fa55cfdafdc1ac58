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
  /** false skips the element's children */
  enter(element: HtmlElement): boolean
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
  const path: { node: HtmlNode; next: number }[] = [{ node: document, next: 0 }]
  for (let at = path.at(-1); at !== undefined; at = path.at(-1)) {
    const child = 'childNodes' in at.node ? at.node.childNodes[at.next] : undefined
    if (child === undefined) {
      if (isElement(at.node)) visitor.leave(at.node)
      path.pop()
      continue
    }
    at.next += 1
    if (child.nodeName === '#text' && 'value' in child) visitor.text(child.value)
    else if (child.nodeName === '#comment' && 'data' in child) visitor.comment?.(child.data)
    else if (isElement(child)) {
      const isVisited = visitor.enter(child)
      const isTooDeep = isVisited && path.length > maxNesting
      if (isTooDeep) isWhole = false
      if (isVisited && !isTooDeep) path.push({ node: child, next: 0 })
      else visitor.leave(child)
    }
  }
  return isWhole
}
