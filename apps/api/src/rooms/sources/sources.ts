/**
 * Front door of the sources room. Domains, scanning, contacts and assistance declare their purpose with `definePurpose`, query a source through
 * `askSource`, and load no transport themselves. `docs/sources.md` explains sources, approvals and circuits.
 */
export { type Asking, askSource, type Outcome } from './asking/ask-source.ts'
export { plannedContents } from './asking/planned-contents.ts'
export { acceptQuery, findUsableSource } from './asking/usable-source.ts'
export { definePurpose } from './purposes.ts'
export { findPurposeState, findSourceState, type NamedSource } from './registry/purpose-state.ts'
export type { RegistryView } from './registry/source-state.ts'
export { manualRetentionDays } from './registry/source-state.ts'
export type { OpenItem } from './registry/status.rules.ts'
