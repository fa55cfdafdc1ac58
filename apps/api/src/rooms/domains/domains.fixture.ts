import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** has observations */
    domain: string
  }
}

const seen = {
  name: 'www.overberg.example',
  kind: 'MX',
  status: 'resolved',
  records: [{ kind: 'MX', preference: 10, exchange: 'mail.overberg.example', ttl: 3_600 }],
  source: '10.0.0.53',
  observedAt: '2026-11-20T09:00:00Z',
}

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    const domain = `${unique()}.example`.toLowerCase()
    const record = async (name: string) => idIn(await client.post('/dns-observations', { ...seen, name }), 'domain')
    await record(`www.${domain}`)
    return { domain: await record(domain) }
  },
  cases: {
    normalizeDomains: {
      permission: 'domains.read',
      body: { values: ['shop.overberg.example', 'karoo.github.io', '127.1'] },
      asksOnly: true,
    },
    listDnsObservations: { permission: 'domains.read' },
    readDnsText: {
      permission: 'domains.record',
      body: { text: ';; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 1' },
      asksOnly: true,
    },
    recordDnsObservation: {
      permission: 'domains.record',
      body: { ...seen, ttl: 600, aliases: ['overberg.example'], isTruncated: true, raw: 'What dig showed.' },
      otherBodies: [{ ...seen, status: 'error', records: [], errorReason: 'response_code' }],
    },
    checkDns: { permission: 'domains.check', body: { name: 'overberg.example', kinds: ['MX', 'NS', 'TXT'] } },
    getDomainAvailability: { permission: 'domains.read' },
  },
}
