import type { UserActor } from '../../lib/actor.ts'
import type { Db } from '../../store/database.ts'
import { familyOf } from '../businesses/businesses.ts'
import { HIDDEN, hidesValuesFrom } from '../contact-gate/contact-gate.ts'
import { COMPARED_PEOPLE, COMPARED_VALUES, type ListedPerson, selectNamed, selectValues } from './people.queries.ts'
import { type ComparedPeople, pairsAlike } from './people.rules.ts'
import { PAIRS_SHOWN, type PeopleOnBoth } from './people.schema.ts'
import { comparedText } from './person-values.ts'

/**
 * Returns the people of two prospects, with the records merged into them, who have an equal name, address or number. They are a weak sign of one
 * business: a person decides what they mean. The schema hides those of a do-not-contact record; one who alone was marked by hand is hidden here.
 */
export async function findPeopleOnBoth(
  db: Db,
  reader: UserActor,
  [first, second]: readonly [string, string],
): Promise<PeopleOnBoth> {
  const a = await peopleOf(db, reader.tenantId, first)
  const b = await peopleOf(db, reader.tenantId, second)
  const known = new Map([...a.people, ...b.people].map((one) => [one.id, one]))
  const isMarkedHidden = hidesValuesFrom(reader, { doNotContact: true })
  const pairs = pairsAlike(a, b)
  const items = pairs.slice(0, PAIRS_SHOWN).map(({ people, because }) => ({
    people: people.flatMap((id) => {
      const person = known.get(id)
      return person === undefined ? [] : [shown(person, { isHidden: person.isBlocked && isMarkedHidden })]
    }),
    because,
  }))
  return { items, isComplete: pairs.length <= PAIRS_SHOWN }
}

async function peopleOf(db: Db, tenantId: string, businessId: string): Promise<ComparedPeople> {
  const family = await familyOf(db, tenantId, businessId)
  const people = await selectNamed(db, { tenantId, family, limit: COMPARED_PEOPLE })
  const rows = await selectValues(db, { tenantId, family, limit: COMPARED_VALUES })
  const values = rows.map(({ person_id: personId, kind, original: value, region }) => ({
    personId,
    kind,
    text: comparedText({ kind, value, region }),
  }))
  return { people, values }
}

function shown({ id, businessId, name, role }: ListedPerson, { isHidden }: { isHidden: boolean }) {
  return isHidden
    ? { id, businessId, name: HIDDEN, role: role === null ? null : HIDDEN }
    : { id, businessId, name, role }
}
