/** Returns a record with the same keys, in which `map` has replaced each value. */
export function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  map: (value: From, key: Key) => To,
): Record<Key, To> {
  const entries = Object.entries(record) as [Key, From][]
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)])) as Record<Key, To>
}

/** Returns a copy of an object without the properties that are undefined. */
export function withoutUndefined<T extends object>(properties: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(properties).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** Returns an object with these keys in their order. The compiler checks that a value is one of its type, not that it is the one of its key. */
export function objectOf<Result extends object>(
  keys: readonly (keyof Result & string)[],
  value: (key: keyof Result & string) => Result[keyof Result],
): Result {
  return Object.fromEntries(keys.map((key) => [key, value(key)])) as Result
}
