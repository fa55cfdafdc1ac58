/**
 * Public module of the audit room: the activity of one business, the signed checkpoints that a background loop writes, and the verification for the
 * command line. Only `change()` appends events (`store/change/audit-chain.ts`).
 */
export { findRecorded, getNewestSequence, listActivity, readAuditEvents, readBack } from './audit.queries.ts'
export {
  type AuditEvent,
  type AuditFilter,
  type AuditVerification,
  auditEventSchema,
  auditFilterSchema,
  auditPageSchema,
} from './audit.schema.ts'
export { bytesThrough } from './checkpoints/checkpoint-file.ts'
export { checkpointStates, newestEventAt } from './checkpoints/checkpoint-state.ts'
export { signOnce } from './checkpoints/keep-checkpoints.ts'
export { missingChainSentence, missingChains } from './checkpoints/missing-chains.ts'
export { type AuditCheckpoint, newestCheckpoint } from './checkpoints/newest-checkpoint.ts'
export { findRecordedCheckpoint, forgetCheckpoint } from './checkpoints/recorded-checkpoints.queries.ts'
export { restartCheckpoints } from './checkpoints/restart-checkpoints.ts'
export { isServed } from './checkpoints/signer-lock.ts'
export { countUnprovenChains } from './checkpoints/unproven-chains.ts'
export type { ChainCopy } from './compare-with-copy.ts'
export { type ActRow, findActsAbout, findActsOf, selectActs } from './find-acts.ts'
export { hasHappenedSince } from './happened-since.ts'
export { type Head, signHead } from './heads/head.ts'
export { readHeads } from './heads/read-heads.ts'
export { withOwnKeys } from './own-keys.ts'
export { exportChain } from './proof/export-chain.ts'
export { isStatementSignedBy, signStatement } from './signed-statement.ts'
export { verifyTenant, verifyTenants } from './verify-chain.ts'
