type Schema = { type?: unknown; $ref?: string; properties?: Record<string, Schema> }

/** Returns every property of the schemas in this part of the OpenAPI document, including the schemas to which they refer. */
export function everyProperty(
  part: unknown,
  schemas: Readonly<Record<string, unknown>>,
  seen = new Set<string>(),
): { name: string; schema: Schema }[] {
  if (typeof part !== 'object' || part === null) return []
  const { $ref, properties = {} } = part as Schema
  const name = $ref?.split('/').at(-1)
  const referred = name === undefined || seen.has(name) ? [] : everyProperty(schemas[name], schemas, seen.add(name))
  const own = Object.entries(properties).map(([property, schema]) => ({ name: property, schema }))
  return [...own, ...referred, ...Object.values(part).flatMap((inner) => everyProperty(inner, schemas, seen))]
}
