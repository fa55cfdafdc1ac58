import type { Place } from '../src/rooms/fixture.ts'
import { isIdentifierName } from './body-schemas.ts'
import { bodyOf, type Operation, otherBodiesOf } from './operations.ts'

/**
 * Returns bodies of an operation with the mark in every text that the request accepts: as plain text, or as an address, a domain, a page or a number
 * where one is required.
 */
export function markedBodies(operation: Operation, place: Place, mark: string): (object | string)[] {
  const bodies = [bodyOf(operation, place), ...otherBodiesOf(operation, place)]
  return bodies.flatMap((body): (object | string)[] => {
    if (body === undefined) return []
    return typeof body === 'string'
      ? [body.replaceAll(/\b[A-Z]\w+ (?=\w)/g, `${mark} `)]
      : [marked(operation, body, mark)]
  })
}

/** Some requests are rejected only after their schema. So a marked domain remains a valid domain, and a marked web address keeps its host. */
const domainName = /^[\w-]+(?:\.[\w-]+)+$/
const webAddress = /^https?:\/\/[^/]+/

function marked(operation: Operation, body: object, mark: string): object {
  let whole = body
  for (const path of textsIn(body)) {
    const known = String(valueAt(whole, path))
    for (const text of [
      ...(domainName.test(known) ? [`${mark}-${known}`] : []),
      ...(webAddress.test(known) ? [`${known.replace(/\/$/, '')}/${mark}`] : []),
      `${mark} ${known}`,
      mark,
      `${mark}@karoo.co.za`,
      `https://${mark}.example/`,
      `${mark}.co.za`,
    ]) {
      const other = replaced(whole, path, text)
      if (operation.body?.safeParse(other).success !== true) continue
      whole = other as object
      break
    }
  }
  return whole
}

export type Path = readonly (string | number)[]

/** Returns the path of every text in a body, except identifiers. */
function textsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path]
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(item, [...path, at]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) =>
    isIdentifierName(name) || name.endsWith('Ids') ? [] : textsIn(item, [...path, name]),
  )
}

export function valueAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return value
  return valueAt(Object(value)[name], rest)
}

export function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by
  const inner = replaced(Object(value)[name], rest, by)
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...Object(value), [name]: inner }
}
