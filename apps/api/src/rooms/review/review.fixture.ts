import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    savedFilterId: string
    /** a filter that the fixture deletes */
    ownFilterId: string
    bulkPreviewId: string
    bulkPreviewFingerprint: string
    bulkId: string
  }
}

const conditions = [
  { field: 'q', op: 'contains', values: ['Karoo'] },
  { field: 'review', op: 'any_of', values: ['due'] },
]

export const fixture: RoomFixture = {
  records: async ({ client, unique, place: { businessId, reviewedId } }) => {
    const filter = { desk: 'review', filter: conditions, sharing: 'tenant' }
    const save = async () => idIn(await client.post('/saved-filters', { ...filter, name: `Filter ${unique()}` }))
    const savedFilterId = await save()
    const own = { desk: 'prospects', filter: [], name: `Own ${unique()}` }
    const ownFilterId = idIn(await client.post('/saved-filters', own))
    const defaults = (await client.get('/saved-filters/defaults')).body as { version: number }
    await client.put(
      '/saved-filters/defaults',
      { prospects: null, review: savedFilterId },
      { 'if-match': `"${defaults.version}"` },
    )
    const preview = async () => {
      const selection = { ids: [businessId, reviewedId] }
      const answer = await client.post('/bulk-reviews/previews', {
        action: 'add_tag',
        tag: `Tag ${unique()}`,
        selection,
      })
      return { previewId: idIn(answer), fingerprint: idIn(answer, 'fingerprint') }
    }
    const confirm = async () => {
      const body = { ...(await preview()), reason: 'A round of visits.' }
      return idIn(await client.post('/bulk-reviews', body, { 'idempotency-key': unique() }))
    }
    const bulkId = await confirm()
    await confirm()
    const { previewId: bulkPreviewId, fingerprint: bulkPreviewFingerprint } = await preview()
    return {
      bulkId,
      bulkPreviewId,
      bulkPreviewFingerprint,
      savedFilterId,
      ownFilterId,
    }
  },
  cases: {
    previewBulkReview: {
      permission: 'review.bulk',
      fills: { bulk_previews: {} },
      body: { action: 'reject', reasonCode: 'out_of_scope', selection: { filter: conditions, excludedIds: [] } },
      otherBodies: [
        { action: 'add_tag', tag: 'Visited', selection: { ids: [] } },
        { action: 'remove_tag', tag: 'Visited', selection: { bulkId: '', outcome: 'refused', code: 'suppressed' } },
      ],
      refersTo: {
        assigneeId: {
          names: 'userId',
          answers: 201,
          beside: { action: 'assign', selection: { filter: [], excludedIds: [] } },
        },
        'selection.filterId': { names: 'savedFilterId', answers: 404, beside: { action: 'verify', selection: {} } },
        'selection.bulkId': {
          names: 'bulkId',
          answers: 404,
          beside: { action: 'verify', selection: { outcome: 'refused' } },
        },
      },
    },
    getBulkPreview: {
      permission: 'review.bulk',
      path: ({ bulkPreviewId }) => ({ previewId: bulkPreviewId }),
      isOfItsMaker: true,
    },
    createBulkReview: {
      permission: 'review.bulk',
      fills: { bulk_actions_of_day: {} },
      body: ({ bulkPreviewId, bulkPreviewFingerprint }) => ({
        previewId: bulkPreviewId,
        fingerprint: bulkPreviewFingerprint,
        reason: 'A round of visits.',
      }),
      refersTo: {
        previewId: {
          names: 'bulkPreviewId',
          answers: 404,
          beside: { fingerprint: '0'.repeat(64), reason: 'A round of visits.' },
        },
      },
      answersAgain: 409,
      isOfItsMaker: true,
    },
    listBulkReviews: { permission: 'review.read' },
    getBulkReview: { permission: 'review.read' },
    listBulkOutcomes: { permission: 'review.read' },
    cancelBulkReview: { permission: 'review.bulk' },
    previewUndo: { permission: 'review.bulk' },
    listSavedFilters: { permission: null },
    createSavedFilter: {
      permission: null,
      fills: { saved_filters: {}, shared_filters: { sharing: 'tenant' } },
      body: {
        desk: 'prospects',
        name: 'Open in the Karoo',
        filter: conditions,
        sort: 'name',
        view: 'board',
        columns: ['name'],
        sharing: 'private',
      },
      answersAgain: 409,
    },
    getFilterDefaults: { permission: null },
    setFilterDefaults: {
      permission: null,
      body: { scope: 'own', prospects: null, review: null },
      refersTo: {
        prospects: { names: 'savedFilterId', answers: 404, beside: { review: null } },
        review: { names: 'savedFilterId', answers: 404, beside: { prospects: null } },
      },
    },
    getSavedFilter: { permission: null },
    editSavedFilter: {
      permission: null,
      body: {
        name: 'Due in the Karoo',
        filter: conditions,
        sort: '-score',
        view: 'table',
        columns: ['name', 'score'],
        sharing: 'tenant',
      },
      otherBodies: [{ takeOver: true }],
      answersAgain: 403,
    },
    lockSavedFilter: { permission: 'saved_filters.manage' },
    unlockSavedFilter: { permission: 'saved_filters.manage' },
    listReviewQueue: { permission: 'review.read', filtersBy: { filterId: 'savedFilterId' } },
    claimNextReview: {
      permission: 'review.decide',
      body: { conditions, sort: '-createdAt', skip: [] },
      refersTo: { filterId: { names: 'savedFilterId', answers: 404, beside: { skip: [] } } },
    },
    openReview: {
      permission: 'review.decide',
      body: { conditions, sort: '-score' },
      refersTo: { filterId: { names: 'savedFilterId', answers: 404, beside: {} } },
    },
    deleteSavedFilter: {
      permission: null,
      path: ({ ownFilterId }) => ({ savedFilterId: ownFilterId }),
      isOfItsMaker: true,
    },
  },
}
