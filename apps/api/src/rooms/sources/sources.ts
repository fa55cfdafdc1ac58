/**
 * The front door of the room of sources. Domains, scanning, contacts and assistance declare their purpose with `definePurpose`, query a
 * source by `askSource`, and load no transport themselves. What a source is, who approves it and what stops it: `docs/sources.md`.
 */
export { type Asking, askSource, type Outcome } from './asking/ask-source.ts'
export { acceptQuery, findUsableSource } from './asking/usable-source.ts'
export { definePurpose } from './purposes.ts'
export { findPurposeState } from './registry/purpose-state.ts'
export { manualRetentionDays } from './registry/source-state.ts'
