import { IDEMPOTENCY_KEYS_KEPT_DAYS } from '../../store/change/idempotency.ts'
import { keyPruning } from '../../store/change/idempotency-pruning.ts'
import { termOf } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { retentionRoutes } from './retention.routes.ts'

export const retentionRoom: Room = {
  name: 'retention',
  routes: [retentionRoutes],
  retention: [
    {
      key: 'idempotency_keys',
      data: 'Keys by which a repeated request is recognized',
      term: termOf(IDEMPOTENCY_KEYS_KEPT_DAYS, 'day'),
      begins: 'From the request.',
      ends: 'The key is deleted with the ids and numbers of its result. The key of a job remains.',
      tasks: [keyPruning.name],
    },
  ],
}
