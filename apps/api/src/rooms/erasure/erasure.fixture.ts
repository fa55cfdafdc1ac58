import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: { eraseBusiness: { body: { reason: 'The person asked.', suppress: true }, answersAgain: 409 } },
}
