import { pipelineStates } from '../../../lib/pipeline-state.ts'
import { labelOf, type Signal } from './signal.ts'

export const pipelineState: Signal = {
  key: 'record.state',
  title: 'Pipeline state',
  type: 'choice',
  choices: pipelineStates.map((value) => ({ value, label: labelOf(value) })),
  datedBy: null,
  read: ({ state }) => state,
}
