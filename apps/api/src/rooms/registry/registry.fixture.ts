import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    roundId: string
  }
}

const start = { kinds: ['phone'], form: 'sha256' }

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    // A workspace has one open round, so each is cancelled, and the request of a case can start another one.
    const cancelled = async () => {
      const id = idIn(await client.post('/registry-rounds', start, { 'idempotency-key': unique() }))
      await client.post(`/registry-rounds/${id}/cancellation`, { reason: 'Another form is asked for.' })
      return id
    }
    await cancelled()
    const { body } = await client.get('/registry-registration')
    const { version } = body as { version: number }
    const registration = { number: 'DM 1000', validUntil: '2027-01-31' }
    await client.put('/registry-registration', registration, { 'if-match': `"${version}"` })
    return { roundId: await cancelled() }
  },
  cases: {
    getRegistryState: { permission: 'businesses.read' },
    getRegistryCheck: { permission: 'businesses.read' },
    getRegistryRegistration: { permission: 'registry.read' },
    setRegistryRegistration: {
      permission: 'registry.manage',
      body: { number: 'DM 1234', validUntil: '2027-04-14' },
    },
    listRegistryRounds: { permission: 'registry.read' },
    getRegistryRound: { permission: 'registry.read' },
    getRegistryFile: { permission: 'registry.manage', answers: 410 },
    uploadRegistryResult: {
      permission: 'registry.manage',
      body: 'value\n+27821234567\n',
      contentType: 'text/csv',
      answers: 409,
    },
    confirmRegistryResult: {
      permission: 'registry.manage',
      body: { resultSha256: 'a'.repeat(64), phoneRegion: 'ZA', reason: 'Compared with the registry.' },
      answers: 409,
    },
    getRegistryCertificate: { permission: 'registry.read', answers: 409 },
    cancelRegistryRound: { permission: 'registry.manage', body: { reason: 'Not needed.' }, answers: 409 },
    startRegistryRound: {
      permission: 'registry.manage',
      answersAgain: 409,
      body: { ...start, kinds: ['email'], states: ['new'], columns: ['value'] },
    },
  },
}
