import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    listBusinesses: { permission: 'businesses.read', filtersBy: { assignee: 'userId' } },
    findRemovedFilterValues: {
      permission: 'businesses.read',
      query: `conditions=${encodeURIComponent('[{"field":"tag","op":"any_of","values":["Gone"]}]')}`,
    },
  },
}
