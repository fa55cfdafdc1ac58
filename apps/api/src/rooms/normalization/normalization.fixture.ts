import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = { cases: { listPhoneCountries: { permission: null } } }
