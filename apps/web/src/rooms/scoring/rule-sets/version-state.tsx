import { IconArchive, IconCircleCheck, IconCircleX, IconClock, IconPencil } from '@tabler/icons-react'
import { type Status, StatusMark } from '../../../ui/text/status-mark.tsx'
import { stateWords, type VersionState } from './version-words.ts'

const looks: Record<VersionState, Omit<Status, 'label'>> = {
  draft: { Icon: IconPencil },
  submitted: { Icon: IconClock },
  approved: { Icon: IconCircleCheck, tone: 'good' },
  rejected: { Icon: IconCircleX, tone: 'bad' },
  retired: { Icon: IconArchive },
}

export function VersionStateMark({ state }: { state: VersionState }) {
  return <StatusMark label={stateWords[state]} {...looks[state]} />
}
