import { nameKeyOf } from '../normalization/normalization.ts'
import type { ListedPerson, NamedPerson } from './people.queries.ts'
import type { Alike } from './people.schema.ts'

/*
 * Rules that compare the people at one prospect. The forms in which they are compared are derived at each use and never stored, so they follow the
 * present rules of normalization. Pure functions.
 */

/** A contact value of a person in normalized form; `text`: the value as typed if it has none. */
export type ComparedValue = { personId: string; kind: 'email' | 'phone'; text: string }

/**
 * Returns the person who is the same one: with an equal name, and with an equal role unless one of the two has none. Two people with one name, such as
 * a father and a son, are told apart by their roles.
 */
export function findSame<Known extends NamedPerson>(
  known: readonly Known[],
  { name, role }: Pick<NamedPerson, 'name' | 'role'>,
): Known | undefined {
  const [nameKey, roleKey] = [nameKeyOf(name), keyOfRole(role)]
  return known.find((one) => {
    const other = keyOfRole(one.role)
    return nameKeyOf(one.name) === nameKey && (roleKey === null || other === null || roleKey === other)
  })
}

function keyOfRole(role: string | null): string | null {
  return role === null ? null : nameKeyOf(role)
}

/**
 * Returns a function that returns the person with whom one was joined, directly or through others, and otherwise the id itself. A link to a person who
 * is not among `people` has no effect: the merge that brought the two together was reversed.
 */
export function keptAmong(people: readonly Pick<ListedPerson, 'id' | 'joinedInto'>[]): (id: string) => string {
  const links = new Map(people.map(({ id, joinedInto }) => [id, joinedInto]))
  return (id) => {
    let kept = id
    // Each step follows another link, and links form no circle, because the kept person of a join has none.
    for (let next = links.get(kept); next != null && links.has(next); next = links.get(kept)) kept = next
    return kept
  }
}

/** Returns for each person the others with an equal name, address or number. Joined people are one person, under the id that was kept. */
export function findAlike(
  people: readonly Pick<ListedPerson, 'id' | 'name' | 'joinedInto' | 'isErased'>[],
  values: readonly ComparedValue[],
): ReadonlyMap<string, Alike[]> {
  const keptOf = keptAmong(people)
  const signs = [
    ...people
      .filter(({ isErased }) => !isErased)
      .map(({ id, name }) => ({ id: keptOf(id), because: 'name' as const, key: nameKeyOf(name) })),
    ...values.map(({ personId, kind, text }) => ({ id: keptOf(personId), because: kind, key: text })),
  ]
  const reasons = new Map<string, Map<string, Set<Alike['because'][number]>>>()
  for (const group of Map.groupBy(signs, ({ because, key }) => `${because} ${key}`).values()) {
    for (const { id, because } of group) {
      for (const { id: other } of group) {
        if (other === id) continue
        const ofPerson = reasons.get(id) ?? new Map<string, Set<Alike['because'][number]>>()
        reasons.set(id, ofPerson.set(other, (ofPerson.get(other) ?? new Set()).add(because)))
      }
    }
  }
  return new Map(
    [...reasons].map(([id, others]) => [
      id,
      [...others].map(([other, because]) => ({ id: other, because: [...because] })),
    ]),
  )
}

/** The people at one prospect with their values. */
export type ComparedPeople = { people: readonly ListedPerson[]; values: readonly ComparedValue[] }

/**
 * Returns the pairs of people of two prospects with an equal name, address or number, those with most in common first. Joined people of one prospect
 * are one person; a join across the two, which the reversal of a merge ended, has no effect.
 */
export function pairsAlike(
  a: ComparedPeople,
  b: ComparedPeople,
): { people: [string, string]; because: Alike['because'] }[] {
  const withinEach = [a, b].flatMap(({ people }) => {
    const keptOf = keptAmong(people)
    return people.map((one) => ({ ...one, joinedInto: keptOf(one.id) === one.id ? null : keptOf(one.id) }))
  })
  const ofB = new Set(b.people.map(({ id }) => id))
  const alike = findAlike(withinEach, [...a.values, ...b.values])
  return a.people
    .flatMap(({ id }) => (alike.get(id) ?? []).filter((other) => ofB.has(other.id)).map((other) => ({ id, other })))
    .map(({ id, other }): { people: [string, string]; because: Alike['because'] } => ({
      people: [id, other.id],
      because: other.because,
    }))
    .sort((x, y) => y.because.length - x.because.length)
}

/** Titles before a name, without a dot. Mnr, mev and me are Afrikaans. */
const titles = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'rev', 'adv', 'mnr', 'mev', 'mej', 'me', 'ds'])

/**
 * Returns the first name in a name, for a greeting: `Thandi` of `Dr Thandi Nkosi` and of `Nkosi, Thandi`. Null if the name has only initials, or a title
 * with one further word, which is a surname.
 */
export function firstNameOf(name: string): string | null {
  const [before = '', behind] = name.split(',', 2)
  const words = (behind ?? before).trim().split(/\s+/)
  const rest = words.filter((word) => !titles.has(word.toLowerCase().replace(/\.$/, '')))
  const [first = ''] = rest
  const isSurname = behind === undefined && rest.length === 1 && rest.length < words.length
  return isSurname || !/^\p{L}[\p{L}\p{M}'’-]+$/u.test(first) ? null : first
}
