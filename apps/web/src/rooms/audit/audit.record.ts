import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { ActivityTab } from './activity-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'activity', label: 'Activity', Content: ActivityTab }],
}
