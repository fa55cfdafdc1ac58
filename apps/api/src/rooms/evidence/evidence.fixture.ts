import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    evidenceId: string
  }
}

const seen = {
  observation: 'The sign above the door.',
  sourceLabel: 'A visit',
  capturedAt: '2026-11-20T09:00:00Z',
  confidence: 'high',
}

const { capturedAt: _instant, ...ofDays } = seen

export const fixture: RoomFixture = {
  records: async ({ client, place: { businessId } }) => {
    const add = async () => idIn(await client.post(`/businesses/${businessId}/evidence`, seen))
    const evidenceId = await add()
    await add()
    return { evidenceId }
  },
  cases: {
    listEvidence: { permission: 'evidence.read' },
    addEvidence: {
      permission: 'evidence.write',
      body: {
        ...seen,
        field: 'industry',
        value: 'Farming',
        sourceReference: 'Folder 7',
        context: 'On the gate',
        url: 'https://overberg.example/about',
        observedAt: '2026-11-19T09:00:00Z',
      },
      otherBodies: [{ ...ofDays, capturedOn: '2026-11-20', observedOn: '2026-11-19' }],
      refersTo: { supersedesId: { names: 'evidenceId', answers: 404 } },
    },
    getEvidence: { permission: 'evidence.read' },
    listFacts: { permission: 'evidence.read' },
  },
}
