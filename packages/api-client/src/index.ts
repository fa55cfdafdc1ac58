/**
 * Typed client of the API, generated from its OpenAPI document (`npm run generate:client`). Functions are named by operation (`listBusinesses`,
 * `movePipeline`, …). A program calls `connect` with an access token first. `client` contains the URL and the headers.
 * `./query` exports options and keys for TanStack Query.
 */
import type {
  AuditEvent,
  Capabilities,
  CreateBusinessData,
  EditBusinessData,
  Evidence,
  Moved,
  Pipeline,
  Problem,
  TagPage,
  Total,
} from './generated/types.gen.ts'

export { type Connection, connect } from './connect.ts'
export { client } from './generated/client.gen.ts'
export { facts } from './generated/facts.gen.ts'
export * from './generated/index.ts'
export type { ApiTag } from './generated/tags.gen.ts'

/** A page of any list. */
export type Page<T> = {
  items: T[]
  page: { limit: number; returned: number; nextCursor: string | null; total: Total | null }
}

export type ProblemError = NonNullable<Problem['errors']>[number]
export type BusinessInput = CreateBusinessData['body']
export type BusinessEdit = EditBusinessData['body']
export type TagCount = TagPage['items'][number]
export type Confidence = Evidence['confidence']
export type PipelineStateKind = Pipeline['states'][number]['kind']
export type MoveResult = Moved
export type AuditDetails = AuditEvent['before']
export type Capability = Capabilities['items'][number]
export type CapabilityStatus = Capability['status']
