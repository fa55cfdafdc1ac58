/**
 * The front door of the audit: the activity of one business for its page, the signed checkpoints that `main.ts` keeps, and
 * the verification for the command line. Events are appended by `change()` alone (`store/change/audit-chain.ts`).
 */
export { getNewestSequence, listActivity, readBack } from './audit.queries.ts'
export { type AuditEvent, auditEventSchema, auditPageSchema } from './audit.schema.ts'
export { type CheckpointStanding, checkpointStanding } from './checkpoint-standing.ts'
export { hasHappenedSince } from './happened-since.ts'
export { startCheckpoints } from './keep-checkpoints.ts'
export { missingChainSentence, missingChains } from './missing-chains.ts'
export { withOwnKeys } from './own-keys.ts'
export { verifyTenant } from './verify-chain.ts'
