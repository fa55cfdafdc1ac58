import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: { getLiveness: {}, getReadiness: {}, getDeployment: {}, getAcceptanceReport: {}, listCapabilities: {} },
}
