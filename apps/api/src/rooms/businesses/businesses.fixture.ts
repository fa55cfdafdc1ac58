import { idIn, type RoomFixture } from '../fixture.ts'

declare module '../fixture.ts' {
  interface Place {
    /** a prospect with two of each child */
    businessId: string
    /** a prospect that was blocked manually */
    blockedId: string
  }
}

const whole = {
  name: 'Overberg Fencing',
  tradingName: 'Overberg Wire',
  registrationNumber: '2011/123456/07',
  industry: 'Farming',
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
    return { businessId, blockedId }
  },
  cases: {
    listBusinesses: { permission: 'businesses.read', filtersBy: { assignee: 'userId' } },
    createBusiness: {
      permission: 'businesses.write',
      body: whole,
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
    listTags: { permission: 'businesses.read' },
    getBusiness: { permission: 'businesses.read' },
    editBusiness: {
      permission: 'businesses.write',
      body: whole,
      refersTo: { assigneeId: { names: 'userId', answers: 422 } },
    },
    blockBusiness: { permission: 'businesses.block', body: { reason: 'They asked.' } },
    liftBlock: {
      permission: 'suppression.remove',
      path: ({ blockedId }) => ({ businessId: blockedId }),
      body: { reason: 'They came back.' },
    },
    listActivity: { permission: 'businesses.read' },
  },
}
