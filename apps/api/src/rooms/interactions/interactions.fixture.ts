import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    interactionId: string
    /** a prospect that nobody has blocked yet, with the email address of `optedOut` */
    optOutId: string
  }
}

const optedOut = 'owner@opt-out.co.za'
const happened = { occurredAt: '2026-11-20T09:00:00Z', channel: 'phone', outcome: 'connected' }

export const fixture: RoomFixture = {
  records: async ({ client, place: { businessId } }) => {
    const add = async () => idIn(await client.post(`/businesses/${businessId}/interactions`, happened))
    const interactionId = await add()
    await add()
    const prospect = { name: 'Opted out', emails: [{ value: optedOut }] }
    return { interactionId, optOutId: idIn(await client.post('/businesses', prospect)) }
  },
  cases: {
    listInteractions: { permission: 'interactions.read' },
    setFollowUp: {
      permission: 'interactions.write',
      versionAt: ({ businessId }) => `/businesses/${businessId}`,
      body: { followUpOn: '2026-12-01', acceptPastFollowUp: true },
    },
    recordOptOut: {
      permission: 'interactions.write',
      path: ({ optOutId }) => ({ businessId: optOutId }),
      refersTo: { personId: { names: 'personId', answers: 404 } },
      body: {
        occurredAt: happened.occurredAt,
        channel: happened.channel,
        direction: 'inbound',
        summary: 'They asked us to stop.',
        participants: ['Nomsa Dlamini'],
        reason: 'They asked.',
        alsoSuppress: [{ kind: 'email', value: optedOut, scope: 'exact' }],
        requestedBy: 'The owner',
      },
    },
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
      refersTo: {
        correctsId: { names: 'interactionId', answers: 404 },
        personId: { names: 'personId', answers: 404 },
      },
    },
  },
}
