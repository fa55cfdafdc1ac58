/** The states of the pipeline (specification, States: Pipeline). The businesses table and the pipeline room share them. */
export const pipelineStates = [
  'new',
  'contacted',
  'qualified',
  'proposal',
  'negotiation',
  'won',
  'lost',
  'paused',
  'disqualified',
] as const
export type PipelineState = (typeof pipelineStates)[number]

/** Returns the label of a pipeline state; for a paused prospect, with the state to which it can be reopened. */
export function pipelineLabel(at: { pipelineState: PipelineState; stateBeforePause: PipelineState | null }): string {
  const { pipelineState, stateBeforePause } = at
  return stateBeforePause === null ? pipelineState : `${pipelineState}, before that ${stateBeforePause}`
}
