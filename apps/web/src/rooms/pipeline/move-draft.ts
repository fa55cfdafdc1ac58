import type { PipelineState } from '@prospect/api-client'

/** Returns the draft options for the reason of one move of one prospect. The board and the record share the draft. */
export const moveDraft = (businessId: string, to: PipelineState) => ({
  name: `move-${businessId}-${to}`,
  isBlank: ({ reason }: { reason: string }) => reason.trim() === '',
})
