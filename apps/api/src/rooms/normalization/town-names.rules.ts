import { searchFold } from './search-folding.rules.ts'
import { towns } from './towns.data.ts'

/** Current names of the towns that a name stands for, by the folded name. A name can be that of several towns. */
const currentByName = new Map<string, Set<string>>()
for (const { names } of towns) {
  const current = names[0] ?? ''
  for (const name of names) currentByName.set(keyOf(name), (currentByName.get(keyOf(name)) ?? new Set()).add(current))
}

function keyOf(text: string): string {
  return searchFold(text).replaceAll(' ', '')
}

/**
 * Returns the keys by which two texts of a city are equal, in any spelling: two cities are the same if they share a key. The key of a known town is its
 * current name, for any of its Afrikaans, English and former names (`Kaapstad`, `Port Elizabeth`). Another text is its own key. Empty for a text
 * without characters that a search reads.
 */
export function cityKeysOf(text: string): readonly string[] {
  const key = keyOf(text)
  const current = currentByName.get(key)
  if (current !== undefined) return [...current]
  return key === '' ? [] : [key]
}

const namesByCurrent = new Map<string, string[]>()
for (const { names } of towns) {
  const current = names[0] ?? ''
  namesByCurrent.set(current, [...(namesByCurrent.get(current) ?? []), ...names])
}

/** Returns the current and other names of the towns with this name, in lower case, without punctuation. Empty for an unknown town. */
export function townNamesOf(text: string): readonly string[] {
  const current = currentByName.get(keyOf(text)) ?? []
  return [...new Set([...current].flatMap((name) => namesByCurrent.get(name) ?? []))]
}
