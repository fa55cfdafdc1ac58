import type { PipelineState } from '@prospect/api-client'

export const pipelineOrder: readonly PipelineState[] = [
  'new',
  'contacted',
  'qualified',
  'proposal',
  'negotiation',
  'won',
  'lost',
  'paused',
  'disqualified',
]

/** How a state is called on screen; a name that this version does not know yet is shown as it came. */
export function pipelineStateName(state: string): string {
  return state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' ')
}
