import { type PipelineState, pipelineStates } from '../../lib/pipeline-state.ts'

/**
 * Version of the figures. Increment it with every change in the meaning of a figure. This file computes the figures of a report from the counts of
 * batches. Pure: the same counts give the same figures, byte for byte.
 */
export const FIGURES_VERSION = 'figures-5'

/** Kinds of figures: records as of `asOf`, events in the interval, or businesses with any event. */
export type Semantics = 'latest_state' | 'event_time' | 'distinct_business'

export type Figure = {
  key: string
  title: string
  semantics: Semantics
  /** explanation of what the numbers count, in one sentence */
  counts: string
  columns: string[]
  rows: (string | number | null)[][]
  /** sum of the first numeric column; null if a sum has no meaning */
  total: number | null
}

export type StateCount = { state: PipelineState; hasEvidence: 0 | 1; isBlocked: 0 | 1; businesses: number }
export type Move = { from: PipelineState; to: PipelineState; moves: number }
export type Step = { state: PipelineState; entered: number; advanced: number }
export type Stay = { state: PipelineState; hours: readonly number[] }
/** `person`: the id of the person, or the name of the service, that recorded the interactions. `calls`: those of them by phone. `named`: those with a person at the prospect. */
export type InteractionCount = {
  person: string
  outcome: string
  isBlocked: 0 | 1
  interactions: number
  calls: number
  named: number
}

/** Returns the name of the column that `total` sums: the first one after the columns of names. The figure `moves` has two columns of names. */
export function totalColumn({ key, columns }: Pick<Figure, 'key' | 'columns'>): string {
  return columns[key === 'moves' ? 2 : 1] ?? ''
}

/** The counts of a batch of businesses. The counts of all batches are added up, because each business is in only one batch. */
export type Counts = {
  businesses: number
  created: number
  moved: number
  talkedTo: number
  talkedToBlocked: number
  states: StateCount[]
  moves: Move[]
  steps: Step[]
  stays: Stay[]
  interactions: InteractionCount[]
}

export const noCounts: Counts = {
  businesses: 0,
  created: 0,
  moved: 0,
  talkedTo: 0,
  talkedToBlocked: 0,
  states: [],
  moves: [],
  steps: [],
  stays: [],
  interactions: [],
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    businesses: a.businesses + b.businesses,
    created: a.created + b.created,
    moved: a.moved + b.moved,
    talkedTo: a.talkedTo + b.talkedTo,
    talkedToBlocked: a.talkedToBlocked + b.talkedToBlocked,
    states: addRows(a.states, b.states, ['state', 'hasEvidence', 'isBlocked'], ['businesses']),
    moves: addRows(a.moves, b.moves, ['from', 'to'], ['moves']),
    steps: addRows(a.steps, b.steps, ['state'], ['entered', 'advanced']),
    interactions: addRows(
      a.interactions,
      b.interactions,
      ['person', 'outcome', 'isBlocked'],
      ['interactions', 'calls', 'named'],
    ),
    stays: addStays(a.stays, b.stays),
  }
}

/** Adds up rows: rows with the same names become one row with the sums of their numbers. */
function addRows<Row extends Record<string, string | number>>(
  a: readonly Row[],
  b: readonly Row[],
  names: readonly (keyof Row)[],
  numbers: readonly (keyof Row)[],
): Row[] {
  const sums = new Map<string, Row>()
  for (const row of [...a, ...b]) {
    const key = JSON.stringify(names.map((name) => row[name]))
    const sum = sums.get(key)
    const added = numbers.map((name) => [name, Number(sum?.[name] ?? 0) + Number(row[name])] as const)
    sums.set(key, { ...row, ...Object.fromEntries(added) })
  }
  return [...sums.values()]
}

function addStays(a: readonly Stay[], b: readonly Stay[]): Stay[] {
  const hours = new Map<PipelineState, number[]>()
  for (const stay of [...a, ...b]) {
    const known = hours.get(stay.state)
    if (known === undefined) hours.set(stay.state, [...stay.hours])
    else for (const one of stay.hours) known.push(one)
  }
  return [...hours].map(([state, all]) => ({ state, hours: all }))
}

