import fc from 'fast-check'
import { test } from 'vitest'
import { buildTestApp, type TestApp, type TestClient } from '../../../../test/build-app.ts'
import { walk } from '../../../../test/prospects.ts'
import type { FilterDefaults, SavedFilter } from '../filters/filters.schema.ts'

/*
 * A model-based test of saved filters: three people save, rename, share, lock and delete filters and choose defaults in any order. Each person must
 * see and be able to change exactly the filters of the model, and every default must name a filter that its people can see.
 */

const roles = ['operator', 'manager', 'viewer'] as const
type Person = (typeof roles)[number]
const names = ['Alpha', 'Beta', 'Gamma']

type Filter = { id: string; owner: Person; name: string; isShared: boolean; isLocked: boolean }
type Model = { filters: Filter[]; own: Record<Person, string | null>; tenant: string | null }
type Real = { t: TestApp; clients: Record<Person, TestClient> }
type Command = fc.AsyncCommand<Model, Real>

const mayShare = (person: Person) => person !== 'viewer'
const mayManage = (person: Person) => person === 'manager'
const sees = (person: Person, { owner, isShared }: Filter) => isShared || owner === person
const mayChange = (person: Person, filter: Filter) => (filter.isLocked ? mayManage(person) : filter.owner === person)

function expectStatus(actual: number, wanted: number, what: string): void {
  if (actual !== wanted) throw new Error(`${what} answers ${actual}, not ${wanted}`)
}

/** Removes a filter as a default of everybody who no longer sees it, so that the next default applies. */
function forget(model: Model, id: string, keepsOf?: Person): void {
  for (const person of roles) if (person !== keepsOf && model.own[person] === id) model.own[person] = null
  if (model.tenant === id) model.tenant = null
}

async function compare(model: Model, { clients }: Real): Promise<void> {
  for (const person of roles) {
    const seen = await walk<SavedFilter>(clients[person], '/saved-filters', 2)
    const wanted = model.filters.filter((filter) => sees(person, filter))
    const facts = (id: string, name: string, isShared: boolean, isLocked: boolean, changes: boolean) =>
      [id, name, isShared, isLocked, changes].join()
    const [actual, expected] = [
      seen.map((one) => facts(one.id, one.name, one.sharing === 'tenant', one.isLocked, one.mayChange)).toSorted(),
      wanted.map((one) => facts(one.id, one.name, one.isShared, one.isLocked, mayChange(person, one))).toSorted(),
    ]
    if (JSON.stringify(actual) !== JSON.stringify(expected))
      throw new Error(`The ${person} sees ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`)
    const { body } = await clients[person].get<FilterDefaults>('/saved-filters/defaults')
    const defaults = [body.own.prospects, body.tenant.prospects]
    if (JSON.stringify(defaults) !== JSON.stringify([model.own[person], model.tenant]))
      throw new Error(`The ${person} has the defaults ${JSON.stringify(defaults)}`)
    for (const id of defaults)
      if (id !== null) expectStatus((await clients[person].get(`/saved-filters/${id}`)).status, 200, 'a default')
  }
}

function command(words: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    toString: () => words,
    run: async (model, real) => {
      await run(model, real)
      await compare(model, real)
    },
  }
}

const isTaken = ({ filters }: Model, owner: Person, name: string, except?: string) =>
  filters.some((one) => one.owner === owner && one.name === name && one.id !== except)

const person = fc.constantFrom(...roles)
const name = fc.constantFrom(...names)

const creates = fc.record({ person, name, isShared: fc.boolean() }).map((one) =>
  command(`${one.person} saves ${one.name}${one.isShared ? ', shared' : ''}`, async (model, { clients }) => {
    const sharing = one.isShared ? 'tenant' : 'private'
    const answer = await clients[one.person].post<SavedFilter>('/saved-filters', {
      ...{ desk: 'prospects', name: one.name, filter: [], sharing },
    })
    const isRefused = one.isShared && !mayShare(one.person)
    expectStatus(answer.status, isRefused ? 403 : isTaken(model, one.person, one.name) ? 409 : 201, 'saving')
    if (answer.status !== 201) return
    model.filters.push({
      ...{ id: answer.body.id, owner: one.person, name: one.name, isShared: one.isShared, isLocked: false },
    })
  }),
)

