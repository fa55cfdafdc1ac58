import type { Answer, Client } from './acceptance-client.ts'

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
}

/** One requirement. Resolves with one sentence about what was observed; throws CheckFailed with a sentence if the requirement is not met. */
export type Check = { name: string; run(world: World): Promise<string> }

/** The checks of one phase of the specification; `phase` is null for checks without a phase. */
export type Gate = { id: string; title: string; phase: number | null; checks: Check[] }

/** `passesAs`: a status other than operational with which the gate passes, as the table lists it. */
export type SpecifiedPhase = { phase: number; required: boolean; passesAs?: 'contract_only' | 'disabled' }

/**
 * The phases of the specification's table "Capability status in the current runtime". `required`: the table lists the phase as running in some form
 * (operational, pilot-only, preparation, reference workflows). The others are contract only, or disabled.
 */
export const specifiedPhases: readonly SpecifiedPhase[] = [
  { phase: 3, required: true },
  { phase: 4, required: true },
  { phase: 5, required: true, passesAs: 'contract_only' },
  { phase: 6, required: true },
  { phase: 7, required: false, passesAs: 'contract_only' },
  { phase: 8, required: false, passesAs: 'contract_only' },
  { phase: 9, required: false, passesAs: 'contract_only' },
  { phase: 10, required: true },
  { phase: 11, required: true },
  { phase: 12, required: true },
  { phase: 13, required: false, passesAs: 'disabled' },
  { phase: 14, required: true },
  { phase: 15, required: true },
  { phase: 17, required: true },
]
