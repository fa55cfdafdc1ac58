import type { ReachedState } from './sample-plan.ts'

/**
 * Sample notes for each pipeline state. `{contact}` and `{city}` are placeholders. The notes use the past tense, because a note records what a person
 * did.
 */
export const notesByState: Record<ReachedState, readonly string[]> = {
  new: [
    'Found on the way to {city}. Not spoken to anybody yet.',
    'Came in through the expo stand. Wants a price list in Afrikaans and English.',
    'Referred by an existing customer, who says to ask for {contact}.',
    'Shop closed at lunch. Try before 12:00.',
    'Check whether this is the same business as the one in the industrial area.',
    'Sounds like a one-person operation. Small but regular orders.',
    'The e-mail address on the sign is painted over. Ask at the counter.',
  ],
  contacted: [
    'Spoke to {contact}. Friendly, asked us to ring again after month end.',
    '{contact} is the buyer. The owner signs anything above R20 000.',
    'Left a message with reception; {contact} is on site until Thursday.',
    '{contact} prefers WhatsApp to calls during load-shedding.',
    'They have a supplier in {city} and are happy on price, less so on delivery.',
    'Visited. Good coffee. {contact} showed the workshop and explained who decides.',
    'Asked for references in the same line of business.',
  ],
  qualified: [
    'Budget confirmed for this quarter. Decision by {contact} and a partner.',
    'Needs delivery to {city} twice a week, mornings only.',
    'Wants 30 days from statement. Credit application left with {contact}.',
    'Three branches, one buyer. Starts with {city} if the trial works.',
    'B-BBEE certificate needed before the order can be placed.',
  ],
  proposal: [
    'Quote handed over in person. {contact} will compare it with two others.',
    'Quote valid for 30 days. They asked for a split between labour and material.',
    '{contact} found a mistake in line 4 of the quote; corrected version dropped off.',
    'Board meets on the second Tuesday; no answer expected before that.',
    'Asked whether we can hold the price until the new season.',
  ],
  negotiation: [
    '{contact} wants 7,5 % off or free delivery to {city}. Offered 5 % and delivery.',
    'Legal wording of the service agreement is with their attorney.',
    'Agreed on price. Payment terms still open: they ask for 60 days.',
    'Competitor came in lower; {contact} would still rather stay with one supplier.',
  ],
  won: [
    'Order number received. First delivery to {city} in two weeks.',
    'Signed. {contact} asked for one invoice for all branches.',
    'Account opened, credit limit R50 000 to start with.',
  ],
  lost: [
    'Stays with the present supplier for another year. {contact} asked us to visit again after that.',
    'Too far from our depot; delivery to {city} made us too dear.',
    'Budget frozen until the new financial year.',
  ],
}

/** Sample notes with confidential content. */
export const sensitiveNotes: readonly string[] = [
  '{contact} asked not to mention the retrenchment to anybody on the floor.',
  'Cash flow is tight until the municipality pays them. Told to us in confidence.',
  '{contact} is leaving at the end of the quarter; colleagues do not know yet.',
  'Owner is in hospital. Deal gently, talk to the daughter.',
  'They are in dispute with a former partner; do not discuss prices with him.',
  'The family is thinking of selling the business. Not public.',
]

export const moveReasons: Partial<Record<ReachedState, readonly string[]>> = {
  contacted: ['Rang us after the expo', 'First visit done', 'Reached by phone', 'Answered our letter'],
  qualified: ['Budget and buyer known', 'Fits: size, place and volume', 'Needs what we supply this season'],
  proposal: ['Asked for a written quote', 'Site measured, quote prepared', 'Tender document collected'],
  negotiation: [
    'Wants to talk about terms',
    'Shortlisted, price under discussion',
    'Asked for a better delivery price',
  ],
  won: ['Order placed', 'Agreement signed', 'Trial went well, account opened', 'Tender awarded'],
  lost: [
    'Chose another supplier',
    'No budget this year',
    'Price',
    'Too far from our depot',
    'Project cancelled',
    'Went quiet',
  ],
}

export const reopenReasons: { won: readonly string[]; lost: readonly string[] } = {
  won: ['Order cancelled before delivery, terms to be agreed again', 'Volume doubled, new terms asked for'],
  lost: [
    'Other supplier could not deliver, they came back to us',
    'Budget released after all',
    'New owner wants to talk again',
  ],
}

export const doNotContactReasons: readonly string[] = [
  'Owner asked on the phone not to be contacted again.',
  'Objection under section 11(3) of POPIA, received by letter.',
  'Asked at the expo stand to be taken off every list.',
  'Attorney’s letter: no further approaches while the dispute runs.',
  'Family asked to be left in peace after a death in the business.',
  'E-mail from {contact}: "please remove us, we only buy from our group".',
  'Business rescue; the practitioner handles all correspondence.',
]

export const commonTags: readonly string[] = [
  'wholesale',
  'referral',
  'walk-in',
  'tender',
  'key-account',
  'family-business',
  'women-owned',
  'bbbee-level-1',
  'bbbee-level-2',
  'month-end',
  'price-list-afrikaans',
  'second-visit',
]

/** Names of shelf companies. Such a name is used only in the register; customers know the trading name. */
export const shelfNames: readonly string[] = [
  'Blue Horizon Trading',
  'Kestrel Ridge Investments',
  'Tinderwood Trading',
  'Crimson Sky Properties',
  'Ruby Leaf Trading',
  'Larkwater Holdings',
  'Candlebush Investments',
  'Amber Rock Enterprises',
]
