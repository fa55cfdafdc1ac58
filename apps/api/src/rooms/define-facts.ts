/** Roles, from the most to the least: each role has every permission of the next one. */
export const roles = ['administrator', 'manager', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What stands, phase by phase of the specification, for this build. `contract_only`: all that works without an outside system, and nothing that reaches one. */
export type Capability = {
  phase: number
  area: string
  status: 'operational' | 'partial' | 'contract_only' | 'not_built' | 'disabled'
  reason: string
}

/**
 * A table whose rows belong to a business (columns `tenant_id`, `id`, `business_id`), written once and never deleted. A merge counts,
 * fingerprints and hashes the rows of each side; a row that is added later stays with the record that it was added to.
 */
export type BusinessChildFacts = {
  table: string
  /** follows the name of a record whose rows changed since a person looked at the pair: 'has more notes' */
  changed: string
}

/** All that a room declares as literal data. Names are unique over all rooms. */
export type RoomFacts = {
  /** the name of the room's folder */
  room: string
  /** `<room>.<verb>`: the least role that has it, and what it allows, as `GET /roles` shows it: 'Write notes' */
  permissions?: Readonly<Record<`${string}.${string}`, { role: Role; label: string }>>
  /** codes of `AppError` with the HTTP status and the title of the problem document */
  errors?: Readonly<Record<string, readonly [status: number, title: string]>>
  /** `<noun>.<verb>` of audit events, each with its label, as `GET /audit-actions` shows it: 'Note added' */
  actions?: Readonly<Record<`${string}.${string}`, string>>
  /** names under which the room itself changes records, in jobs, loops and commands */
  systemActors?: readonly string[]
  /** by a plural noun, under which merges count the rows: 'notes' */
  businessChildren?: Readonly<Record<string, BusinessChildFacts>>
  /** tables with a `business_id` that merges do not count, each with the reason */
  otherBusinessTables?: Readonly<Record<string, string>>
  /** counts that the room's `erase` returns, by name, each with its description for the OpenAPI document */
  erasedCounts?: Readonly<Record<string, string>>
  /** the phases of the specification that this room makes work */
  capabilities?: readonly Capability[]
}

/** Keeps every name as a literal type, so that permissions, error codes and actions are closed vocabularies. */
export function defineFacts<const Facts extends RoomFacts>(facts: Facts): Facts {
  return facts
}
