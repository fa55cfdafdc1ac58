import type { RoomFixture } from '../fixture.ts'

export const fixture: RoomFixture = {
  cases: {
    normalizeDomains: {
      permission: 'domains.read',
      body: { values: ['shop.overberg.example', 'karoo.github.io', '127.1'] },
      asksOnly: true,
    },
  },
}
