/**
 * Public module of the sources room. The rooms of domains, scanning, contacts and assistance declare their purpose with `definePurpose` and query a
 * source through `askSource`. They load no transport themselves. `docs/sources.md` explains sources, approvals and circuits.
 */
export { type Asking, askSource, type Outcome } from './asking/ask-source.ts'
export { endQueriesOf } from './asking/end-queries.ts'
export { plannedContents } from './asking/planned-contents.ts'
export { acceptQuery, findUsableSource } from './asking/usable-source.ts'
export { definePurpose } from './purposes.ts'
export { findPurposeState, findSourceState, type NamedSource } from './registry/purpose-state.ts'
export { readService } from './registry/service.ts'
export type { RegistryView } from './registry/source-state.ts'
export { manualRetentionDays } from './registry/source-state.ts'
export type { OpenItem } from './registry/status.rules.ts'
