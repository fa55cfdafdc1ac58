import type { BusinessSummary, PipelineState } from '@prospect/api-client'

/** A move that waits for its reason, or one that was refused; shown where the card is. */
export type Asking = { row: BusinessSummary; to: PipelineState; isRequired: boolean; refusal: string | null }
export type Refusal = { businessId: string; text: string }
