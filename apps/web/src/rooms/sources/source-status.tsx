import type { Source } from '@prospect/api-client'
import { IconPlayerStop } from '@tabler/icons-react'
import { type Status, StatusMark } from '../../ui/text/status-mark.tsx'
import { sourceLabel } from './source-words.ts'

/** Look of a source, or of its circuit, that a failure stopped. */
export const stopped: Omit<Status, 'label'> = { Icon: IconPlayerStop, tone: 'bad' }

export function SourceStatus({ source }: { source: Source }) {
  return <StatusMark label={sourceLabel(source)} {...(source.circuit.state === 'open' && stopped)} />
}
