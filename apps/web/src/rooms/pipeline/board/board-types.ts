import type { BusinessSummary, PipelineState } from '@prospect/api-client'

/** Move that waits for its reason. */
export type Asking = { row: BusinessSummary; to: PipelineState; asks: 'required' | 'optional' }
/** Move that the pipeline does not permit. It is shown on the card. */
export type Refusal = { businessId: string; text: string }
