import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** an entry with two requests in its history and two matching prospects */
    suppressionId: string
    /** a prospect that matches two entries */
    matchedId: string
    /** a prospect with the values of `asked`, that nobody has blocked yet */
    askedId: string
  }
}

const provenance = {
  reason: 'They asked.',
  channel: 'phone',
  requestedBy: 'The owner',
  reference: 'Call 7',
  requestedAt: '2026-11-20T09:00:00Z',
  expiresAt: null,
}
/** A value of the prospect that asks not to be contacted. */
const asked = { kind: 'phone', value: '+27 21 555 0177' }
const batch = {
  lines: ['owner@overberg.example', 'owner@karoo.example'],
  region: null,
  domainScope: 'exact',
  acceptUnknownSuffix: false,
}

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    const value = `${unique()}@suppressed.co.za`
    for (const name of ['First', 'Second']) await client.post('/businesses', { name, emails: [{ value }] })
    const entry = { kind: 'email', value, ...provenance }
    const suppressionId = idIn(await client.post('/suppressions', entry), 'suppression.id')
    await client.post('/suppressions', entry)
    const another = `${unique()}@suppressed.co.za`
    await client.post('/suppressions', { ...entry, value: another })
    const emails = [{ value }, { value: another }]
    const matchedId = idIn(await client.post('/businesses', { name: 'Both', emails }))
    const phones = [{ value: asked.value }]
    return { suppressionId, matchedId, askedId: idIn(await client.post('/businesses', { name: 'Asked', phones })) }
  },
  cases: {
    getSuppressionEvaluation: { permission: 'suppression.read' },
    listSuppressions: { permission: 'suppression.read' },
    addSuppression: {
      permission: 'suppression.add',
      body: {
        ...provenance,
        kind: 'email',
        value: 'nobody@overberg.example',
        region: null,
        scope: 'exact',
        acceptUnknownSuffix: false,
      },
    },
    checkSuppressions: {
      permission: 'suppression.read',
      body: { values: [{ kind: 'email', value: 'a@karoo.co.za', region: null }] },
      asksOnly: true,
    },
    previewSuppressionBatch: { permission: 'suppression.add', body: batch, asksOnly: true },
    addSuppressionBatch: { permission: 'suppression.add', body: { ...provenance, ...batch } },
    getSuppression: { permission: 'suppression.read' },
    listSuppressionHistory: { permission: 'suppression.read' },
    listSuppressionMatches: { permission: 'suppression.read' },
    removeSuppression: { permission: 'suppression.remove', body: { reason: 'They came back.' } },
    getValuesToSuppress: { permission: 'suppression.add' },
    blockBusiness: {
      permission: 'businesses.block',
      path: ({ askedId }) => ({ businessId: askedId }),
      body: {
        reason: 'They asked.',
        alsoSuppress: [{ ...asked, scope: 'exact' }],
        requestedBy: 'The owner',
        channel: 'phone',
      },
    },
    listSuppressionsOfBusiness: {
      permission: 'suppression.read',
      path: ({ matchedId }) => ({ businessId: matchedId }),
    },
  },
}