/** Returns a percentile as the nearest rank: a measured value, never an interpolated one. Returns undefined if there are no values. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/**
 * Returns `part` as an unrounded share of `whole`; null if `whole` is 0. The display rounds it; rounding here as well would show 95.4 % for 492 of
 * 516.
 */
function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

export function figuresOf(counts: Counts): Figure[] {
  const countIn = (states: readonly string[], holds: (one: StateCount) => boolean = () => true) =>
    sum(counts.states.filter((one) => states.includes(one.state) && holds(one)).map(({ businesses }) => businesses))
  const everywhere: readonly string[] = pipelineStates
  const blocked = countIn(everywhere, ({ isBlocked }) => isBlocked === 1)
  const supported = countIn(everywhere, ({ hasEvidence }) => hasEvidence === 1)
  const used = pipelineStates.filter((state) => countIn([state]) > 0 || !['paused', 'disqualified'].includes(state))
  return [
    {
      key: 'pipeline_by_state',
      title: 'Pipeline by state',
      semantics: 'latest_state',
      counts: 'Active businesses by their state at the time of the report.',
      columns: ['State', 'Businesses'],
      rows: used.map((state) => [state, countIn([state])]),
      total: countIn(everywhere),
    },
    {
      key: 'moves',
      title: 'Moves',
      semantics: 'event_time',
      counts:
        'Pipeline moves in the interval, including those of merged records; one business may have moved several times.',
      columns: ['From', 'To', 'Moves'],
      rows: byOrder(counts.moves, ({ from, to }) => [order(from), order(to)]).map(({ from, to, moves }) => [
        from,
        to,
        moves,
      ]),
      total: sum(counts.moves.map(({ moves }) => moves)),
    },
    {
      key: 'distinct_businesses',
      title: 'Businesses with activity',
      semantics: 'distinct_business',
      counts:
        'Businesses with at least one such event in the interval, each once per row; a business may be in several rows, and a merged record counts with its survivor.',
      columns: ['Had', 'Businesses'],
      rows: [
        ['created', counts.created],
        ['moved', counts.moved],
        ['interaction', counts.talkedTo],
        ['interaction_while_do_not_contact', counts.talkedToBlocked],
      ],
      total: null,
    },
    interactionFigure(counts),
    personFigure(counts),
    {
      key: 'conversion',
      title: 'Conversion',
      semantics: 'distinct_business',
      counts:
        'Businesses that entered a state in the interval, and those of them that moved to the next state by the time of the report.',
      columns: ['State', 'Entered', 'Went on', 'Share'],
      rows: byOrder(counts.steps, ({ state }) => [order(state)]).map(({ state, entered, advanced }) => [
        state,
        entered,
        advanced,
        share(advanced, entered),
      ]),
      total: null,
    },
    {
      key: 'time_in_state',
      title: 'Time in state',
      semantics: 'event_time',
      counts: 'Stays of a record in a state that ended in the interval, in hours; ongoing stays are not included.',
      columns: ['State', 'Stays', 'Median hours', '90 % within hours'],
      rows: byOrder(counts.stays, ({ state }) => [order(state)]).map(({ state, hours }) => [
        state,
        hours.length,
        percentile(hours, 0.5) ?? null,
        percentile(hours, 0.9) ?? null,
      ]),
      total: sum(counts.stays.map(({ hours }) => hours.length)),
    },
    {
      key: 'evidence_coverage',
      title: 'Evidence',
      semantics: 'latest_state',
      counts: 'Active businesses with and without any evidence at the time of the report.',
      columns: ['Evidence', 'Businesses', 'Share'],
      rows: [
        ['with_evidence', supported, share(supported, counts.businesses)],
        ['without_evidence', counts.businesses - supported, share(counts.businesses - supported, counts.businesses)],
      ],
      total: counts.businesses,
    },
    {
      key: 'suppression',
      title: 'Do not contact',
      semantics: 'latest_state',
      counts: 'Active businesses by do-not-contact status at the time of the report.',
      columns: ['Status', 'Businesses', 'Share'],
      rows: [
        ['do_not_contact', blocked, share(blocked, counts.businesses)],
        ['contactable', counts.businesses - blocked, share(counts.businesses - blocked, counts.businesses)],
      ],
      total: counts.businesses,
    },
  ]
}

