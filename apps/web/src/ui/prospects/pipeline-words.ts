import type { Pipeline, PipelineState } from '@prospect/api-client'

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

/** The states that the tenant has switched on, in the order of the pipeline. */
export function statesInUse(pipeline: Pick<Pipeline, 'states'> | undefined): PipelineState[] {
  const enabled = pipeline?.states.filter((one) => one.enabled).map(({ state }) => state) ?? []
  return pipelineOrder.filter((state) => enabled.includes(state))
}

/** How a state is called on screen; a name that this version does not know yet is shown as it came. */
export function pipelineStateName(state: string): string {
  return state.charAt(0).toUpperCase() + state.slice(1).replaceAll('_', ' ')
}
