import { termWithoutTime } from '../retention-term.ts'
import type { Room } from '../room.ts'
import { KEEP_DAYS_DEFAULT, KEEP_MONTHS_DEFAULT } from './retention.rules.ts'

export const backupRoom: Room = {
  name: 'backup',
  retention: [
    {
      key: 'backups',
      data: 'Backups',
      term: termWithoutTime('per_item'),
      begins: `The newest backup of each day for ${KEEP_DAYS_DEFAULT} days, and of each month for ${KEEP_MONTHS_DEFAULT} months, unless the configuration of the server sets other numbers.`,
      ends: 'The backup is deleted. The newest backup is never deleted. Erased values remain in earlier backups until then.',
    },
  ],
}
