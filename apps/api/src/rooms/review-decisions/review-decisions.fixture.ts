import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a prospect that can be reviewed, with its fingerprint */
    reviewedId: string
    reviewFingerprint: string
  }
}

export const fixture: RoomFixture = {
  records: async ({ client, unique, place: { businessId } }) => {
    const open = async (id: string) => idIn(await client.post(`/businesses/${id}/review-openings`, {}), 'fingerprint')
    for (const reason of ['Looked again.', 'And again.'])
      await client.post(`/businesses/${businessId}/reviews`, {
        decision: 'reject',
        reasonCode: 'other',
        reason,
        fingerprint: await open(businessId),
      })
    const { version } = (await client.get('/review-settings')).body as { version: number }
    await client.put('/review-settings', { termDays: version === 0 ? 90 : null }, { 'if-match': `"${version}"` })
    const reviewedId = idIn(await client.post('/businesses', { name: `Reviewed ${unique()}` }))
    return { reviewedId, reviewFingerprint: await open(reviewedId) }
  },
  cases: {
    listReviews: { permission: 'review.read' },
    getReviewSettings: { permission: 'review.read' },
    changeReviewSettings: { permission: 'review.configure', body: { termDays: 365 } },
    addReview: {
      permission: 'review.decide',
      path: ({ reviewedId }) => ({ businessId: reviewedId }),
      body: ({ reviewFingerprint: fingerprint }) => ({
        decision: 'verify',
        checkedFields: ['name'],
        reason: 'Looked it up.',
        fingerprint,
      }),
      otherBodies: [
        { decision: 'reject', reasonCode: 'other', reason: 'Closed for good.', fingerprint: `1.${'0'.repeat(64)}` },
        { decision: 'defer', until: '2026-12-01', reason: 'On leave.', fingerprint: `1.${'0'.repeat(64)}` },
      ],
      repeats: { property: 'fingerprint', of: ({ businessId }) => `/businesses/${businessId}/review-openings` },
      answersAgain: 409,
    },
  },
}
