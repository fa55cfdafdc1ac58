import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    listBackgroundWork: { permission: null },
    listChanges: { permission: null },
    streamChanges: { permission: null, query: 'after=0&follow=false', isStream: true },
  },
}
