import { DAY_MS } from '../../lib/clock.ts'
import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    tokenId: string
  }
}

const body = () => ({
  name: 'Warehouse sync',
  permissions: ['businesses.read'],
  endsAt: new Date(Date.now() + DAY_MS).toISOString(),
  addresses: ['127.0.0.1', '10.0.0.0/8'],
})

export const fixture: RoomFixture = {
  records: async ({ client }) => {
    const tokenId = idIn(await client.post('/tokens', body()))
    await client.post('/tokens', body())
    return { tokenId }
  },
  cases: {
    listTokenPermissions: { permission: null },
    listTokens: { permission: null },
    createToken: { permission: null, body, isOfAccounts: true, fills: { tokens: {}, tokens_of_day: {} } },
    revokeToken: { permission: null, needsAlso: 'tokens.manage' },
  },
}
