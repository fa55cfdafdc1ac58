import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    requestId: string
    /** a request that no case answers */
    editableRequestId: string
  }
}

const request = {
  kind: 'access',
  receivedAt: '2026-11-02T08:00:00Z',
  requester: { name: 'Thandi Nkosi', contact: 'thandi@nkosi.example' },
  identityCheck: 'She called from the number on the website.',
}

export const fixture: RoomFixture = {
  records: async ({ client, place: { businessId } }) => {
    const add = async () => idIn(await client.post('/subject-requests', { ...request, businessId }))
    const requestId = await add()
    const answered = await add()
    await client.post(`/subject-requests/${answered}/answer`, { outcome: 'refused', how: 'By letter.' })
    return { requestId, editableRequestId: await add() }
  },
  cases: {
    listSubjectRequests: { permission: 'requests.read' },
    getSubjectRequest: { permission: 'requests.read' },
    addSubjectRequest: {
      permission: 'requests.manage',
      body: ({ businessId }) => ({ ...request, businessId }),
      refersTo: { businessId: { names: 'businessId', answers: 404 } },
      fills: { subject_requests_of_day: {} },
    },
    editSubjectRequest: {
      permission: 'requests.manage',
      path: ({ editableRequestId }) => ({ requestId: editableRequestId }),
      body: ({ businessId }) => ({
        requester: { name: 'Thandi N. Nkosi', contact: '082 123 4567' },
        identityCheck: 'Her passport was shown.',
        businessId,
      }),
      refersTo: { businessId: { names: 'businessId', answers: 404 } },
    },
    extendSubjectRequest: {
      permission: 'requests.manage',
      answersAgain: 409,
      body: { dueOn: '2026-12-20', reason: 'Two sites keep paper files.' },
    },
    answerSubjectRequest: {
      permission: 'requests.manage',
      answersAgain: 409,
      body: { outcome: 'granted', how: 'A copy was handed over.', acts: [] },
    },
  },
}