function interactionFigure({ interactions }: Counts): Figure {
  const outcomes = [...new Set(interactions.map(({ outcome }) => outcome))].sort()
  const of = (outcome: string, isBlocked: 0 | 1) =>
    sum(
      interactions
        .filter((one) => one.outcome === outcome && one.isBlocked === isBlocked)
        .map((one) => one.interactions),
    )
  return {
    key: 'interactions_by_outcome',
    title: 'Interactions by outcome',
    semantics: 'event_time',
    counts:
      'Interactions in the interval, including those with merged records; corrected ones do not count, and those with do-not-contact businesses are listed separately.',
    columns: ['Outcome', 'Interactions', 'While do not contact'],
    rows: outcomes.map((outcome) => [outcome, of(outcome, 0), of(outcome, 1)]),
    total: sum(outcomes.map((outcome) => of(outcome, 0))),
  }
}

/** Outcomes of a conversation, as opposed to attempts. */
const reached: readonly string[] = [
  'connected',
  'meeting_booked',
  'meeting_held',
  'qualified',
  'disqualified',
  'won',
  'lost',
]

const PERSON_FIGURE = 'interactions_by_person'

/**
 * The rows contain ids in place of names, because a stored result is never edited and the name of a removed member must not remain in it. People at
 * the businesses are counted only, for the same reason.
 */
function personFigure({ interactions }: Counts): Figure {
  const people = [...new Set(interactions.map(({ person }) => person))]
  const rows = people.map((person) => {
    const own = interactions.filter((one) => one.person === person)
    const all = sum(own.map((one) => one.interactions))
    const calls = sum(own.map((one) => one.calls))
    const named = sum(own.map((one) => one.named))
    const spoke = sum(own.filter(({ outcome }) => reached.includes(outcome)).map((one) => one.interactions))
    return { person, all, calls, spoke, named }
  })
  return {
    key: PERSON_FIGURE,
    title: 'Interactions by person',
    semantics: 'event_time',
    counts:
      'Interactions in the interval by the person who recorded them, including those with do-not-contact businesses; corrected ones do not count. With a named person: those that name a person at the business.',
    columns: ['Person', 'Interactions', 'By phone', 'Reached somebody', 'With a named person'],
    rows: rows
      .toSorted((a, b) => b.all - a.all || compareText(a.person, b.person))
      .map(({ person, all, calls, spoke, named }) => [person, all, calls, spoke, named]),
    total: sum(rows.map(({ all }) => all)),
  }
}

/** Returns the ids of the people in stored figures. */
export function peopleIn(figures: readonly Figure[]): string[] {
  return figures.flatMap(({ key, rows }) => (key === PERSON_FIGURE ? rows.map(([person]) => String(person)) : []))
}

/** Replaces the ids of people in stored figures with names. The name of a service has no entry in `names` and remains as it is. */
export function withNamesOf(figures: readonly Figure[], names: ReadonlyMap<string, string>): Figure[] {
  return figures.map((figure) =>
    figure.key === PERSON_FIGURE
      ? {
          ...figure,
          rows: figure.rows.map(([person, ...numbers]) => [names.get(String(person)) ?? String(person), ...numbers]),
        }
      : figure,
  )
}

/** Orders by code units, so that the order does not depend on the locale of the server. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function order(state: PipelineState): number {
  return pipelineStates.indexOf(state)
}

function byOrder<Row>(rows: readonly Row[], place: (row: Row) => number[]): Row[] {
  return rows.toSorted((a, b) => {
    const [left, right] = [place(a), place(b)]
    const index = left.findIndex((one, at) => one !== right[at])
    return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0)
  })
}
