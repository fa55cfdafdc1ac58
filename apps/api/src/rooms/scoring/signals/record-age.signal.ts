import { crossingOfAge, daysBetween, type Signal } from './signal.ts'

export const recordAge: Signal = {
  key: 'record.age_days',
  title: 'Age of the record in days',
  type: 'number',
  datedBy: null,
  read: ({ createdAt }, now) => daysBetween(createdAt, now),
  changesAt: ({ createdAt }, now, condition) => crossingOfAge(createdAt, now, condition),
}
