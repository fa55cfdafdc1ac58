import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    interactionId: string
  }
}

const happened = { occurredAt: '2026-11-20T09:00:00Z', channel: 'phone', outcome: 'connected' }

export const fixture: RoomFixture = {
  records: async ({ client, place: { businessId } }) => {
    const add = async () => idIn(await client.post(`/businesses/${businessId}/interactions`, happened))
    const interactionId = await add()
    await add()
    return { interactionId }
  },
  cases: {
    listInteractions: { permission: 'interactions.read' },
    closeFollowUp: { permission: 'interactions.write', body: {} },
    addInteraction: {
      permission: 'interactions.write',
      body: {
        summary: 'They called.',
        ...happened,
        direction: 'inbound',
        participants: ['Nomsa Dlamini'],
        followUpOn: '2026-12-01',
        acceptPastFollowUp: true,
      },
      refersTo: { correctsId: { names: 'interactionId', answers: 404 } },
    },
  },
}
