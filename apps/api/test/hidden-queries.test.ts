import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { followDomains } from '../src/rooms/domains/candidates/domain-follower.ts'
import { permissionsOf } from '../src/rooms/identity/permissions.ts'
import { followChanges } from '../src/rooms/matching/suggestions/matching-follower.ts'
import { conditionsSchema } from '../src/rooms/prospect-list/prospect-list.ts'
import { nameOf } from './asking.ts'
import type { Schema } from './body-schemas.ts'
import { closeTestApp, openTestApp, type TestApp, type TestClient } from './build-app.ts'
import { type Operation, operations } from './operations.ts'
import { addEvidenceTo, addInteractionTo, addNoteTo, createProspect, endProspect } from './prospects.ts'

/*
 * Tests that no filter, search or sort depends on a value that is hidden from the reader (Global rule 5, Phase 12 §5). Two stores are equal except for
 * the hidden values. A viewer sends every query to both. The answers must be equal: rows, their order, totals and cursors. The queries are derived from
 * the declared routes and from the grammar of filters, so a new parameter, field or operator is tested without a change here.
 */

/** The values that differ between the stores. In the order of the alphabet, those of one store are between the visible values, the others before them. */
type Hidden = { word: string; host: string; phone: string }
const first: Hidden = { word: 'quagga', host: 'springbok', phone: '082 765 4321' }
const second: Hidden = { word: 'aardvark', host: 'addo', phone: '083 111 2222' }

type World = { t: TestApp; viewer: TestClient; ids: Record<string, string> }

