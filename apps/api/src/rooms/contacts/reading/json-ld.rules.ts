import { fold } from '../../businesses/businesses.pure.ts'
import type { ContactKind } from '../contacts.table.ts'

/* Reads contact values from JSON-LD (schema.org). The functions are pure, and bounded in size, depth and count. */

export type LinkedValue = { kind: ContactKind; text: string; isOwn: boolean }

const MAX_CHARACTERS = 256 * 1024
const MAX_DEPTH = 12
const MAX_VALUES = 100
const MAX_TEXT = 320

type Owner = { isOwn: boolean }
type Node = { value: unknown; depth: number; owner: Owner | undefined }

/**
 * Returns the addresses and numbers that a block states, each with a flag that is true if its organisation has the host or name of the page.
 * Undefined if the block is too large, or is not JSON after comments and control characters were removed.
 */
export function readJsonLd(
  source: string,
  { host, names }: { host: string; names: readonly string[] },
): LinkedValue[] | undefined {
  if (source.length > MAX_CHARACTERS) return undefined
  const root = parsed(source)
  if (root === undefined) return undefined
  const folded = names.map(wordsOf).filter((name) => name !== '')
  const found: LinkedValue[] = []
  const pending: Node[] = [{ value: root, depth: 0, owner: undefined }]
  for (let node = pending.pop(); node !== undefined && found.length < MAX_VALUES; node = pending.pop()) {
    const { value, depth, owner } = node
    if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const one of value.slice(0, MAX_VALUES).toReversed()) pending.push({ value: one, depth: depth + 1, owner })
      continue
    }
    const entries = Object.entries(value)
    const own = ownerOf(new Map(entries), owner, { host, names: folded })
    for (const [name, inner] of entries.toReversed()) {
      const kind = name === 'email' ? 'email' : name === 'telephone' ? 'phone' : undefined
      if (kind === undefined) pending.push({ value: inner, depth: depth + 1, owner: own })
      else for (const text of textsOf(inner)) found.push({ kind, text, isOwn: own?.isOwn === true })
    }
  }
  return found
}

function parsed(source: string): unknown {
  const text = source.replace(
    /^\s*(?:<!--|\/\*\s*<!\[CDATA\[\s*\*\/|<!\[CDATA\[)|(?:-->|\/\*\s*\]\]>\s*\*\/|\]\]>)\s*$/g,
    '',
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none inside strings, and pages contain them.
  for (const form of [text, text.replace(/[\u0000-\u001f]+/g, ' '), text.replace(/\/\*.*?\*\//gs, ' ')]) {
    try {
      return JSON.parse(form)
    } catch {
      // The next form may be valid. The caller counts a block without a valid form.
    }
  }
  return undefined
}

function textsOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.slice(0, MAX_VALUES) : [value]
  return texts.flatMap((text) => (typeof text === 'string' && text.length <= MAX_TEXT ? [text.trim()] : []))
}

/** Parts of an organisation, such as its contact points, belong to it; a person, an author or another organisation does not. */
function ownerOf(
  node: ReadonlyMap<string, unknown>,
  above: Owner | undefined,
  { host, names }: { host: string; names: readonly string[] },
): Owner | undefined {
  const types = textsOf(node.get('@type'))
  if (types.length === 0 || types.every((type) => /^(?:ContactPoint|PostalAddress|Place|ItemList)$/.test(type)))
    return above
  if (types.some((type) => /^(?:WebPage|ContactPage|AboutPage|WebSite|CollectionPage|BreadcrumbList)$/.test(type)))
    return above
  const urls = [...textsOf(node.get('url')), ...textsOf(node.get('@id'))]
  const hosts = urls.flatMap((url) => URL.parse(url)?.hostname.replace(/^www\./, '') ?? [])
  const named = textsOf(node.get('name')).map(wordsOf)
  const isSameName = named.some((name) => names.some((known) => name === known || ` ${name} `.includes(` ${known} `)))
  const isPerson = types.includes('Person')
  return { isOwn: !isPerson && (hosts.length > 0 ? hosts.includes(host.replace(/^www\./, '')) : isSameName) }
}

function wordsOf(text: string): string {
  return fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
