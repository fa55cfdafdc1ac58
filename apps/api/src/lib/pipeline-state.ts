/** The states of the pipeline (specification, States: Pipeline). Shared by the table of businesses and the room of moves. */
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

/** The label of a pipeline state; for a paused prospect, with the state to which it can be reopened. */
export function pipelineLabel(at: { pipelineState: PipelineState; stateBeforePause: PipelineState | null }): string {
  const { pipelineState, stateBeforePause } = at
  return stateBeforePause === null ? pipelineState : `${pipelineState}, before that ${stateBeforePause}`
}