/** Creates a store with each kind of record whose values are hidden from viewers. All other values are the same in every store. */
async function worldOf({ word, host, phone }: Hidden): Promise<World> {
  const t = await openTestApp()
  const [operator, manager, viewer] = [await t.as('operator'), await t.as('manager'), await t.as('viewer')]
  const administrator = await t.as('administrator')
  const made = async <B>(answer: Promise<{ status: number; body: B }>): Promise<B> => {
    const { status, body } = await answer
    expect([status, body]).toEqual([expect.toSatisfy((one: number) => one < 300), body])
    return body
  }
  const at = (label: string) => `${host}-${label}.co.za`
  const ids: Record<string, string> = {}
  const prospect = async (name: string, more: object = {}) => (await createProspect(operator, { name, ...more })).id
  const block = (id: string) => made(operator.post(`/businesses/${id}/do-not-contact`, { reason: `No, ${word}.` }))
  const suppress = (kind: string, value: string, more: object = {}) =>
    made(operator.post('/suppressions', { kind, value, reason: `No, ${word}.`, channel: 'letter', ...more }))
  const told = async (id: string) => {
    await addEvidenceTo(operator, id, {
      observation: `Seen by ${word}.`,
      context: word,
      sourceLabel: `${word} ledger`,
      sourceReference: word,
      url: `https://www.${at('page')}/`,
    })
    await addNoteTo(operator, id, { text: `Call ${word}.` })
    await made(operator.post(`/businesses/${id}/people`, { name: `Jan ${word}`, role: `${word} buyer` }))
    await addInteractionTo(operator, id, { summary: `Spoke to ${word}.`, participants: [word] })
  }
  const observe = (name: string) =>
    made(
      operator.post('/dns-observations', {
        ...{ name, kind: 'MX', status: 'nxdomain', source: 'dig', observedAt: t.clock().toISOString() },
      }),
    )
  const propose = async (businessId: string, domain: string) =>
    (await made(operator.post<{ id: string }>('/domain-candidates', { businessId, domain, reason: 'They say so.' }))).id

  // Records that everybody sees, with evidence of a source that everybody sees.
  for (const name of ['karoo', 'tuli'])
    ids[name] = await prospect(`${name} pumps`, {
      ...{ emails: [{ value: `desk@${name}.co.za` }], domains: [{ value: `${name}.co.za` }], tags: ['windpumps'] },
      ...{ address: { city: 'Prieska' }, industry: 'Pumps' },
    })
  await prospect(`${first.host} fencing`)
  await addEvidenceTo(operator, ids.karoo ?? '', { sourceLabel: 'A visit' })
  ids.karooCandidate = await propose(ids.karoo ?? '', 'karoo-shop.co.za')
  await observe('www.karoo.co.za')

  const contacts = (label: string) => ({
    ...{ emails: [{ value: `${word}@${at(label)}` }], domains: [{ value: at(label) }] },
    ...{ phones: [{ value: phone, region: 'ZA' }], address: { city: 'Prieska' }, tags: ['windpumps'] },
  })
  ids.blocked = await prospect('Blocked by hand', contacts('hand'))
  ids.suppressed = await prospect('Blocked by an entry', contacts('entry'))
  ids.merged = await prospect('Merged', contacts('merged'))
  ids.survivor = await prospect('Survivor')
  ids.mergedBlocked = await prospect('Merged, with a block', contacts('inner'))
  ids.freed = await prospect('Freed')
  ids.deactivated = await prospect('Deactivated', contacts('inactive'))
  for (const id of [ids.blocked, ids.suppressed, ids.merged, ids.mergedBlocked, ids.deactivated]) await told(id)
  await propose(ids.blocked, at('hand-shop'))
  await propose(ids.merged, at('merged-shop'))
  await endProspect(t, ids.merged, { status: 'merged', into: ids.survivor })
  for (const id of [ids.blocked, ids.survivor, ids.deactivated, ids.mergedBlocked]) await block(id)
  await endProspect(t, ids.mergedBlocked, { status: 'merged', into: ids.freed })
  const lift = { reason: 'They came back.' }
  await made(administrator.post(`/businesses/${ids.freed}/do-not-contact-removal`, lift))
  await made(manager.post(`/businesses/${ids.deactivated}/deactivation`, { reason: `A mistake of ${word}.` }))
  await suppress('domain', at('entry'))

  // A person who alone is marked, and one whose record was merged with its block: the search text of the survivor is written again.
  const marked = await made(
    operator.post<{ id: string }>(`/businesses/${ids.karoo}/people`, { name: `Piet ${word}`, role: `${word} clerk` }),
  )
  await made(operator.post(`/people/${marked.id}/do-not-contact`, { reason: `No, ${word}.` }))
  for (const id of [ids.karoo, ids.freed])
    await made(operator.post(`/businesses/${id}/people`, { name: 'Zola Khumalo', role: 'Owner' }))

  // A twin of a blocked record, so that there is a suggestion.
  ids.twin = await prospect('Blocked by hand', { address: { city: 'Prieska' } })

  // Values that belong to no do not contact record: an observed domain, a proposed one, one that left its record, and recipients.
  await observe(`www.${at('seen')}`)
  await suppress('domain', at('seen'), { scope: 'with_subdomains' })
  ids.hiddenCandidate = await propose(ids.tuli ?? '', at('proposed'))
  await suppress('domain', at('proposed'))
  const left = await prospect('Left', { domains: [{ value: at('left') }] })
  await block(left)
  await made(operator.patch(`/businesses/${left}`, { domains: [] }, { 'if-match': '"2"' }))
  await observe(at('left'))
  const recipient = { kind: 'email', value: `${word}@${at('recipient')}` }
  ids.draft = (
    await made(
      operator.post<{ id: string }>('/drafts', {
        ...{ businessId: ids.karoo, title: 'Letter', jurisdiction: 'za', channel: 'letter', purpose: 'introduction' },
        ...{ language: 'en', recipient, text: 'Good day.', noCitationReason: 'Nothing is claimed.' },
      }),
    )
  ).id
  await suppress('email', recipient.value)

  // Shared filters that guess at values of the first store.
  for (const [name, condition] of Object.entries({
    source: { field: 'sourceLabel', op: 'contains', values: [first.word] },
    search: { field: 'q', op: 'contains', values: [first.word] },
    person: { field: 'person', op: 'contains', values: [first.word] },
  }))
    ids[name] = (
      await made(
        operator.post<{ id: string }>('/saved-filters', {
          ...{ desk: 'review', name, filter: [condition], sharing: 'tenant' },
        }),
      )
    ).id
  await followDomains(t.store)
  await followChanges(t.store)
  return { t, viewer, ids }
}

