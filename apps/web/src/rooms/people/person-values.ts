import type { AddPersonData, Person } from '@prospect/api-client'

export type PersonValues = {
  name: string
  role: string
  language: string
  emails: string[]
  phones: string[]
  note: string
}

/** Initial values of the form: those of the person, or blank ones. */
export function valuesOf(person: Person | null): PersonValues {
  return {
    name: person?.name ?? '',
    role: person?.role ?? '',
    language: person?.language ?? '',
    emails: person?.emails.map(({ value }) => value) ?? [],
    phones: person?.phones.map(({ value }) => value) ?? [],
    note: person?.note ?? '',
  }
}

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

/**
 * Body of a valid form. A value that the person has already keeps its label and its country; a new number is read with the country of the workspace.
 */
export function personBody(values: PersonValues, person: Person | null, country: string): AddPersonData['body'] {
  const known = <V extends { value: string }>(list: readonly V[] | undefined, value: string) =>
    list?.find((one) => one.value === value)
  return {
    name: values.name.trim(),
    role: orNull(values.role),
    language: orNull(values.language),
    note: orNull(values.note),
    emails: values.emails.map((value) => ({ value, label: known(person?.emails, value)?.label ?? null })),
    phones: values.phones.map((value) => {
      const phone = known(person?.phones, value)
      return { value, label: phone?.label ?? null, region: phone === undefined ? country : (phone.region ?? null) }
    }),
  }
}

/** Values of the form that joins `other` into `person`: those of the person, where there are none those of the other one, and the contact values of both. */
export function joinedValues(person: Person, other: Person): PersonValues {
  const [own, others] = [valuesOf(person), valuesOf(other)]
  const both = (kind: 'emails' | 'phones') => {
    const had = new Set(person[kind].map(({ normalized, value }) => normalized ?? value))
    return [...own[kind], ...other[kind].flatMap((one) => (had.has(one.normalized ?? one.value) ? [] : [one.value]))]
  }
  return {
    name: own.name,
    role: own.role || others.role,
    language: own.language || others.language,
    note: own.note || others.note,
    emails: both('emails'),
    phones: both('phones'),
  }
}

/** Body of a valid form that joins `other` into `person`. Each value keeps the label and the country that it has with one of the two. */
export function joinBody(values: PersonValues, person: Person, other: Person, country: string) {
  const both = { ...person, emails: [...person.emails, ...other.emails], phones: [...person.phones, ...other.phones] }
  return { with: other.id, withVersion: other.version, ...personBody(values, both, country) }
}

/** The people who were joined into this one. */
export function joinedTo({ id }: Person, people: readonly Person[]): Person[] {
  return people.filter(({ joinedIntoId }) => joinedIntoId === id)
}

/** The people with whom a person can be joined, those who are alike first. */
export function joinable(person: Person, people: readonly Person[]): Person[] {
  const others = people.filter((one) => one.id !== person.id && one.joinedIntoId === null && one.erasedAt === null)
  const isAlike = ({ id }: Person) => person.alike.some((one) => one.id === id)
  return inOrder(others).sort((a, b) => Number(isAlike(b)) - Number(isAlike(a)))
}

/** Order of the list: those who are there first, by name. */
export function inOrder(people: readonly Person[]): Person[] {
  return [...people].sort(
    (a, b) =>
      Number(a.leftOn !== null) - Number(b.leftOn !== null) || a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1),
  )
}

const likeWords = { name: 'name', email: 'address', phone: 'number' } as const

/** Hint at other people of the list with an equal name, address or number. */
export function alikeWords(person: Person, people: readonly Person[]): string | null {
  const hints = person.alike.flatMap(({ id, because }) => {
    const other = people.find((one) => one.id === id)
    return other === undefined ? [] : [`same ${because.map((one) => likeWords[one]).join(' and ')} as ${other.name}`]
  })
  return hints.length === 0 ? null : hints.join(', ')
}
