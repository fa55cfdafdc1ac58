import type { PipelineState } from '@prospect/api-client'

export const pipelineLabels: Record<PipelineState, string> = {
  new: 'New',
  contacted: 'Contacted',
  qualified: 'Qualified',
  proposal: 'Proposal',
  negotiation: 'Negotiation',
  won: 'Won',
  lost: 'Lost',
  paused: 'Paused',
  disqualified: 'Disqualified',
}

export function pipelineLabel(state: PipelineState): string {
  return pipelineLabels[state]
}
