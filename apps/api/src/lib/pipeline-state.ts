/** The states in which a prospect is worked on, and to which a paused or disqualified one returns. */
export const openStates = ['new', 'contacted', 'qualified', 'proposal', 'negotiation'] as const
export type OpenState = (typeof openStates)[number]

/** The states of the pipeline (specification, States: Pipeline). The businesses table and the pipeline room share them. */
export const pipelineStates = [...openStates, 'won', 'lost', 'paused', 'disqualified'] as const
export type PipelineState = (typeof pipelineStates)[number]

/** Returns the label of a pipeline state; for a paused prospect, with the state to which it can be reopened. */
export function pipelineLabel(at: { pipelineState: PipelineState; stateBeforePause: PipelineState | null }): string {
  const { pipelineState, stateBeforePause } = at
  return stateBeforePause === null ? pipelineState : `${pipelineState}, before that ${stateBeforePause}`
}
