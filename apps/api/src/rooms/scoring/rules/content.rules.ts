import type { FieldError } from '../../../lib/app-error.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import { numeral } from '../../../lib/numeral.ts'
import { UNKNOWN_PRIORITY } from '../../../lib/score-codes.ts'
import { findSignal } from '../signals/all-signals.ts'
import { operatorsOf, type Signal } from '../signals/signal.ts'
import { type Condition, type Content, contentLimits } from './content.ts'
import { bandOf, clamp, hundredthsOf, scoreOf } from './evaluate.rules.ts'

/** Returns the SHA-256 of the canonical form, which identifies the content that was previewed, approved and run. */
export function contentHashOf(content: Content): string {
  return fingerprint(content)
}

/** Returns the errors that prevent the evaluation of a version, each with its path in the content. */
export function problemsOf(content: Content): FieldError[] {
  return [
    ...repeatedIds(content),
    ...content.groups.flatMap((group, at) => [
      ...(group.min > group.max
        ? [problem(`groups.${at}.min`, 'limits_reversed', 'The lower limit of a group is above its upper limit.')]
        : []),
      ...group.rules.flatMap((rule, place) => [
        ...conditionProblems(rule, `groups.${at}.rules.${place}`),
        ...(rule.points === 0
          ? [
              problem(
                `groups.${at}.rules.${place}.points`,
                'no_points',
                'A rule with 0 points has no effect. Enter points or remove the rule.',
              ),
            ]
          : []),
      ]),
    ]),
    ...content.gates.flatMap((gate, at) => conditionProblems(gate, `gates.${at}`)),
    ...bandProblems(content),
  ]
}

/** Returns warnings about bands that no record can reach. Warnings do not prevent an evaluation. */
export function warningsOf(content: Content): FieldError[] {
  if (problemsOf(content).length > 0) return []
  const { bands, rounding, groups } = content
  const sum = (of: (points: number) => number) =>
    groups.reduce((total, { min, max, rules }) => {
      const points = rules.reduce((own, rule) => own + of(hundredthsOf(rule.points)), 0)
      return total + clamp(points, hundredthsOf(min), hundredthsOf(max))
    }, 0)
  const best = bandOf(
    bands,
    scoreOf(
      sum((points) => Math.max(0, points)),
      rounding,
    ),
  )
  const worst = bandOf(
    bands,
    scoreOf(
      sum((points) => Math.min(0, points)),
      rounding,
    ),
  )
  return bands.flatMap((band, at) =>
    at < best || at > worst
      ? [problem(`bands.${at}`, 'band_unreachable', `No combination of rules gives a score in ${band.name}.`)]
      : [],
  )
}

function problem(path: string, code: string, message: string): FieldError {
  return { path: `content.${path}`, code, message }
}

/** Returns an error for each repeated id. Explanations name groups, rules, gates and bands by id, so each id must be unique within its kind. */
function repeatedIds({ groups, gates, bands }: Content): FieldError[] {
  const named: [path: string, id: string, kind: string][] = [
    ...groups.flatMap((group, at): [string, string, string][] => [
      [`groups.${at}.id`, group.id, 'group'],
      ...group.rules.map((rule, place): [string, string, string] => [
        `groups.${at}.rules.${place}.id`,
        rule.id,
        'rule',
      ]),
    ]),
    ...gates.map((gate, at): [string, string, string] => [`gates.${at}.id`, gate.id, 'rule']),
    ...bands.map((band, at): [string, string, string] => [`bands.${at}.id`, band.id, 'band']),
  ]
  const seen = new Set<string>()
  const repeated: FieldError[] = []
  for (const [path, id, kind] of named) {
    const key = `${kind} ${id}`
    if (seen.has(key)) repeated.push(problem(path, 'repeated_id', `Another ${kind} has the id ${id}.`))
    seen.add(key)
  }
  return repeated
}

function conditionProblems(condition: Condition, path: string): FieldError[] {
  const signal = findSignal(condition.signal)
  if (signal === undefined)
    return [problem(`${path}.signal`, 'unknown_signal', `There is no signal ${condition.signal}.`)]
  const allowed = operatorsOf[signal.type]
  if (!allowed.includes(condition.op)) {
    const message = `${signal.title} takes ${allowed.join(', ')}, not ${condition.op}.`
    return [problem(`${path}.op`, 'operator_not_allowed', message)]
  }
  return [...valueProblems(condition, signal, path), ...ageProblems(condition, signal, path)]
}

function valueProblems({ op, value }: Condition, signal: Signal, path: string): FieldError[] {
  const at = `${path}.value`
  const wrong = (message: string) => [problem(at, 'value_not_allowed', message)]
  switch (op) {
    case 'is_true':
      return value === undefined ? [] : wrong('This operator takes no value.')
    case 'at_least':
    case 'at_most':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= contentLimits.number
        ? []
        : wrong(`Enter a whole number from 0 to ${numeral(contentLimits.number)}.`)
    case 'is':
      return typeof value === 'string' && value !== '' ? unknownChoices([value], signal, at) : wrong('Enter one value.')
    case 'one_of':
    case 'none_of':
    case 'has_any':
      return Array.isArray(value) && value.length > 0
        ? unknownChoices(value, signal, at)
        : wrong('Enter one value or more.')
  }
}

function unknownChoices(values: readonly string[], { choices, title }: Signal, path: string): FieldError[] {
  if (choices === undefined) return []
  const unknown = values.filter((value) => !choices.some((choice) => choice.value === value))
  if (unknown.length === 0) return []
  return [problem(path, 'value_not_allowed', `${title} is never ${unknown.join(', ')}.`)]
}

function ageProblems(condition: Condition, { datedBy, field, title }: Signal, path: string): FieldError[] {
  const { freshDays, expireDays, minConfidence } = condition
  const problems: FieldError[] = []
  for (const [name, days] of [
    ['freshDays', freshDays],
    ['expireDays', expireDays],
  ] as const)
    if (days !== undefined && datedBy === null)
      problems.push(problem(`${path}.${name}`, 'no_age', `${title} has no age. Remove the number of days.`))
  if (freshDays !== undefined && expireDays !== undefined && freshDays >= expireDays)
    problems.push(problem(`${path}.expireDays`, 'expires_first', 'Evidence must become stale before it expires.'))
  if (minConfidence !== undefined && field === undefined)
    problems.push(problem(`${path}.minConfidence`, 'no_evidence', `${title} has no evidence. Remove the confidence.`))
  return problems
}

function bandProblems({ bands }: Content): FieldError[] {
  const problems: FieldError[] = []
  for (const [at, band] of bands.entries()) {
    if (band.id === UNKNOWN_PRIORITY)
      problems.push(
        problem(
          `bands.${at}.id`,
          'reserved_id',
          'A band cannot have the name “unknown”, because this is the priority of a prospect between bands.',
        ),
      )
    const before = bands[at - 1]
    if (before !== undefined && band.from >= before.from)
      problems.push(
        problem(`bands.${at}.from`, 'bands_out_of_order', 'Order bands from the highest score to the lowest.'),
      )
  }
  if (bands.at(-1)?.from !== 0)
    problems.push(problem(`bands.${bands.length - 1}.from`, 'lowest_band_not_zero', 'The lowest band must begin at 0.'))
  return problems
}
