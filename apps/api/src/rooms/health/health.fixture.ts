import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    getLiveness: { permission: 'open' },
    getReadiness: { permission: 'open' },
    getDeployment: { permission: 'tenant.configure' },
    getAcceptanceReport: { permission: 'tenant.configure' },
    listCapabilities: { permission: null },
  },
}
