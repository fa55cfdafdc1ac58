import type { EvidenceField } from './sample-plan.ts'

/** A source of evidence. `fields`: the fields that it can state. `reference`: returns its file or page number. */
export type Source = {
  label: string
  fields: readonly EvidenceField[]
  confidence: 'low' | 'medium' | 'high'
  contexts: readonly string[]
  reference?: (year: number, number: number) => string
  weight: number
}

export const companiesRegister = 'CIPC extract'
export const ownWebsite = 'Website, read by hand'

function padded(number: number): string {
  return String(number).padStart(4, '0')
}

export const sources: readonly Source[] = [
  {
    label: 'Business card',
    fields: ['name', 'tradingName', 'email', 'phone', 'domain', 'address.street', 'address.city'],
    confidence: 'high',
    contexts: [
      'Handed over at the counter.',
      'Card of {contact}, given at a site visit.',
      'Picked up at the chamber of commerce breakfast.',
      'The cell number is written by hand on the back.',
    ],
    reference: (year, number) => `cards/${year}/${padded(number)}`,
    weight: 5,
  },
  {
    label: companiesRegister,
    fields: ['name', 'registrationNumber', 'address.street', 'address.city', 'address.postalCode'],
    confidence: 'high',
    contexts: [
      'Status shown as "in business".',
      'Annual returns up to date.',
      'Registered address, not where they trade.',
    ],
    reference: (year, number) => `CIPC ${year}-${padded(number)}`,
    weight: 4,
  },
  {
    label: 'Phone call',
    fields: ['phone', 'email', 'industry', 'address.suburb', 'address.city'],
    confidence: 'medium',
    contexts: [
      'They rang us; {contact} read it out over the phone.',
      '{contact} spelled the address letter by letter.',
      'Bad line, asked twice.',
      'Switchboard confirmed it.',
    ],
    weight: 5,
  },
  {
    label: 'Trade fair list',
    fields: ['name', 'tradingName', 'email', 'phone', 'industry', 'address.province'],
    confidence: 'medium',
    contexts: [
      'Exhibitor in hall 5.',
      'From the organiser’s list of exhibitors.',
      'Listed as a visitor, not an exhibitor.',
    ],
    reference: (year, number) => `Expo ${year} list, row ${number}`,
    weight: 3,
  },
  {
    label: 'Yellow pages clipping',
    fields: ['name', 'phone', 'industry', 'address.street', 'address.suburb', 'address.city'],
    confidence: 'low',
    contexts: [
      'Old edition, the number may have changed.',
      'Quarter-page advertisement.',
      'Clipping kept in the branch folder.',
    ],
    reference: (year, number) => `clippings ${year}, no. ${number}`,
    weight: 3,
  },
  {
    label: 'Signage photo',
    fields: ['tradingName', 'phone', 'domain', 'address.street', 'address.suburb'],
    confidence: 'medium',
    contexts: ['Board above the entrance.', 'Photo taken from the car park.', 'Lettering on the side of the bakkie.'],
    reference: (year, number) => `photo ${year}-${padded(number)}.jpg`,
    weight: 3,
  },
  {
    label: ownWebsite,
    fields: ['email', 'phone', 'domain', 'address.street', 'address.city', 'industry'],
    confidence: 'medium',
    contexts: ['Contact page.', 'Footer of the front page.', 'The page was last changed two years ago.'],
    weight: 3,
  },
  {
    label: 'Supplier invoice',
    fields: ['name', 'registrationNumber', 'email', 'address.street', 'address.postalCode'],
    confidence: 'high',
    contexts: ['Letterhead of the invoice.', 'Banking details left out on purpose.'],
    reference: (year, number) => `INV-${year}-${padded(number)}`,
    weight: 2,
  },
  {
    label: 'Referral by a customer',
    fields: ['name', 'phone', 'industry', 'address.city'],
    confidence: 'medium',
    contexts: ['A customer down the road deals with them.', 'Referred by the co-op.', 'From a cousin of the owner.'],
    weight: 2,
  },
]

/** Sources of observations that concern no single field. */
export const visits: readonly Source[] = [
  {
    label: 'Site visit',
    fields: [],
    confidence: 'high',
    contexts: ['Shown around by {contact}.', 'Twenty minutes on the premises.', 'Visit without an appointment.'],
    reference: (year, number) => `visit report ${year}-${padded(number)}`,
    weight: 4,
  },
  {
    label: 'Drive past',
    fields: [],
    confidence: 'low',
    contexts: ['Seen from the road.', 'On the way to another customer.'],
    weight: 2,
  },
  {
    label: 'Trade fair stand',
    fields: [],
    confidence: 'medium',
    contexts: ['Talked to {contact} at their stand.', 'Overheard at the next stand.'],
    weight: 1,
  },
]

/** Texts of observations, which make no claim about a field. */
export const observations: readonly string[] = [
  'Two delivery vehicles in the yard, both with the logo.',
  'The shop next door belongs to the same owner.',
  'Busy on a Saturday morning, queue out of the door.',
  'Board outside says "Under new management".',
  'Moved to larger premises; the old unit stands empty.',
  'Runs on a generator most afternoons.',
  'About fifteen people on the floor at the time of the visit.',
  'Closed for the December break until the second week of January.',
  'A second branch is advertised on the banner, no address given.',
  'The gate was locked at 10:00 on a weekday.',
  'Advertises for two more drivers on the notice board of the co-op.',
  'Fuel tank and weighbridge on site.',
]

export const contradictionContexts: readonly string[] = [
  'Differs from what we have; ask at the next call.',
  'Perhaps the number of the previous tenant.',
  'Printed before they moved.',
  'Could be the accountant’s details.',
]
