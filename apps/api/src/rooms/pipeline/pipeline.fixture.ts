import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    transitionId: string
  }
}

export const fixture: RoomFixture = {
  records: async ({ client, place: { businessId } }) => {
    const move = async (to: string) =>
      idIn(await client.post(`/businesses/${businessId}/pipeline-transitions`, { to }), 'transition.id')
    const transitionId = await move('contacted')
    await move('qualified')
    return { transitionId }
  },
  cases: {
    getPipeline: { permission: 'pipeline.read' },
    configurePipeline: { permission: 'pipeline.configure', body: { pausedEnabled: true, disqualifiedEnabled: true } },
    movePipeline: { permission: 'pipeline.move', body: { to: 'proposal', reason: 'They asked for one.' } },
    listTransitions: { permission: 'pipeline.read' },
  },
}
