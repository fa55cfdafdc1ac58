import { type DefaultTreeAdapterMap, defaultTreeAdapter, parse, type TreeAdapter } from 'parse5'
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
export function parseHtml(html: string, maxNodes: number = parseBounds.nodes): ParsedHtml {
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
    return { document: parse(html, { treeAdapter }), isWhole: true }
  } catch (error) {
    if (error instanceof TooManyNodes) return { document, isWhole: false }
    throw error
  }
}

/** Elements whose text is not visible. */
const unseen = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'svg',
  'iframe',
  'object',
  'select',
  'textarea',
])

/** Elements that start a new line. */
const blocks = new Set(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section summary table tbody td tfoot th thead title tr ul'.split(
    ' ',
  ),
)

function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node
}

export function isSeen(element: HtmlElement): boolean {
  return !unseen.has(element.tagName) && attributeOf(element, 'hidden') === undefined
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
    else if (isElement(child) && visitor.enter(child)) {
      if (path.length > maxNesting) isWhole = false
      else path.push({ node: child, next: 0 })
    }
  }
  return isWhole
}
