/** Public module of the registry room: how recent the last comparison with an opt-out registry is. */
export { findRegistryStanding, getRegistryState, type RegistryStanding } from './cleaning-state.ts'
export { sentenceOfCleaning } from './registry.rules.ts'
export type { RegistryKind } from './registry.schema.ts'
export { watchRegistry } from './watched-state.ts'
