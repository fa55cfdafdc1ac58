import { type FixtureWorld, idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** two open suggestions */
    suggestionId: string
    rejectableId: string
    /** one of the two records of the suggestion, and the fingerprint of the pair */
    survivorId: string
    fingerprint: string
    /** a merge that a test can reverse */
    mergeId: string
  }
}

export const fixture: RoomFixture = {
  records: async (world) => {
    const mergeIds = [await mergedPair(world), await mergedPair(world)]
    const { suggestionId: rejectableId } = await suggestedPair(world)
    const { a: survivorId, suggestionId, fingerprint } = await suggestedPair(world)
    return { suggestionId, rejectableId, survivorId, fingerprint, mergeId: mergeIds[0] ?? '' }
  },
  cases: {
    startMatchRun: { permission: 'matching.run', body: { reason: 'New rules.' }, createsJob: true },
    listMatchSuggestions: { permission: 'matching.read', filtersBy: { businessId: 'businessId' } },
    countMatchSuggestions: { permission: 'matching.read' },
    getMatchSuggestion: { permission: 'matching.read' },
    listPeopleOnBoth: { permission: 'people.read' },
    rejectMatchSuggestion: {
      permission: 'matching.reject',
      path: ({ rejectableId }) => ({ suggestionId: rejectableId }),
      body: { reason: 'Two shops of one chain.' },
      answersAgain: 409,
    },
    previewMerge: { permission: 'matching.read' },
    mergeSuggestion: {
      permission: 'matching.merge',
      body: ({ survivorId, fingerprint }) => ({
        reason: 'One shop.',
        survivorId,
        fingerprint,
        fields: {},
      }),
      refersTo: {
        survivorId: { names: 'businessId', answers: 400 },
        'fields.*': { names: 'businessId', answers: 400 },
      },
      answersAgain: 409,
    },
    listMerges: { permission: 'matching.read', filtersBy: { businessId: 'businessId' } },
    getMerge: { permission: 'matching.read' },
    reverseMerge: { permission: 'matching.reverse', body: { reason: 'Two shops after all.' }, answersAgain: 409 },
    listMergeAttempts: { permission: 'matching.read' },
  },
}

/** Two prospects with the same name and mailbox, and the suggestion that pairs them. */
async function suggestedPair({ client, unique, eventually }: FixtureWorld) {
  const name = `Protea ${unique()}`
  const emails = [{ value: `${unique()}@protea.co.za` }]
  const create = async () => idIn(await client.post('/businesses', { name, emails }))
  const [a, b] = [await create(), await create()]
  const suggestionId = await eventually(async () => {
    const { body } = await client.get(`/match-suggestions?businessId=${a}`)
    const { items } = body as { items: { id: string; businesses: { id: string }[] }[] }
    return items.find(({ businesses }) => businesses.some(({ id }) => id === b))?.id
  })
  const fingerprint = idIn(await client.get(`/match-suggestions/${suggestionId}`), 'fingerprint')
  return { a, suggestionId, fingerprint }
}

async function mergedPair(world: FixtureWorld): Promise<string> {
  const { a: survivorId, suggestionId, fingerprint } = await suggestedPair(world)
  const body = { survivorId, fingerprint, reason: 'The same shop.' }
  const key = { 'idempotency-key': world.unique() }
  return idIn(await world.client.post(`/match-suggestions/${suggestionId}/merge`, body, key))
}
