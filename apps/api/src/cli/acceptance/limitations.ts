import type { Seen } from './checklist.ts'

/** Limits that hold for every run on one machine. */
const always = [
  'Checks test a running service from outside, by examples: they show that each rule holds for the tested cases, and do not prove the absence of faults.',
  'One process, one disk: nothing here shows several servers, a failover or a power loss.',
  'The capacity smoke test shows that several connections are served at once; its figures belong to this machine and its load, and no duration is judged.',
]

/** Limits of a phase that ran in this status, each with the statuses for which it holds. */
const byPhase: readonly { phases: readonly number[]; statuses: readonly string[]; limitation: string }[] = [
  {
    phases: [5, 8, 9],
    statuses: ['contract_only'],
    limitation:
      'Sources, websites and contacts were tested with fixtures and supplied material, which are not the web.',
  },
  {
    phases: [7],
    statuses: ['contract_only'],
    limitation: 'No resolver was queried; DNS results were pasted or fixtures.',
  },
  {
    phases: [13],
    statuses: ['disabled'],
    limitation: 'No model was called; nothing is shown about the quality of its answers.',
  },
  {
    phases: [10, 14],
    statuses: ['operational'],
    limitation: 'Scoring weights and legal policies are judgements of the workspace, and no check judges them.',
  },
]

/** Returns the limits of this run: those of its phases, of its adapters, and of every run on one machine. */
export function limitationsOf({ run: { adapters }, gates }: Seen): string[] {
  const loaded = adapters.items.map(({ id, version }) => `${id} ${version}`).join(', ')
  const connections =
    loaded === ''
      ? 'No adapter was loaded. Tests of the repository, not this run, show that no connection to the outside is opened.'
      : `These adapters were loaded: ${loaded}. The run does not show that no connection to the outside was possible.`
  const ofPhases = byPhase.flatMap(({ phases, statuses, limitation }) =>
    phases.some((phase) => {
      const { status = '', results = [] } = gates[`phase_${phase}`] ?? {}
      return statuses.includes(status) && results.length > 0
    })
      ? [limitation]
      : [],
  )
  return [...ofPhases, connections, ...always]
}
