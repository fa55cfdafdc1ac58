import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../lib/app-error.ts'

/** Maximum depth of nested objects and lists. No body of the API is deeper. */
const MAX_JSON_DEPTH = 12
/** Maximum size of a JSON body, for all routes. */
export const MAX_BODY_BYTES = 256 * 1024

/** Registers a hook that refuses compressed bodies, because the API never decompresses a body. */
function refusePacked(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (/^identity$/i.test(encoding)) done()
    else done(new AppError('unsupported_media_type', 'Send the body as it is, without a Content-Encoding.'))
  })
}

/**
 * Registers the parser of JSON bodies. It accepts well-formed UTF-8 of limited depth, without `__proto__`, repeated properties or half a surrogate
 * pair. Any other body is refused before a route gets it.
 */
export function registerJsonBody(app: FastifyInstance): void {
  refusePacked(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES },
    ({ headers }, body, done) => {
      try {
        refuseOtherCharset(headers['content-type'])
        done(null, parseJson(body))
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)))
      }
    },
  )
}

const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i

/** Throws if the content type declares another encoding, because JSON is always UTF-8 (RFC 8259). */
function refuseOtherCharset(contentType = ''): void {
  const named = charset.exec(contentType)?.[1]
  if (named !== undefined && !/^utf-?8$/i.test(named))
    throw new AppError('unsupported_media_type', 'Send the body as application/json in UTF-8.')
}

function parseJson(body: string | Buffer): unknown {
  if (typeof body === 'string') throw new TypeError('The body must arrive as bytes.')
  if (body.length === 0) throw new AppError('invalid_request', 'The body is empty. Send a JSON object.')
  if (!isUtf8(body)) throw new AppError('invalid_request', 'The body is not valid UTF-8.')
  const text = body.toString('utf8')
  if (nestsDeeperThan(MAX_JSON_DEPTH, text))
    throw new AppError('invalid_request', `The body nests deeper than ${MAX_JSON_DEPTH} levels.`)
  const value = parsed(text)
  const repeated = pathOfRepeated(text)
  if (repeated !== undefined) throw refusedAt(repeated, 'repeated_property', 'This property is repeated.')
  const half = surrogateEscape.test(text) ? pathOfHalfCharacter(value) : undefined
  if (half !== undefined) throw refusedAt(half, 'half_a_character', 'This text contains an incomplete character.')
  return value
}

function refusedAt(path: string, code: string, message: string): AppError {
  return new AppError('invalid_request', path === '' ? message : `${path}: ${message}`, {
    errors: [{ path, code, message }],
  })
}

function parsed(text: string): unknown {
  try {
    return mayNameProto(text) ? JSON.parse(text, refuseProto) : JSON.parse(text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('invalid_request', 'The body is not valid JSON.', { cause })
  }
}

/** Counts brackets outside strings before the text is parsed, so that a deeply nested body never reaches a recursive function. */
function nestsDeeperThan(limit: number, text: string): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (inString) {
      if (character === '\\') i += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > limit) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

/**
 * Returns false if a text cannot contain the name `__proto__`, because it contains neither the literal name nor `\u`. This fast test comes first,
 * because walking every property takes five times as long as parsing.
 */
function mayNameProto(text: string): boolean {
  return text.includes('__proto__') || text.includes('\\u')
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new AppError('invalid_request', 'There is no property __proto__.')
  return value
}

/** An open object or list during the scan of a JSON text: the names found in the object, and the current name or index. */
type Level = { names: Set<string> | undefined; at: string | number }

/**
 * Returns the path of the first repeated property, such as `emails.0.value`. Parsers differ in which of the values they use (RFC 8259, 4), so a proxy
 * may have checked another value. The text must be valid JSON.
 */
function pathOfRepeated(text: string): string | undefined {
  const levels: Level[] = []
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '{') levels.push({ names: new Set(), at: '' })
    else if (character === '[') levels.push({ names: undefined, at: 0 })
    else if (character === '}' || character === ']') levels.pop()
    else if (character === ',') countOn(levels.at(-1))
    else if (character === '"') {
      const end = endOfString(text, i)
      if (isName(text, end) && comesTwice(levels.at(-1), unescaped(text.slice(i, end))))
        return levels.map(({ at }) => at).join('.')
      i = end - 1
    }
  }
  return undefined
}

function countOn(level: Level | undefined): void {
  if (typeof level?.at === 'number') level.at += 1
}

/** Returns the index after the closing quotation mark of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = start + 1
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  return end + 1
}

/** Decodes a JSON string that includes its quotation marks. */
function unescaped(string: string): string {
  return string.includes('\\') ? String(JSON.parse(string)) : string.slice(1, -1)
}

const colon = /[ \t\r\n]*:/y

function isName(text: string, end: number): boolean {
  colon.lastIndex = end
  return colon.test(text)
}

function comesTwice(level: Level | undefined, name: string): boolean {
  if (level?.names === undefined) return false
  level.at = name
  if (level.names.has(name)) return true
  level.names.add(name)
  return false
}

/**
 * Matches an escape of half a surrogate pair. Such a half is found by no index and accepted by no hash. Only an escape can contain it, because raw
 * bytes are valid UTF-8.
 */
const surrogateEscape = /\\u[dD][89a-fA-F]/

/** Returns the path of the first value or name that contains half a surrogate pair, such as `emails.0.value`. */
function pathOfHalfCharacter(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, part] of Object.entries(value)) {
    if (!key.isWellFormed()) return key.toWellFormed()
    const path = pathOfHalfCharacter(part)
    if (path !== undefined) return path === '' ? key : `${key}.${path}`
  }
  return undefined
}
