import type { Rest, ScoringRecord } from '../records/scoring-record.ts'
import { placeOf } from '../records/scoring-record.ts'
import { type Content, HUNDREDTHS } from '../rules/content.ts'
import { bandOf, type CompiledCondition, changesAt, clamp, type Evaluator, scoreOf } from '../rules/evaluate.rules.ts'
import {
  FAILS,
  HOLDS,
  isUndecided,
  type Outcome,
  reasonOf,
  reasonStates,
  reasonWords,
} from '../rules/outcomes.rules.ts'
import { conditionWords, gateWords, ruleWords } from '../rules/words.rules.ts'

/** Explains a result by its rules, groups and gates, with the evaluator that computed the score. */
export function explain(content: Content, { groups, gates, bands }: Evaluator, record: ScoringRecord, now: number) {
  const outcomes = new Map(
    groups.flatMap(({ rules }) => rules).map((rule) => [rule.condition.id, rule.decide(record, now)] as const),
  )
  const outcomeOf = (id: string): Outcome => outcomes.get(id) ?? FAILS
  const shownGroups = groups.map((group, at) => {
    const [rawLow, rawHigh] = sumsOf(group.rules, outcomeOf)
    const [low, high] = [clamp(rawLow, group.min, group.max), clamp(rawHigh, group.min, group.max)]
    return {
      id: group.id,
      name: content.groups[at]?.name ?? group.id,
      ...inPoints({ min: group.min, max: group.max, low, high, rawLow, rawHigh }),
      isLimited: low !== rawLow || high !== rawHigh,
    }
  })

  /** Returns the range of the score if this one undecided rule were met. */
  function rangeWhen(ruleId: string): { low: number; high: number } {
    let [low, high] = [0, 0]
    for (const group of groups) {
      const [own, most] = sumsOf(group.rules, (id) => (id === ruleId ? HOLDS : outcomeOf(id)))
      low += clamp(own, group.min, group.max)
      high += clamp(most, group.min, group.max)
    }
    return { low: scoreOf(low, content.rounding), high: scoreOf(high, content.rounding) }
  }

  const { low: lowNow } = rangeWhen('')

  const rules = groups.flatMap((group, groupAt) =>
    group.rules.map((rule, at) => {
      const source = content.groups[groupAt]?.rules[at]
      const outcome = outcomeOf(rule.condition.id)
      const [low, high] = contributionOf(rule.hundredths, outcome)
      const until = changesAt(rule, record, now)
      return {
        id: rule.condition.id,
        groupId: group.id,
        words: source === undefined ? conditionWords(rule.condition) : ruleWords(source),
        points: rule.hundredths / HUNDREDTHS,
        ...stateOf(rule, record, outcome),
        holds: isUndecided(outcome) ? null : outcome === HOLDS,
        ...inPoints({ low, high }),
        restsOn: restsOn(rule, record),
        goesStaleAt: until === null ? null : new Date(until).toISOString(),
        wouldChange: isUndecided(outcome) ? changeOf(rule, rangeWhen(rule.condition.id)) : null,
      }
    }),
  )

  function changeOf({ condition }: CompiledCondition, { low, high }: { low: number; high: number }) {
    const band = bands[bandOf(bands, low)]
    const priority = band?.id ?? ''
    return {
      low,
      high,
      priority,
      words: `${conditionWords(condition)}: ${lowNow} → ${low}, priority ${band?.name ?? priority}`,
    }
  }

  return {
    rules,
    groups: shownGroups,
    gates: gates.map((gate, at) => {
      const source = content.gates[at]
      const outcome = gate.decide(record, now)
      return {
        id: gate.condition.id,
        kind: gate.kind,
        words: source === undefined ? conditionWords(gate.condition) : gateWords(source),
        ...stateOf(gate, record, outcome),
        passes: isUndecided(outcome) ? null : (outcome === HOLDS) === (gate.kind === 'requires'),
        restsOn: restsOn(gate, record),
      }
    }),
    next: nextChange([...groups.flatMap((group) => group.rules), ...gates], record, now),
  }
}

export const nothingExplained = { rules: [], groups: [], gates: [], next: null }

type Rules = readonly (CompiledCondition & { hundredths: number })[]

function sumsOf(rules: Rules, outcomeOf: (id: string) => Outcome): [low: number, high: number] {
  let [low, high] = [0, 0]
  for (const { condition, hundredths } of rules) {
    const [least, most] = contributionOf(hundredths, outcomeOf(condition.id))
    low += least
    high += most
  }
  return [low, high]
}

function contributionOf(hundredths: number, outcome: Outcome): [low: number, high: number] {
  if (outcome === HOLDS) return [hundredths, hundredths]
  return outcome === FAILS ? [0, 0] : [Math.min(0, hundredths), Math.max(0, hundredths)]
}

function inPoints<Named extends Record<string, number>>(hundredths: Named): Named {
  return Object.fromEntries(Object.entries(hundredths).map(([name, value]) => [name, value / HUNDREDTHS])) as Named
}

/** A decision without evidence rests on what the record states, so its evidence is never current. */
function stateOf({ lacksEvidence }: CompiledCondition, record: ScoringRecord, outcome: Outcome) {
  const stateReason = !isUndecided(outcome) && lacksEvidence(record) ? 'stated' : reasonOf(outcome)
  return { state: reasonStates[stateReason], stateReason, stateWords: reasonWords[stateReason] }
}

function restsOn({ signal }: CompiledCondition, { evidence }: ScoringRecord): Rest[] {
  return signal.field === undefined ? [] : [...(evidence[placeOf(signal.field)]?.restsOn ?? [])]
}

function nextChange(all: readonly CompiledCondition[], record: ScoringRecord, now: number) {
  const dated = all.flatMap((one) => {
    const at = changesAt(one, record, now)
    return at === null ? [] : [{ at, rule: one.condition.id }]
  })
  const first = dated.toSorted((a, b) => a.at - b.at)[0]
  return first === undefined ? null : { goesStaleAt: new Date(first.at).toISOString(), rule: first.rule }
}
