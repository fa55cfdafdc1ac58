import type { LoadedAdapters } from '../load-adapters.ts'
import type { Store } from '../store/store.ts'
import type { Answer, Client } from './acceptance-client.ts'

/*
 * A room with requirements of the specification has a `<room>.acceptance.ts`, whose `gates` hold its checks. The acceptance run loads those of all rooms;
 * no other code imports them.
 */

/** The context of all checks: a started service, and people of two tenants that were created for this run. */
export type World = {
  apiUrl: string
  webUrl: string
  visitor: Client
  administrator: Client
  /** a second person who may approve */
  manager: Client
  operator: Client
  viewer: Client
  /** approves what the administrator wrote */
  secondAdministrator: Client
  /** an administrator of the other tenant */
  neighbour: Client
  /** a second session of the viewer, which a check ends */
  anotherSession(): Promise<Client>
  /** a second session of the administrator */
  anotherAdministration(): Promise<Client>
  /** a new session of an administrator of the other tenant, whom no other check uses */
  sweeper(): Promise<Client>
  /** Runs a command of the operator's command line on the store of the service. */
  cli(args: string[], env?: Record<string, string>): Promise<{ exitCode: number; stdout: string; stderr: string }>
  /** a folder of this run, removed after it */
  scratch: string
  openApi: Answer
  /** Runs a check in a store of this process, with a clock of its own and without a network. `adapters`: none by default. */
  inProcess(check: (own: OwnWorld) => Promise<string>, adapters?: LoadedAdapters): Promise<string>
}

/** A temporary store and its service in this process, which exist while one check runs. */
export type OwnWorld = {
  store: Store
  /** an administrator, whose session is renewed when the clock moves */
  client: Client
  /** a manager, who decides about what the administrator proposed; the session is renewed too */
  colleague: Client
  /** adds a further person to the tenant */
  join(role: 'administrator' | 'manager'): Promise<{ userId: string; client: Client }>
  /** moves the clock of the store, which stands still otherwise */
  advance(ms: number): Promise<void>
  /** resolves when no job waits or runs */
  jobsEnded(): Promise<void>
}

/** One requirement. Resolves with one sentence about what was observed; throws CheckFailed with a sentence if the requirement is not met. */
export type Check = { name: string; run(world: World): Promise<string> }

/** Checks of one phase of the specification, to which several rooms may contribute, or of a gate without a phase, which belongs to one room. */
export type Gate =
  | { phase: OperationalPhase; checks: readonly Check[] }
  /** A phase that is not operational yet. Several rooms may contribute to it; exactly one of them declares `liveClaim`. */
  | { phase: DeferredPhase; checks: readonly Check[]; liveClaim?: LiveClaim }
  | { phase: null; id: string; title: string; checks: readonly Check[] }

/** Why a phase remains a blocker although its checks passed: what was shown, what was not shown, and what must be done before it can go live. */
export type LiveClaim = { shown: string; notShown: string; toGoLive: string }

/** The phases of the specification, with the statuses of its table "Capability status in the current runtime". */
export const specifiedPhases = [
  { phase: 3, expected: 'operational' },
  { phase: 4, expected: 'operational' },
  { phase: 5, expected: 'contract_only' },
  { phase: 6, expected: 'operational' },
  { phase: 7, expected: 'contract_only' },
  { phase: 8, expected: 'contract_only' },
  { phase: 9, expected: 'contract_only' },
  { phase: 10, expected: 'operational' },
  { phase: 11, expected: 'operational' },
  { phase: 12, expected: 'operational' },
  { phase: 13, expected: 'disabled' },
  { phase: 14, expected: 'operational' },
  { phase: 15, expected: 'operational' },
  { phase: 17, expected: 'operational' },
] as const

export type SpecifiedPhase = (typeof specifiedPhases)[number]
type OperationalPhase = Extract<SpecifiedPhase, { expected: 'operational' }>['phase']
type DeferredPhase = Exclude<SpecifiedPhase['phase'], OperationalPhase>

/** The key of a gate in the report. */
export function idOf(gate: Gate): string {
  return gate.phase === null ? gate.id : `phase_${gate.phase}`
}

/** The name of a gate in the output of the run. */
export function titleOf(gate: Gate): string {
  return gate.phase === null ? gate.title : `Phase ${gate.phase}`
}
