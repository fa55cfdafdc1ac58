import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    erasePerson: {
      permission: 'erasure.erase',
      body: { reason: 'The person asked.', suppress: true },
      answersAgain: 409,
    },
    eraseBusiness: {
      permission: 'erasure.erase',
      body: { reason: 'The person asked.', suppress: true },
      answersAgain: 409,
    },
  },
}
