import { Checkbox } from '@mantine/core'
import type { ScoringSignal } from '@prospect/api-client'
import { NameTagsInput } from '../../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import classes from '../scoring.module.css'
import { operatorWords } from './sentences.ts'
import { dayRange, type FieldErrors, type TypedCondition, valueRange, withSignal } from './typed-content.ts'

type Props = {
  condition: TypedCondition
  /** Path in the request: 'content.groups.0.rules.2'. */
  path: string
  signals: readonly ScoringSignal[]
  errors: FieldErrors
  isHeld: boolean
  change: (part: Partial<TypedCondition>) => void
}

const confidences = [
  { value: 'low', label: 'Low or higher' },
  { value: 'medium', label: 'Medium or higher' },
  { value: 'high', label: 'High' },
] as const

/** Fields of a condition: signal, operator and value, and the evidence it accepts. */
export function ConditionFields({ condition, path, signals, errors, isHeld, change }: Props) {
  const signal = signals.find(({ key }) => key === condition.signal)
  const { op } = condition
  const error = (field: string) => errors[`${path}.${field}`]
  return (
    <>
      <Select
        label="Signal"
        searchable
        data-first-field
        nothingFoundMessage="No such signal"
        data={signals.map(({ key, title }) => ({ value: key, label: title }))}
        value={condition.signal}
        readOnly={isHeld}
        error={error('signal')}
        onChange={(key) => {
          const next = signals.find((one) => one.key === key)
          if (next !== undefined) change(withSignal(condition, next))
        }}
      />
      <Select
        label="Operator"
        data={(signal?.operators ?? []).flatMap((one) => {
          const known = operators.find((operator) => operator === one)
          return known === undefined ? [] : [{ value: known, label: operatorWords[known] }]
        })}
        value={op}
        readOnly={isHeld}
        error={error('op')}
        onChange={(next) => next !== null && change({ op: next })}
      />
      {signal !== undefined && (
        <ValueField condition={condition} signal={signal} error={error('value')} isHeld={isHeld} change={change} />
      )}
      {signal?.datedBy != null && (
        <>
          <NumberField
            label="Fresh for (days)"
            description={`Optional, 1 to ${formatNumber(dayRange.max)}. Age by ${signal.datedBy}.`}
            {...dayRange}
            value={condition.freshDays}
            readOnly={isHeld}
            error={error('freshDays')}
            onChange={(freshDays) => change({ freshDays })}
          />
          <NumberField
            label="Expires after (days)"
            description={`Optional, 1 to ${formatNumber(dayRange.max)}.`}
            {...dayRange}
            value={condition.expireDays}
            readOnly={isHeld}
            error={error('expireDays')}
            onChange={(expireDays) => change({ expireDays })}
          />
        </>
      )}
      {signal?.restsOnEvidence === true && (
        <Select
          label="Confidence of the evidence"
          description="With less confidence, the rule cannot tell."
          placeholder="Any"
          clearable
          data={confidences}
          value={condition.minConfidence}
          readOnly={isHeld}
          error={error('minConfidence')}
          onChange={(minConfidence) => change({ minConfidence })}
        />
      )}
    </>
  )
}

const operators = ['is', 'one_of', 'none_of', 'has_any', 'at_least', 'at_most', 'is_true'] as const

type ValueProps = Pick<Props, 'condition' | 'isHeld' | 'change'> & { signal: ScoringSignal; error: string | undefined }

function ValueField({ condition, signal, error, isHeld, change }: ValueProps) {
  const { op, words, number } = condition
  const { choices } = signal
  if (op === 'is_true') return null
  if (op === 'at_least' || op === 'at_most')
    return (
      <NumberField
        label="Number"
        description={`A whole number, 0 to ${formatNumber(valueRange.max)}.`}
        {...valueRange}
        value={number}
        readOnly={isHeld}
        error={error}
        onChange={(typed) => change({ number: typed })}
      />
    )
  if (choices === null)
    return (
      <NameTagsInput
        label={op === 'is' ? 'Value' : 'Values'}
        description={`At most ${op === 'is' ? 1 : inputLimits.scoringValueCount} of ${inputLimits.scoringValue} characters.`}
        maxTags={op === 'is' ? 1 : inputLimits.scoringValueCount}
        maxLength={inputLimits.scoringValue}
        value={words}
        readOnly={isHeld}
        error={error}
        onChange={(next) => change({ words: next })}
      />
    )
  if (op === 'is')
    return (
      <Select
        label="Value"
        data={choices}
        value={words[0] ?? null}
        readOnly={isHeld}
        error={error}
        onChange={(value) => change({ words: value === null ? [] : [value] })}
      />
    )
  return (
    <Checkbox.Group
      label="Values"
      className={classes.wide}
      value={words}
      error={error}
      onChange={(next) => !isHeld && change({ words: next })}
    >
      <div className={classes.checks}>
        {choices.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