/** Guesses at the values of the first store: whole values, their beginnings and parts of them. */
const guesses = [
  ...[first.word.slice(0, 3), `${first.word} ledger`, first.host.slice(0, 2), first.phone],
  ...[`${first.host}-hand.co.za`, `${first.word}@${first.host}-hand.co.za`, `${first.word} ${first.host}`],
]
const domains = ['entry', 'merged', 'inner', 'seen', 'proposed', 'left', 'recipient', 'merged-shop'].map(
  (label) => `${first.host}-${label}.co.za`,
)
/** Texts that are visible in both stores, and the name of a province, because its parameter takes no other text. */
const visible = ['karoo', 'karoo.co.za', 'A visit', 'Zola', 't', 'Limpopo']
const time = '2026-11-01T00:00:00Z'
const day = '2026-11-01'

/** Returns values of a schema to ask with: all of an enum, guesses and visible texts of a free text. */
function valuesOf(schema: Schema, ids: readonly string[]): unknown[] {
  const { anyOf = [], oneOf = [], allOf = [], type, format } = schema
  if (schema.enum !== undefined) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const choices = [...anyOf, ...oneOf, ...allOf]
  if (choices.length > 0) return [...new Set(choices.flatMap((one) => valuesOf(one, ids)))]
  if (type === 'boolean') return [true, false]
  if (type === 'integer' || type === 'number') return [30]
  if (type === 'null') return [null]
  if (format === 'uuid') return [...ids]
  return format === 'date-time'
    ? [time]
    : format === 'date'
      ? [day]
      : [...guesses, ...visible, ...(type === 'string' ? [] : [time, day])]
}

type Definitions = Record<string, Schema>

/** Returns the JSON schema of what a request may contain, with its named parts in their places. */
function json(schema: z.ZodType): Schema {
  const { $defs = {}, ...whole } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return inPlace(whole, $defs as Definitions) as Schema
}

function inPlace(part: unknown, definitions: Definitions): unknown {
  if (Array.isArray(part)) return part.map((one) => inPlace(one, definitions))
  if (typeof part !== 'object' || part === null) return part
  const { $ref, ...others } = part as { $ref?: string }
  const named = $ref === undefined ? {} : definitions[$ref.replace('#/$defs/', '')]
  const entries = Object.entries({ ...named, ...others })
  return Object.fromEntries(entries.map(([name, one]) => [name, inPlace(one, definitions)]))
}

/** Returns conditions of every field and operator of the grammar, with each value alone, and at the start of a range. */
function conditionsOf(ids: readonly string[]): { field: string; condition: object }[] {
  const choices = json(conditionsSchema).items ?? {}
  return [...(choices.oneOf ?? []), ...(choices.anyOf ?? [])].flatMap(({ properties = {} }) => {
    const [field] = valuesOf(properties.field ?? {}, []) as [string]
    const values = valuesOf(properties.values?.items ?? {}, ids)
    const isRange = values.includes(null)
    const lists = [[], ...values.map((one) => [one]), ...(isRange ? values.map((one) => [one, null]) : [])]
    return valuesOf(properties.op ?? {}, []).flatMap((op) =>
      lists.map((list) => ({ field, condition: { field, op, values: list } })),
    )
  })
}

/** True for a text that a person can choose freely. */
const isText = ({ type, format, enum: choices }: Schema) =>
  type === 'string' && format === undefined && choices === undefined

type Query = { operation: Operation; path: string; named: string }
type Parameter = { name: string; schema: Schema }

/** The parameters of pages. `after`: the cursor of the feed of changes. */
const ofPages = new Set(['limit', 'cursor', 'after'])

