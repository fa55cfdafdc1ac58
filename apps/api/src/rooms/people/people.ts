/**
 * Public module of the people room, which stores the people at a prospect (docs/decisions/people-at-a-prospect.md). A person belongs to one business,
 * is never deleted, and is never made contactable again.
 */

export { firstNameOf } from './people.rules.ts'
export { nameAndRole, peopleOnBothSchema } from './people.schema.ts'
export { findPeopleOnBoth } from './people-on-both.ts'
export { findPersonReached, reachesBlockedPerson, readBlockedReach, type TypedValue } from './person-values.ts'
export { addPerson, addValueToPerson, requirePersonAt } from './write-person.ts'
