import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    eraseBusiness: {
      permission: 'erasure.erase',
      body: { reason: 'The person asked.', suppress: true },
      answersAgain: 409,
    },
  },
}
