/** Roles, from the most to the least powerful: each role has every permission of the next one. */
export const roles = ['administrator', 'manager', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

/**
 * Status of a phase of the specification in this build. `contract_only`: everything that works without an outside system is built, and no outside
 * system is reached.
 */
export type Capability = {
  phase: number
  area: string
  status: 'operational' | 'partial' | 'contract_only' | 'not_built' | 'disabled'
  reason: string
}

/**
 * A table whose rows belong to a business (columns `tenant_id`, `id`, `business_id`), inserted once and never deleted. A merge counts,
 * fingerprints and hashes the rows of each side; a row that is added later stays with its record.
 */
export type BusinessChildFacts = {
  table: string
  /** words that follow the name of a record whose rows changed since a person reviewed the pair: 'has more notes' */
  changed: string
  /** true for rows that the platform derives by itself; they arrive at any time, so a new one is no reason to review a pair again */
  derived?: true
}

/** All literal data that a room declares. Names are unique over all rooms. */
export type RoomFacts = {
  /** the name of the room's folder */
  room: string
  /** `<room>.<verb>`: the least powerful role that has the permission, and its label in `GET /roles`: 'Write notes' */
  permissions?: Readonly<Record<`${string}.${string}`, { role: Role; label: string }>>
  /** error codes of `AppError`, with the HTTP status and the title of the problem document */
  errors?: Readonly<Record<string, readonly [status: number, title: string]>>
  /** `<noun>.<verb>` of audit events, each with its label in `GET /audit-actions`: 'Note added' */
  actions?: Readonly<Record<`${string}.${string}`, string>>
  /** actor names of the room's own changes, in jobs, loops and commands */
  systemActors?: readonly string[]
  /** keys are the plural nouns under which merges count the rows: 'notes' */
  businessChildren?: Readonly<Record<string, BusinessChildFacts>>
  /** tables with a `business_id` that merges do not count, each with the reason */
  otherBusinessTables?: Readonly<Record<string, string>>
  /** counts that the room's `erase` returns, by name, each with its description for the OpenAPI document */
  erasedCounts?: Readonly<Record<string, string>>
  /** the phases of the specification that this room implements */
  capabilities?: readonly Capability[]
}

/** Preserves every name as a literal type, so that permissions, error codes and actions are closed vocabularies. */
export function defineFacts<const Facts extends RoomFacts>(facts: Facts): Facts {
  return facts
}
