import { defineFacts } from '../define-facts.ts'

export const peopleFacts = defineFacts({
  room: 'people',
  permissions: {
    'people.read': { role: 'viewer', label: 'See the people at a prospect' },
    'people.write': { role: 'operator', label: 'Add and edit the people at a prospect' },
  },
  errors: {
    person_known: [409, 'Person already recorded'],
    person_joined: [409, 'Person joined with another'],
  },
  workActions: {
    'person.add': 'Person added',
    'person.edit': 'Person edited',
    'person.depart': 'Person left',
    'person.block': 'Person marked do not contact',
    'person.join': 'People joined',
    'person.separate': 'People separated',
  },
  auditSubjects: { person: { label: 'Person at a prospect', visibleTo: 'people.read' } },
  businessChildren: { people: { table: 'people', changed: 'has more people' } },
  otherBusinessTables: {
    person_states: 'the present state of each person: a merge counts the people',
    person_identifiers: 'the present contact values of each person',
  },
  contactTables: [{ table: 'person_identifiers', hiddenBy: ['blocked_at'] }],
  namedTables: [{ table: 'person_states', hiddenBy: ['blocked_at', 'erased_at'], leftBy: 'left_on' }],
  erasedCounts: { people: 'People that were emptied' },
})
