import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { BriefTab } from './brief-tab.tsx'

export const recordParts: RecordParts = { tabs: [{ id: 'brief', label: 'Brief', Content: BriefTab }] }
