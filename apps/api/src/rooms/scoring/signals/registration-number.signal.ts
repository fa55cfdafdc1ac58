import { isStated, placeOf } from '../records/scoring-record.ts'
import type { Signal } from './signal.ts'

const place = placeOf('registrationNumber')

export const registrationNumber: Signal = {
  key: 'record.registration_number',
  title: 'Registration number',
  type: 'flag',
  field: 'registrationNumber',
  datedBy: 'the newest evidence that supports the registration number',
  read: (record) => (isStated(record, place) ? true : undefined),
}
