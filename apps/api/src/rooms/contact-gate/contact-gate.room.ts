import type { Room } from '../room.ts'
import { holdEntries } from './entries/hold-entries.ts'

export const contactGateRoom: Room = {
  name: 'contact-gate',
  hold: holdEntries,
  holdsNothing: {
    suppression_matches: 'a function reads the entries that match, with their history',
    suppression_record_keys: 'the contact values of the record in the form in which the gate compares them',
  },
}
