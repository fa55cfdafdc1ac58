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

/** Where a prospect stands, in words: of one that was set aside, with the state that it may be reopened into. */
export function placeWords(at: { pipelineState: PipelineState; stateBeforePause: PipelineState | null }): string {
  const { pipelineState, stateBeforePause } = at
  return stateBeforePause === null ? pipelineState : `${pipelineState}, before that ${stateBeforePause}`
}
