/**
 * Public module of the people room, which stores the people at a prospect (docs/decisions/people-at-a-prospect.md). A person belongs to one business,
 * is never deleted, and is never made contactable again.
 */

export { erasePerson } from './erase-person.ts'
export { firstNameOf } from './people.rules.ts'
export { nameAndRole, peopleLimits, peopleOnBothSchema, personParams, personSchema } from './people.schema.ts'
export { findPeopleOnBoth } from './people-on-both.ts'
export { findPeopleToAsk, type PeopleToAsk } from './people-to-ask.ts'
export { findPersonReached, reachesBlockedPerson, readBlockedReach, type TypedValue } from './person-values.ts'
export { getPerson } from './read-people.ts'
export { addPerson, addValueToPerson, requirePersonAt } from './write-person.ts'
