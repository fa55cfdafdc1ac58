/** Returns a record with the same keys, in which `map` has replaced each value. */
export function mapValues<Key extends string, From, To>(
  record: Readonly<Record<Key, From>>,
  map: (value: From, key: Key) => To,
): Record<Key, To> {
  const entries = Object.entries(record) as [Key, From][]
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)])) as Record<Key, To>
}
