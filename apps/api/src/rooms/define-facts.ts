/** Roles, from the most to the least powerful: each role has every permission of the next one. */
export const roles = ['administrator', 'manager', 'operator', 'viewer'] as const
export type Role = (typeof roles)[number]

/**
 * A phase of the specification and its status in this build. `contract_only`: everything that works without an outside system is built, and no
 * outside system is contacted.
 */
export type Capability = {
  phase: number
  area: string
  status: 'operational' | 'partial' | 'contract_only' | 'not_built' | 'disabled'
  reason: string
  /** for a phase that the specification limits to a pilot or to preparation: what that means here, and what this build does beyond it */
  pilot?: string | null
}

/**
 * A table with children of a business (columns `tenant_id`, `id`, `business_id`), whose rows are inserted once and never deleted. A merge counts,
 * fingerprints and hashes the rows of each side. A row that is added after the merge is stored with its own record.
 */
export type BusinessChildFacts = {
  table: string
  /** words that follow the name of a record if its rows have changed since a person reviewed the pair, such as 'has more notes' */
  changed: string
  /** true for rows that the platform derives by itself; they can be added at any time, so a new row is no reason to review a pair again */
  derived?: true
}

/**
 * The type of a record that audit events are about, with its label, such as 'Draft'. `visibleTo`: the permission that a reader needs to be notified
 * of a change (`GET /changes/stream`). `hidden`: why nobody is notified.
 */
export type AuditSubjectFacts = { label: string } & (
  | { visibleTo: `${string}.${string}`; hidden?: never }
  | { hidden: string; visibleTo?: never }
)

/**
 * A table with values of a business, keyed by tenant and business first. The room calls `refreshSearchText` after a change. `hiddenBy`: columns; a search
 * does not find a row in which one is set, because every reader can search.
 */
export type FurtherTable = { table: string; hiddenBy: readonly string[] }

/** A table with names of people. `leftBy`: a column that is set if the person left. */
export type NamedTable = FurtherTable & { leftBy: string }

/** All constant data that a room declares. Names are unique over all rooms. */
export type RoomFacts = {
  /** name of the room's folder */
  room: string
  /** permissions `<room>.<verb>`, each with the least powerful role that has it and with its label in `GET /roles`, such as 'Write notes' */
  permissions?: Readonly<Record<`${string}.${string}`, { role: Role; label: string }>>
  /** error codes of `AppError`, with the HTTP status and the title of the problem document */
  errors?: Readonly<Record<string, readonly [status: number, title: string]>>
  /**
   * audit actions `<noun>.<verb>` that the list of security events shows, each with its label in `GET /audit-actions`: accounts, sessions, factors,
   * roles, members, settings of the workspace, and operator commands on it
   */
  securityActions?: Readonly<Record<`${string}.${string}`, string>>
  /** all other audit actions, each with its label, such as 'Note added': records, work and upkeep */
  workActions?: Readonly<Record<`${string}.${string}`, string>>
  /** types of the records that the room's audit events are about */
  auditSubjects?: Readonly<Record<string, AuditSubjectFacts>>
  /** those of the room's actions after which a record or a value in a file of an export may have to be withheld */
  withholding?: readonly `${string}.${string}`[]
  /** names of the actors of changes that the room makes itself, in jobs, loops and commands */
  systemActors?: readonly string[]
  /** tables with children of a business; the keys are the plural nouns under which merges count the rows, such as 'notes' */
  businessChildren?: Readonly<Record<string, BusinessChildFacts>>
  /** tables with a `business_id` that merges do not count, each with the reason */
  otherBusinessTables?: Readonly<Record<string, string>>
  /**
   * tables with further contact values of a business (columns `tenant_id`, `business_id`, `kind`, `original`, `label`, `region`, and a key that begins
   * with tenant and business). A search finds the business by them. The values are offered when the business is blocked, suppressed at its erasure if
   * it is blocked, and evaluated again after a change of the rules
   */
  contactTables?: readonly FurtherTable[]
  /** tables with names of people at a business, in the column `name`, by which a search finds the business */
  namedTables?: readonly NamedTable[]
  /** counts that the room's `erase` returns, by name, each with its description for the OpenAPI document */
  erasedCounts?: Readonly<Record<string, string>>
  /** phases of the specification that this room implements */
  capabilities?: readonly Capability[]
}

/** Returns the facts unchanged, with every name as a literal type, so that permissions, error codes and actions are closed vocabularies. */
export function defineFacts<const Facts extends RoomFacts>(facts: Facts): Facts {
  return facts
}
