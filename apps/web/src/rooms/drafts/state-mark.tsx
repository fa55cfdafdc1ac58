import type { Draft } from '@prospect/api-client'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'
import { stateWords } from './draft-words.ts'

const looks: Partial<Record<Draft['state'], Omit<Status, 'label'>>> = {
  needs_review: { Icon: IconAlertTriangle, tone: 'warning' },
  approved: { Icon: IconCheck, tone: 'good' },
}

/** State of a draft as a word, with an icon if the state needs attention. */
export function StateMark({ state }: { state: Draft['state'] }) {
  return <StatusMark label={stateWords[state]} {...looks[state]} />
}