/** Returns the parameters of a query, without those of its pages. */
function parametersOf({ schema: { querystring } }: Operation): Parameter[] {
  if (!(querystring instanceof z.ZodType)) return []
  return Object.entries(json(querystring).properties ?? {})
    .map(([name, schema]) => ({ name, schema }))
    .filter(({ name }) => !ofPages.has(name))
}

/** The records of the stores by the names that paths give to their ids. Lists below other records are not asked, unless they take a text. */
const parents: Record<string, readonly string[]> = {
  businessId: ['karoo', 'tuli', 'blocked', 'suppressed', 'merged', 'survivor', 'mergedBlocked', 'freed', 'deactivated'],
  candidateId: ['karooCandidate', 'hiddenCandidate'],
  draftId: ['draft'],
  savedFilterId: ['source', 'search', 'person'],
}
const isId = (name: string) => /Id$/.test(name)

/** Lists, and other reads that take a value: in a parameter or in the path. */
const queried = operations.filter((operation) => {
  const { method, permission, isList, parameters: inPath, case: one } = operation
  if (method !== 'get' || one.isStream === true) return false
  if (permission !== null && !permissionsOf('viewer').has(permission)) return false
  const parameters = parametersOf(operation)
  if (inPath.some(isId)) {
    const isKnown = inPath.every((name) => parents[name] !== undefined)
    return isKnown ? isList || parameters.length > 0 : parameters.some(({ schema }) => isText(schema))
  }
  return isList || parameters.length > 0 || inPath.length > 0
})

/** Returns the parameters that an operation requires, with their values in the valid request of its room. */
function requiredOf({ schema: { querystring }, case: { query } }: Operation): Map<string, string> {
  const required = querystring instanceof z.ZodType ? (json(querystring).required ?? []) : []
  return new Map([...new URLSearchParams(query)].filter(([name]) => required.includes(name)))
}

/** Returns the queries of an operation: each parameter with each of its values, for each record that its path names. */
function queriesOf(operation: Operation, ids: Readonly<Record<string, string>>): Query[] {
  const all = Object.values(ids)
  const required = requiredOf(operation)
  const besides = (asked: string) =>
    [...required].map(([name, value]) => (name === asked ? '' : `${name}=${encodeURIComponent(value)}&`)).join('')
  const queries = parametersOf(operation).flatMap(({ name, schema }) => {
    const valid = required.get(name)
    const values =
      name === 'conditions'
        ? conditionsOf(all.slice(0, 1)).map(({ field, condition }) => [JSON.stringify([condition]), field] as const)
        : [...valuesOf(schema, all), ...(isText(schema) ? domains : []), ...(valid === undefined ? [] : [valid])].map(
            (value) => [String(value), ''] as const,
          )
    return values.map(
      ([value, field]) => [`${besides(name)}${name}=${encodeURIComponent(value)}&`, `${name} ${field}`] as const,
    )
  })
  return pathsOf(operation, ids).flatMap((path) =>
    [[besides(''), ''] as const, ...queries].map(([query, named]) => ({ operation, named, path: `${path}?${query}` })),
  )
}

function pathsOf({ path, parameters }: Operation, ids: Readonly<Record<string, string>>): string[] {
  const [name, ...others] = parameters
  if (name === undefined) return [path]
  if (others.length > 0) throw new Error(`${path} names two records. Add a case for it.`)
  const values = isId(name)
    ? (parents[name] ?? []).map((one) => ids[one] ?? '')
    : [...guesses, ...domains, ...visible, ...Object.values(ids).map((id) => `filter:${id}`)]
  return values.map((value) => path.replace(`:${name}`, encodeURIComponent(value)))
}

/** Number of pages of each list that are compared. */
const PAGES = 4

