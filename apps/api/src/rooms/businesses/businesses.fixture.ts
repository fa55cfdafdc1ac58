import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a prospect with two records of each kind of child */
    businessId: string
    /** a prospect that was blocked manually */
    blockedId: string
    /** a prospect to deactivate */
    mistakenId: string
    /** a prospect that was deactivated */
    deactivatedId: string
  }
}

const whole = {
  name: 'Overberg Fencing',
  tradingName: 'Overberg Wire',
  registrationNumber: '2011/123456/07',
  industry: 'Farming',
  employees: 12,
  emails: [{ value: 'desk@overberg.example', label: 'Desk' }],
  phones: [{ value: '+27 21 555 0199', label: 'Desk', region: 'ZA' }],
  domains: [{ value: 'overberg.example', label: 'Site' }],
  address: {
    street: '1 Kerk St',
    suburb: 'Centre',
    city: 'Caledon',
    province: 'Western Cape',
    postalCode: '7230',
    country: 'ZA',
  },
  tags: ['Fence'],
}

export const fixture: RoomFixture = {
  records: async ({ client, unique }) => {
    const create = async (body: object) => idIn(await client.post('/businesses', body))
    const businessId = await create({
      name: `Karoo ${unique()}`,
      emails: [{ value: `${unique()}@karoo.co.za` }],
      tags: ['Farm', 'Wind'],
    })
    const blockedId = await create({ name: `Blocked ${unique()}` })
    await client.post(`/businesses/${blockedId}/do-not-contact`, { reason: 'They asked.' })
    const mistakenId = await create({ name: `Mistaken ${unique()}` })
    const deactivatedId = await create({ name: `Deactivated ${unique()}` })
    await client.post(`/businesses/${deactivatedId}/deactivation`, { reason: 'Entered twice.' })
    return { businessId, blockedId, mistakenId, deactivatedId }
  },
  cases: {
    findSimilarNames: { permission: 'businesses.read', query: 'q=Kaaroo' },
    createBusiness: {
      permission: 'businesses.write',
      body: whole,
      otherBodies: [{ ...whole, doNotContact: { reason: 'They asked.' } }],
      refersTo: { assigneeId: { names: 'userId', answers: 422 } },
    },
    checkDuplicates: {
      permission: 'businesses.write',
      body: {
        name: 'Karoo Windpumps',
        emails: ['a@karoo.co.za'],
        phones: [{ value: '+27 21 555 0199', region: 'ZA' }],
        domains: ['karoo.co.za'],
      },
      asksOnly: true,
    },
    normalizeAddresses: {
      permission: 'businesses.read',
      body: {
        addresses: [
          { street: '8 Church Street', suburb: 'Tamboerskloof', city: 'Richmond', province: 'NC', postalCode: '7090' },
          { city: null, country: 'South Africa' },
        ],
      },
      asksOnly: true,
    },
    listTags: { permission: 'businesses.read' },
    getBusiness: { permission: 'businesses.read' },
    editBusiness: {
      permission: 'businesses.write',
      body: whole,
      refersTo: { assigneeId: { names: 'userId', answers: 422 } },
    },
    liftBlock: {
      permission: 'suppression.remove',
      path: ({ blockedId }) => ({ businessId: blockedId }),
      body: { reason: 'They came back.' },
    },
    deactivateBusiness: {
      permission: 'businesses.deactivate',
      path: ({ mistakenId }) => ({ businessId: mistakenId }),
      body: { reason: 'Entered twice.' },
      answersAgain: 422,
    },
    reactivateBusiness: {
      permission: 'businesses.deactivate',
      path: ({ deactivatedId }) => ({ businessId: deactivatedId }),
      body: { reason: 'It was not.' },
    },
    listActivity: { permission: 'businesses.read' },
  },
}
