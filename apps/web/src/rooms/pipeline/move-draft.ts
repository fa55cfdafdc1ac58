import type { PipelineState } from '@prospect/api-client'

/** The draft of the reason for one move of one prospect, shared by the board and the record. */
export const moveDraft = (businessId: string, to: PipelineState) => ({
  name: `move-${businessId}-${to}`,
  isBlank: ({ reason }: { reason: string }) => reason.trim() === '',
})