/** Generates a command on one of the existing filters. */
function onFilter<Asked>(
  asked: fc.Arbitrary<Asked>,
  words: (asked: Asked) => string,
  run: (at: { model: Model; client: TestClient; who: Person; filter: Filter; asked: Asked }) => Promise<void>,
) {
  return fc.record({ who: person, index: fc.nat(5), asked }).map(({ who, index, asked: one }) =>
    command(`${who} ${words(one)} filter ${index}`, async (model, { clients }) => {
      const filter = model.filters[index % Math.max(1, model.filters.length)]
      if (filter !== undefined) await run({ model, client: clients[who], who, filter, asked: one })
    }),
  )
}

const edits = onFilter(
  fc.record({ name: fc.option(name), isShared: fc.option(fc.boolean()) }),
  (asked) => `changes ${JSON.stringify(asked)} of`,
  async ({ model, client, who, filter, asked }) => {
    const { body } = await client.get<SavedFilter>(`/saved-filters/${filter.id}`)
    const answer = await client.patch(
      `/saved-filters/${filter.id}`,
      {
        ...(asked.name === null ? {} : { name: asked.name }),
        ...(asked.isShared === null ? {} : { sharing: asked.isShared ? 'tenant' : 'private' }),
      },
      { 'if-match': `"${body.version ?? 1}"` },
    )
    const shares = asked.isShared === true && !filter.isShared
    const wanted = !sees(who, filter)
      ? 404
      : !mayChange(who, filter)
        ? filter.isLocked
          ? 422
          : 403
        : shares && !mayShare(who)
          ? 403
          : asked.name !== null && isTaken(model, filter.owner, asked.name, filter.id)
            ? 409
            : 200
    expectStatus(answer.status, wanted, 'changing')
    if (wanted !== 200) return
    if (asked.name !== null) filter.name = asked.name
    if (asked.isShared === false) {
      Object.assign(filter, { isShared: false, isLocked: false })
      forget(model, filter.id, filter.owner)
    }
    if (asked.isShared === true) filter.isShared = true
  },
)

const locks = onFilter(
  fc.boolean(),
  (isLocked) => (isLocked ? 'locks' : 'unlocks'),
  async ({ client, who, filter, asked }) => {
    const path = `/saved-filters/${filter.id}/lock`
    const { status } = asked ? await client.post(path) : await client.delete(path)
    const wanted = !mayManage(who) ? 403 : !sees(who, filter) ? 404 : filter.isShared ? 200 : 409
    expectStatus(status, wanted, 'locking')
    if (wanted === 200) filter.isLocked = asked
  },
)

const deletes = onFilter(
  fc.constant(null),
  () => 'deletes',
  async ({ model, client, who, filter }) => {
    const { status } = await client.delete(`/saved-filters/${filter.id}`)
    const wanted = !sees(who, filter) ? 404 : mayChange(who, filter) ? 204 : filter.isLocked ? 422 : 403
    expectStatus(status, wanted, 'deleting')
    if (wanted !== 204) return
    model.filters = model.filters.filter((one) => one !== filter)
    forget(model, filter.id)
  },
)

const defaults = onFilter(
  fc.constantFrom('own' as const, 'tenant' as const),
  (scope) => `makes the ${scope} default of`,
  async ({ model, client, who, filter, asked: scope }) => {
    const { body } = await client.get<FilterDefaults>('/saved-filters/defaults')
    const version = scope === 'own' ? body.version : body.tenantVersion
    const answer = await client.put(
      '/saved-filters/defaults',
      { scope, prospects: filter.id, review: null },
      { 'if-match': `"${version}"` },
    )
    const isRefused = scope === 'tenant' && !mayManage(who)
    const isPrivate = scope === 'tenant' && !filter.isShared
    expectStatus(answer.status, isRefused ? 403 : !sees(who, filter) ? 404 : isPrivate ? 409 : 200, 'a default')
    if (answer.status !== 200) return
    if (scope === 'own') model.own[who] = filter.id
    else model.tenant = filter.id
  },
)

test('every order of changes leaves each person the filters and defaults of the model', {
  timeout: 120_000,
}, async () => {
  const commands = fc.commands([creates, creates, edits, locks, deletes, defaults, defaults], {
    maxCommands: 30,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(commands, async (run) => {
      const t = await buildTestApp()
      const clients = { operator: await t.as('operator'), manager: await t.as('manager'), viewer: await t.as('viewer') }
      const model: Model = { filters: [], own: { operator: null, manager: null, viewer: null }, tenant: null }
      await fc.asyncModelRun(() => ({ model, real: { t, clients } }), run)
    }),
    { numRuns: 12, seed: 5, endOnFailure: true },
  )
})
