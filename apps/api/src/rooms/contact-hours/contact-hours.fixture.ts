import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: { getContactHours: { permission: null, query: 'country=ZA&channel=phone' } },
}
