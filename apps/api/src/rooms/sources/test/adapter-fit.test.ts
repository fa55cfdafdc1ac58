import type { Adapter } from '@prospect/adapter-contract/adapter'
import { fixtureAdapter } from '@prospect/adapter-contract/test-kit/fixture-adapter'
import { expect, test } from 'vitest'
import { dnsFixture } from '../../../../test/dns-world.ts'
import type { Refusal } from '../../../../test/prospects.ts'
import { sourceWorld } from '../../../../test/source-world.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { DryRun, Source, SourceAdapter } from '../sources.schema.ts'

/* A contract that its adapter cannot serve is refused before anybody approves it. */

const fixtureRef = { id: 'fixture', version: '1.0.0' }
const provinces: string[] = []

/** The adapters of the process. They change while the app runs, as they do between two starts of the operator. */
function changingAdapters() {
  const loaded: { file: LoadedAdapters['file']; items: Adapter[] } = { file: { sha256: 'a'.repeat(64) }, items: [] }
  return { loaded, load: (...items: Adapter[]) => loaded.items.splice(0, loaded.items.length, ...items) }
}

test('a proposal with a field that the adapter does not know names the field and the fields of the adapter', async () => {
  const world = await sourceWorld()
  const contract = world.wholeContract({ scope: { fields: ['name', 'mx'], provinces, maxRecords: 10 } })
  const body = { slug: 'unfit', name: 'Unfit', adapter: fixtureRef, contract }
  const changes = await world.t.changes(async () => {
    const refused = await world.author.post<Refusal>('/sources', body)
    expect(refused.status).toBe(400)
    expect(refused.body.detail).toBe(
      'The adapter fixture 1.0.0 does not know the field mx. Its fields: name, phone, email, industry.',
    )
    expect(refused.body.errors).toMatchObject([{ path: 'contract.scope.fields', code: 'unknown_field' }])
  })
  expect(changes).toEqual({})
  const { id } = await world.propose()
  const version = await world.author.post<Refusal>(`/sources/${id}/versions`, { contract })
  expect([version.status, version.body.errors?.[0]?.path]).toEqual([400, 'contract.scope.fields'])
})

test('a proposal names each part that the adapter does not accept', async () => {
  const world = await sourceWorld()
  const contract = world.wholeContract({ purposes: ['web_pages'], settings: { region: 'west' } })
  const refused = await world.author.post<Refusal>('/sources', {
    slug: 'unfit',
    name: 'Unfit',
    adapter: fixtureRef,
    contract,
  })
  expect(refused.body.errors?.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    'contract.purposes: The adapter fixture 1.0.0 does not serve web_pages. It serves: business_records.',
    'contract.settings.region: Use north or south.',
  ])
})

test('what cannot be checked before the adapter is loaded is checked at the approval and the enablement', async () => {
  const { loaded, load } = changingAdapters()
  const world = await sourceWorld({ adapters: loaded })
  const scope = { fields: ['name', 'mx'], provinces, maxRecords: 10 }
  const { id } = await world.propose({ contract: world.wholeContract({ scope }) })
  const early = await world.approve(id, 'legal')
  expect(early.body.detail).toBe(
    'This version cannot be approved yet. The adapter fixture 1.0.0 is not loaded. The server operator installs connectors.',
  )
  load(fixtureAdapter().adapter)
  const detail = 'The adapter fixture 1.0.0 does not know the field mx. Its fields: name, phone, email, industry.'
  const { status, openItems } = await world.read(id)
  expect([status, openItems[0]]).toMatchObject(['incomplete', { item: 'scope', problem: 'not_accepted', detail }])
  for (const desk of ['product', 'legal', 'security'] as const) {
    const refused = await world.approve(id, desk)
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      422,
      'source_incomplete',
      `This version cannot be approved yet. ${detail}`,
    ])
  }
  const enabling = await world.enable(id)
  expect([enabling.body.code, enabling.body.detail]).toEqual([
    'source_incomplete',
    `This version cannot be enabled yet. ${detail}`,
  ])
  const corrected = { contract: world.wholeContract() }
  expect((await world.author.post<Source>(`/sources/${id}/versions`, corrected)).body.status).toBe('awaiting_approval')
})

test('another version of the adapter is named in the refusal', async () => {
  const { loaded, load } = changingAdapters()
  const world = await sourceWorld({ adapters: loaded })
  load(fixtureAdapter({ version: '2.0.0' }).adapter)
  const { id } = await world.propose()
  expect((await world.approve(id, 'legal')).body.detail).toContain(
    'Another version of the adapter fixture is loaded than 1.0.0',
  )
})

test('the loaded adapters are listed with their inputs, and without the values that the platform sets', async () => {
  const { adapter } = dnsFixture(() => undefined)
  const world = await sourceWorld({ adapters: { file: null, items: [adapter as Adapter] } })
  const { body } = await world.operator.get<{ items: SourceAdapter[] }>('/source-adapters')
  expect(body.items).toMatchObject([
    {
      id: 'fixture',
      version: '1.0.0',
      purposes: ['dns'],
      answerFields: { always: ['status'], onRequest: [] },
      minRecords: 2,
      query: [
        { name: 'name', kind: 'text' },
        { name: 'kind', kind: 'choice', options: ['MX', 'NS', 'TXT'] },
      ],
      settings: [{ name: 'resolvers' }, { name: 'forbiddenNames', kind: 'list', empty: 'none' }],
    },
  ])
})

test('a dry run needs only the fields that the adapter lists', async () => {
  const { adapter } = dnsFixture(() => undefined)
  const world = await sourceWorld({ adapters: { file: null, items: [adapter as Adapter] } })
  const contract = world.wholeContract({
    purposes: ['dns'],
    scope: { fields: ['status'], provinces, maxRecords: 2 },
    settings: { resolvers: ['office'], forbiddenNames: [] },
  })
  const { id } = await world.propose({ contract })
  const plan = (query: object) => world.operator.post<DryRun & Refusal>(`/sources/${id}/dry-runs`, { query })
  const planned = await plan({ name: 'karoo.example', kind: 'MX' })
  expect(planned.body).toMatchObject({ planned: ['Query MX of karoo.example'], fields: ['status'] })
  const refused = await plan({ name: 'karoo.example', fields: ['status'] })
  expect(refused.body.errors?.map(({ path }) => path)).toEqual(['query.kind', 'query.fields'])
})
