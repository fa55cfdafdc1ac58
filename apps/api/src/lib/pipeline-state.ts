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
