import type { Pipeline, PipelineState } from '@prospect/api-client'
import { sentenceCase } from '../text/sentence-case.ts'

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

/** The states in which a prospect is still worked on, as the API defines them. */
export const openStates: readonly PipelineState[] = ['new', 'contacted', 'qualified', 'proposal', 'negotiation']

/** The enabled states in the order of the pipeline. */
export function statesInUse(pipeline: Pick<Pipeline, 'states'> | undefined): PipelineState[] {
  const enabled = pipeline?.states.filter((one) => one.enabled).map(({ state }) => state) ?? []
  return pipelineOrder.filter((state) => enabled.includes(state))
}

/** Label of a state. An unknown state is derived from its code. */
export function pipelineStateName(state: string): string {
  return sentenceCase(state.replaceAll('_', ' '))
}
