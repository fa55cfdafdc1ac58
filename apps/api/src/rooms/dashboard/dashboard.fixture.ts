import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  records: async ({ client, place: { savedFilterId } }) => {
    const { version } = (await client.get('/dashboard/arrangement')).body as { version: number }
    const tiles = [
      { key: version % 2 === 0 ? 'due' : 'mine', isHidden: false },
      { key: `filter:${savedFilterId}`, isHidden: true },
    ]
    await client.put('/dashboard/arrangement', { tiles }, { 'if-match': `"${version}"` })
    return {}
  },
  cases: {
    getDashboard: { permission: 'dashboard.read' },
    getTile: { permission: 'dashboard.read', path: ({ savedFilterId }) => ({ key: `filter:${savedFilterId}` }) },
    getArrangement: { permission: null },
    arrangeDashboard: { permission: null, body: { tiles: [{ key: 'due', isHidden: true }] } },
  },
}
