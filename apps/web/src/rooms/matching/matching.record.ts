import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { RecordDuplicates } from './record-duplicates.tsx'

export const recordParts: RecordParts = { notices: [RecordDuplicates] }
