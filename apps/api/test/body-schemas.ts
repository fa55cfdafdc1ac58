import { z } from 'zod'
import type { Operation } from './operations.ts'

/** Those parts of a JSON schema that are needed to find the values in a body. */
export type Schema = {
  format?: string
  enum?: unknown[]
  const?: unknown
  type?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: Schema | boolean
  items?: Schema
} & { [Choice in 'anyOf' | 'oneOf' | 'allOf']?: Schema[] }

/** Returns the schema of an operation's request body; undefined if it takes none. */
export function bodySchema({ body }: Operation): Schema | undefined {
  if (body === undefined) return undefined
  return z.toJSONSchema(body, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema
}

/** Returns true if a property or parameter of this name refers to a record. */
export const isIdentifierName = (name: string): boolean => /^(id|.*Id|assignee|actor|user)$/.test(name)
/** Paths of identifiers that do not refer to a record: the id of a passkey, and the id of an adapter. */
const namesNoRecord = /(^|\.)(passkey\.(id|rawId)|adapter\.id)$/

export type Property = { path: string; schema: Schema; isIdentifier: boolean }

/** Returns every inner property with its path. `*` stands for any name. Properties of list items are included. */
export function propertiesIn(schema: Schema, path = ''): Property[] {
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [], allOf = [] } = schema
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const within = [...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])].flatMap((one) =>
    propertiesIn(one, path),
  )
  const named = [
    ...Object.entries(properties),
    ...(typeof additionalProperties === 'object' ? [['*', additionalProperties] as const] : []),
  ].flatMap(([name, one]) => [property(at(name), one), ...propertiesIn(one, at(name))])
  return [...new Map([...within, ...named].map((one) => [one.path, one])).values()]
}

function property(path: string, schema: Schema): Property {
  const name = path.split('.').at(-1) ?? ''
  const isNamed = name === '*' ? isUuid(schema) : isUuid(schema) || isIdentifierName(name)
  return { path, schema, isIdentifier: isNamed && !namesNoRecord.test(path) }
}

function isUuid({ format, anyOf = [] }: Schema): boolean {
  return format === 'uuid' || anyOf.some(isUuid)
}

/** Returns true if a body has a value at this path. */
export function holds(body: unknown, path: string): boolean {
  const [name = '', ...rest] = path.split('.')
  if (Array.isArray(body)) return body.some((one) => holds(one, path))
  if (typeof body !== 'object' || body === null) return false
  const value = Object.entries(body).find(([key]) => key === name)?.[1]
  return value !== undefined && (rest.length === 0 || holds(value, rest.join('.')))
}
