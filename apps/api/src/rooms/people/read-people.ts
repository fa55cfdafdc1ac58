import type { Cursors, Page, PageQuery } from '../../http/pagination.ts'
import { actorRef, type UserActor } from '../../lib/actor.ts'
import type { Store } from '../../store/store.ts'
import { businessChild, familyOf, recordsAbove } from '../businesses/businesses.ts'
import { type GateReader, gate, HIDDEN, hidesValuesFrom } from '../contact-gate/contact-gate.ts'
import { normalizeIdentifier } from '../normalization/normalization.ts'
import {
  COMPARED_PEOPLE,
  COMPARED_VALUES,
  getPersonRow,
  type PersonRow,
  selectNamed,
  selectPeople,
  selectValues,
} from './people.queries.ts'
import { findAlike, keptAmong } from './people.rules.ts'
import type { Person } from './people.schema.ts'
import type { PersonIdentifierTable } from './people.table.ts'
import { comparedText, valuesOfBusiness } from './person-values.ts'

/**
 * People as children of a business: those of the business and of the records merged into it, newest first. The lists of values are added by
 * `listPeople`.
 */
const peopleOfBusiness = businessChild<PersonRow, PersonRow>({
  name: 'people',
  table: 'people',
  select: (db, { before: [before] = [], ...wanted }) => selectPeople(db, { ...wanted, before }),
  businessOf: (row) => row.business_id,
  toItem: (row) => row,
})

/** Returns a page of the people at a business. Errors: `not_found`, `invalid_request` (the cursor). */
export async function listPeople(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  businessId: string,
  query: PageQuery,
): Promise<Page<Person>> {
  const page = await peopleOfBusiness.list(store, cursors, reader, businessId, query)
  return { ...page, items: await toPeople({ db: store.reader, keys: store.keys }, reader, businessId, page.items) }
}

/** Errors: `not_found`. */
export async function getPerson(store: Store, reader: UserActor, id: string): Promise<Person> {
  const { tenantId } = reader
  const row = await getPersonRow(store.reader, tenantId, id)
  const records = await recordsAbove(store.reader, tenantId, row.business_id)
  const survivorId = records.at(-1) ?? row.business_id
  const [person] = await toPeople({ db: store.reader, keys: store.keys }, reader, survivorId, [row])
  if (person === undefined) throw new Error('A person was read and not returned.')
  return person
}

/**
 * Adds to people of one business their values, whether entries match them, and who else is alike. The schema hides what is do not contact with its
 * business; a person who alone is marked by hand is hidden here.
 */
async function toPeople(
  asker: GateReader,
  reader: UserActor,
  businessId: string,
  rows: readonly PersonRow[],
): Promise<Person[]> {
  if (rows.length === 0) return []
  const { db } = asker
  const { tenantId } = reader
  const family = await familyOf(db, tenantId, businessId)
  const all = (await selectValues(db, { tenantId, family, limit: COMPARED_VALUES })).map((row) => {
    const value = { kind: row.kind, value: row.original, region: row.region }
    return { ...row, contact: value, text: comparedText(value) }
  })
  const named = await selectNamed(db, { tenantId, family, limit: COMPARED_PEOPLE })
  const alike = findAlike(
    named,
    all.map(({ person_id: personId, kind, text }) => ({ personId, kind, text })),
  )
  const keptOf = keptAmong(named)
  const ofBusiness = await valuesOfBusiness(db, tenantId, family)
  const kept = new Set(rows.map(({ id }) => keptOf(id)))
  const shown = all.filter(({ person_id: id }) => kept.has(keptOf(id)))
  const matches = await gate(
    asker,
    tenantId,
    shown.map(({ contact }) => contact),
  )
  const suppressed = new Set(matches.map(({ index }) => shown[index]))
  // An entry for a value of one of several joined people is one for all of them.
  const matched = new Set([...suppressed].flatMap((one) => (one === undefined ? [] : [keptOf(one.person_id)])))
  const valuesOf = Map.groupBy(shown, ({ person_id: id }) => id)
  return rows.map((row) => {
    const values = (valuesOf.get(row.id) ?? []).map((value) => ({
      kind: value.kind,
      ...toValue(value),
      isOfBusiness: ofBusiness.has(`${value.kind} ${value.text}`),
      isSuppressed: suppressed.has(value),
    }))
    const keptId = keptOf(row.id)
    const person = toPerson(row, {
      values,
      alike: alike.get(row.id) ?? [],
      joinedIntoId: keptId === row.id ? null : keptId,
      isMatched: matched.has(keptId),
    })
    return hidesValuesFrom(reader, { doNotContact: person.doNotContact !== null }) ? hidden(person) : person
  })
}

type ShownValue = Person['emails'][number] & { kind: 'email' | 'phone' }

function toValue({ kind, original: value, label, region }: PersonIdentifierTable) {
  const { normalized, uncertainty } = normalizeIdentifier(kind, value, region)
  return { value, label, ...(kind === 'phone' ? { region } : {}), normalized, uncertainty }
}

function toPerson(
  row: PersonRow,
  {
    values,
    isMatched,
    ...others
  }: { values: readonly ShownValue[]; isMatched: boolean } & Pick<Person, 'alike' | 'joinedIntoId'>,
): Person {
  const ofKind = (wanted: ShownValue['kind']) =>
    values.flatMap(({ kind, ...value }) => (kind === wanted ? [value] : []))
  return {
    id: row.id,
    businessId: row.business_id,
    version: row.version,
    name: row.name,
    role: row.role,
    language: row.language,
    note: row.note,
    emails: ofKind('email'),
    phones: ofKind('phone'),
    leftOn: row.left_on,
    doNotContact: blockOf(row, isMatched),
    ...others,
    erasedAt: row.erased_at,
    valuesHidden: false,
    createdAt: row.created_at,
    createdBy: actorRef(row.created_by, row.creator_name),
    updatedAt: row.updated_at,
  }
}

function blockOf(
  { blocked_at: at, blocked_by: by, blocked_reason: reason, blocker_name }: PersonRow,
  isMatched: boolean,
): Person['doNotContact'] {
  if (at === null || by === null || reason === null) return isMatched ? { through: 'suppression', byHand: null } : null
  return { through: isMatched ? 'both' : 'hand', byHand: { at, by: actorRef(by, blocker_name), reason } }
}

/** Returns a person who is do not contact for a reader who may not see contact values. The mark itself is shown. */
function hidden(person: Person): Person {
  const hide = (text: string | null) => (text === null ? null : HIDDEN)
  const hideValue = (value: Person['emails'][number]) => ({
    ...value,
    value: HIDDEN,
    label: hide(value.label),
    normalized: null,
    uncertainty: null,
  })
  const { doNotContact } = person
  return {
    ...person,
    valuesHidden: true,
    name: HIDDEN,
    role: hide(person.role),
    note: hide(person.note),
    emails: person.emails.map(hideValue),
    phones: person.phones.map(hideValue),
    doNotContact:
      doNotContact?.byHand == null
        ? doNotContact
        : { ...doNotContact, byHand: { ...doNotContact.byHand, reason: HIDDEN } },
  }
}
