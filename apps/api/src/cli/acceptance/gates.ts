import type { Answer, Client } from './acceptance-client.ts'

/** What the checks have to work with: a started service, and people of two tenants that were made for this run. */
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
  /** one more session of the viewer, to be ended */
  anotherSession(): Promise<Client>
  /** one more session of the administrator */
  anotherAdministration(): Promise<Client>
  /** a new session of an administrator of the other tenant, of whom nothing else depends on anything */
  sweeper(): Promise<Client>
  /** Runs a command of the operator's command line on the store of the service. */
  cli(args: string[], env?: Record<string, string>): Promise<{ exitCode: number; stdout: string; stderr: string }>
  /** a folder of this run, removed after it */
  scratch: string
  openApi: Answer
}

/** One thing that must hold. Answers what was seen in a sentence; throws CheckFailed with one where it does not hold. */
export type Check = { name: string; run(world: World): Promise<string> }

/** The checks of a phase of the specification, or of what belongs to all of them. */
export type Gate = { id: string; title: string; phase: number | null; checks: Check[] }

/** `passesAs`: a status other than operational that the table gives the phase, with which its gate passes. */
export type SpecifiedPhase = { phase: number; required: boolean; passesAs?: 'contract_only' | 'disabled' }

/**
 * The phases of the specification's table "Capability status in the current runtime". `required`: the table has it running in some form
 * (operational, pilot-only, preparation, reference workflows). The others it calls contract only, or disabled.
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
