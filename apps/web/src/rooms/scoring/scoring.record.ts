import type { RecordParts } from '../../ui/rooms/record-parts.ts'
import { ScoreTab } from './record/score-tab.tsx'

export const recordParts: RecordParts = {
  tabs: [{ id: 'score', label: 'Score', permission: 'scoring.read', Content: ScoreTab }],
}
