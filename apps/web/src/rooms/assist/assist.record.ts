import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { AssistanceTab } from './assistance-tab.tsx'
import { BriefTab } from './brief-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'brief', label: 'Brief', permission: 'assist.read', Content: BriefTab }],
  tabParts: [{ tab: 'brief', id: 'assistance', permission: 'assist.read', Content: AssistanceTab }],
}