/** Asks one query as the viewer, page by page, and returns what the answers contain, with ids replaced by their number in the answer. */
async function answerOf({ viewer }: World, { operation, path }: Query): Promise<{ status: number; text: string }> {
  const answers: unknown[] = []
  let status = 0
  let next = ''
  for (let page = 0; page < (operation.isList ? PAGES : 1); page++) {
    const limit = operation.isList ? 'limit=2' : ''
    const answer = await viewer.get<{ page?: { nextCursor: string | null }; requestId?: string }>(
      `${path}${limit}${next}`,
    )
    status ||= answer.status
    const { nextCursor = null } = answer.body?.page ?? {}
    const position = nextCursor === null ? null : Buffer.from(nextCursor.split('.')[0] ?? '', 'base64url').toString()
    answers.push({ ...answer, headers: {}, body: withoutThose(answer.body), position })
    if (nextCursor === null) break
    next = `&cursor=${encodeURIComponent(nextCursor)}`
  }
  const numbers = new Map<string, number>()
  const text = JSON.stringify(answers).replaceAll(ids, (id) => {
    if (!numbers.has(id)) numbers.set(id, numbers.size)
    return `#${numbers.get(id)}`
  })
  return { status, text }
}

/** Matches fields that are compared in another form or are no result of a query: cursors and ids of requests. */
const apart = /^(nextCursor|requestId)$/

/** Matches ids of records. */
const ids = /[\da-f]{8}-[\da-f]{4}-7[\da-f-]{21}/g

function withoutThose(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, function (this: object, name, value) {
      return apart.test(name) || (name === 'hash' && isOfIds(this)) ? null : value
    }),
  )
}

/** True for a predicate with the id of a record, so that its hash differs between the stores. */
function isOfIds(predicate: { filter?: unknown }): boolean {
  return JSON.stringify(predicate.filter ?? '').search(ids) !== -1
}

/** Asks both stores. Asks again if the answers differ, because a total is unknown where its count took too long on a busy machine. */
async function answersOf(query: Query, counterpart: Query) {
  const ask = () => Promise.all([answerOf(worlds.one, query), answerOf(worlds.other, counterpart)])
  let answers = await ask()
  for (let again = 0; again < 3 && answers[0].text !== answers[1].text; again++) answers = await ask()
  return answers
}

/** Returns the parts of two texts around their first difference. */
function partsThatDiffer(one: string, other: string): string[] {
  const at = [...one].findIndex((letter, index) => letter !== other[index])
  return [one, other].map((text) => text.slice(Math.max(0, at - 100), at + 100))
}

let worlds: { one: World; other: World }
beforeAll(async () => {
  worlds = { one: await worldOf(first), other: await worldOf(second) }
})
afterAll(async () => {
  for (const { t } of Object.values(worlds)) await closeTestApp(t)
})

test('queries are derived from the schemas of the routes', () => {
  const lists = queried.map(({ id }) => id)
  expect(lists).toEqual(
    expect.arrayContaining(['listBusinesses', 'listDomains', 'getDomain', 'listReviewQueue', 'getTile']),
  )
  expect(lists.length).toBeGreaterThan(30)
})

test.for(queried.map((operation) => [nameOf(operation), operation] as const))(
  'no answer of %s to a viewer depends on a hidden value',
  async ([, operation]) => {
    const { one, other } = worlds
    const [ofOne, ofOther] = [queriesOf(operation, one.ids), queriesOf(operation, other.ids)]
    expect(ofOne.length).toBe(ofOther.length)
    const answered = new Set<string>()
    const depending: string[] = []
    for (const [at, query] of ofOne.entries()) {
      const answers = await answersOf(query, ofOther[at] ?? query)
      if (answers[0].status === 200) answered.add(query.named)
      if (answers[0].text !== answers[1].text)
        depending.push([query.path, ...partsThatDiffer(answers[0].text, answers[1].text)].join('\n  '))
    }
    expect(depending).toEqual([])
    // A query that was always refused would prove nothing.
    expect([...new Set(ofOne.map(({ named }) => named))].filter((named) => !answered.has(named))).toEqual([])
  },
)
