import { Checkbox } from '@mantine/core'
import type { ScoringSignal } from '@prospect/api-client'
import { NameTagsInput } from '../../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import classes from '../scoring.module.css'
import type { RuleForm } from './rule-form.ts'
import { operatorWords } from './sentences.ts'
import { comparesNumber, dayRange, type TypedCondition, valueRange, withSignal } from './typed-content.ts'

type Props = {
  form: RuleForm
  condition: TypedCondition
  /** Path in the form: 'content.groups.0.rules.2'. */
  path: string
  signals: readonly ScoringSignal[]
}

const confidences = [
  { value: 'low', label: 'Low or higher' },
  { value: 'medium', label: 'Medium or higher' },
  { value: 'high', label: 'High' },
] as const

/** Fields of a condition: signal, operator and value, and the evidence it accepts. */
export function ConditionFields({ form, condition, path, signals }: Props) {
  const signal = signals.find(({ key }) => key === condition.signal)
  const signalProps = form.getInputProps(`${path}.signal`)
  const operatorProps = form.getInputProps(`${path}.op`)
  /** Errors of the other fields are about the former signal or operator. */
  const change = (part: Partial<TypedCondition>) => {
    if (form.isHeld) return
    form.setFieldValue(path, { ...condition, ...part })
    form.clearErrorsBelow(path)
  }
  return (
    <>
      <Select
        label="Signal"
        searchable
        data-first-field
        nothingFoundMessage="No such signal"
        data={signals.map(({ key, title }) => ({ value: key, label: title }))}
        {...signalProps}
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
        {...operatorProps}
        onChange={(op) => op !== null && change({ op })}
      />
      {signal !== undefined && <ValueField form={form} condition={condition} path={path} signal={signal} />}
      {signal?.datedBy != null && (
        <>
          <NumberField
            label="Fresh for (days)"
            description={`Optional, 1 to ${formatNumber(dayRange.max)}. The age counts from ${signal.datedBy}.`}
            {...dayRange}
            {...form.getInputProps(`${path}.freshDays`)}
          />
          <NumberField
            label="Expires after (days)"
            description={`Optional, 1 to ${formatNumber(dayRange.max)}.`}
            {...dayRange}
            {...form.getInputProps(`${path}.expireDays`)}
          />
        </>
      )}
      {signal?.restsOnEvidence === true && (
        <Select
          label="Confidence of the evidence"
          description="If the evidence has less confidence, the result of the rule is open."
          placeholder="Any"
          clearable
          data={confidences}
          {...form.getInputProps(`${path}.minConfidence`)}
        />
      )}
    </>
  )
}

const operators = ['is', 'one_of', 'none_of', 'has_any', 'at_least', 'at_most', 'is_true'] as const

type ValueProps = Omit<Props, 'signals'> & { signal: ScoringSignal }

function ValueField({ form, condition, path, signal }: ValueProps) {
  const { op, words } = condition
  const { choices } = signal
  if (op === 'is_true') return null
  if (comparesNumber(condition))
    return (
      <NumberField
        label="Number"
        description={`A whole number, 0 to ${formatNumber(valueRange.max)}.`}
        {...valueRange}
        {...form.getInputProps(`${path}.number`)}
      />
    )
  const input = form.getInputProps(`${path}.words`)
  if (choices === null)
    return (
      <NameTagsInput
        label={op === 'is' ? 'Value' : 'Values'}
        description={`At most ${op === 'is' ? 1 : inputLimits.scoringValueCount} of ${inputLimits.scoringValue} characters.`}
        maxTags={op === 'is' ? 1 : inputLimits.scoringValueCount}
        maxLength={inputLimits.scoringValue}
        {...input}
      />
    )
  if (op === 'is')
    return (
      <Select
        label="Value"
        data={choices}
        {...input}
        value={words[0] ?? null}
        onChange={(value) => input.onChange(value === null ? [] : [value])}
      />
    )
  return (
    <Checkbox.Group label="Values" className={classes.wide} {...input}>
      <div className={classes.checks}>
        {choices.map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
