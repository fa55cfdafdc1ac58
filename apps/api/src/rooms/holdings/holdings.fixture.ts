import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    holdingId: string
  }
}

export const fixture: RoomFixture = {
  records: async ({ client, unique, place: { businessId } }) => {
    const holdingId = idIn(await client.post('/holdings', { businessId }, { 'idempotency-key': unique() }))
    return { holdingId }
  },
  cases: {
    getHolding: { permission: 'holdings.create' },
    getHoldingFile: { permission: 'holdings.create', query: 'format=html', answers: 409 },
    createHolding: {
      permission: 'holdings.create',
      body: ({ businessId }) => ({ businessId }),
      otherBodies: [{ kind: 'domain', value: 'zonkey.example', region: 'ZA' }],
      fills: { holdings_of_day: {} },
      refersTo: { businessId: { names: 'businessId', answers: 404, beside: {} } },
    },
  },
}
