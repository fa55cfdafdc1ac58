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
}

/** One requirement. Resolves with one sentence about what was observed; throws CheckFailed with a sentence if the requirement is not met. */
export type Check = { name: string; run(world: World): Promise<string> }

/** The checks of one phase of the specification; `phase` is null for checks without a phase. */
export type Gate = { id: string; title: string; phase: number | null; checks: Check[] }

/** A phase of the specification, and the status that its table "Capability status in the current runtime" expects. */
export type SpecifiedPhase =
  | { phase: number; expected: 'operational' }
  | { phase: number; expected: 'contract_only' | 'disabled'; blocker: LiveClaim }

/** Sentences of the blocker that remains although the gate passed in its specified state. */
export type LiveClaim = { shown: string; notShown: string; toGoLive: string }

export const specifiedPhases: readonly SpecifiedPhase[] = [
  { phase: 3, expected: 'operational' },
  { phase: 4, expected: 'operational' },
  {
    phase: 5,
    expected: 'contract_only',
    blocker: {
      shown: 'Registration, refused queries, dry runs and supplied records were tried.',
      notShown: 'No source was queried.',
      toGoLive: 'To go live, load an adapter, get the approvals of its source, and have an administrator enable it.',
    },
  },
  { phase: 6, expected: 'operational' },
  {
    phase: 7,
    expected: 'contract_only',
    blocker: {
      shown: 'Normalization, pasted DNS output and decisions about candidates were tried.',
      notShown: 'No resolver and no availability provider was queried.',
      toGoLive: 'To go live, load their adapters, and approve and enable their sources.',
    },
  },
  {
    phase: 8,
    expected: 'contract_only',
    blocker: {
      shown:
        'Supplied pages, plans and budgets were tried; redirects and unsafe addresses are covered by the repository’s tests.',
      notShown: 'No page of the web was fetched.',
      toGoLive: 'To go live, approve and enable a source and load its transport.',
    },
  },
  {
    phase: 9,
    expected: 'contract_only',
    blocker: {
      shown: 'Extraction from supplied pages and fixtures, and decisions about candidates, were tried.',
      notShown: 'No page of the web was fetched, and no mail server was contacted.',
      toGoLive: 'To go live, approve and enable a web source, load its transport, and enable extraction.',
    },
  },
  { phase: 10, expected: 'operational' },
  { phase: 11, expected: 'operational' },
  { phase: 12, expected: 'operational' },
  {
    phase: 13,
    expected: 'disabled',
    blocker: {
      shown: 'The disabled state was tried: it names each missing item and refuses requests.',
      notShown: 'No model was called.',
      toGoLive:
        'To go live, configure a provider, get its approvals, and have a second person approve a policy of assistance.',
    },
  },
  { phase: 14, expected: 'operational' },
  { phase: 15, expected: 'operational' },
  { phase: 17, expected: 'operational' },
]
