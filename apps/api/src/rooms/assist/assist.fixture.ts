import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    getBrief: { permission: 'businesses.read' },
  },
}
