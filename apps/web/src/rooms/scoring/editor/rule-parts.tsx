import { Button, TextInput } from '@mantine/core'
import type { ScoringSignal } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import type { NumberValue } from '../../../ui/text/typed-number.ts'
import classes from '../scoring.module.css'
import { ConditionFields } from './condition-fields.tsx'
import { PartRow } from './part-row.tsx'
import {
  bandRange,
  type FieldErrors,
  moved,
  newCondition,
  newPartId,
  pointRange,
  replaced,
  rulesOf,
  type TypedBand,
  type TypedContent,
  type TypedGate,
  type TypedGroup,
  type TypedRule,
} from './typed-content.ts'

export type PartsProps = {
  content: TypedContent
  signals: readonly ScoringSignal[]
  sentences: Readonly<Record<string, string>>
  errors: FieldErrors
  isHeld: boolean
  /** Key of the part whose fields are open: 'rule phone', 'gate open'. */
  openPart: string | null
  setOpenPart: (part: string | null) => void
  change: (content: TypedContent) => void
}

const problemsAt = (errors: FieldErrors, path: string): string[] =>
  Object.entries(errors).flatMap(([at, message]) => (at.startsWith(`${path}.`) ? [message] : []))

/** All groups with their rules. */
export function GroupParts(props: PartsProps) {
  const { content, isHeld, change } = props
  const { groups } = content
  const add = useRef<HTMLButtonElement>(null)
  const addGroup = () =>
    change({
      ...content,
      groups: [...groups, { id: newPartId('group', groups), name: '', min: 0, max: 100, rules: [] }],
    })
  return (
    <>
      {groups.map((group, at) => (
        <GroupPart
          key={group.id}
          {...props}
          group={group}
          at={at}
          remove={() => {
            change({ ...content, groups: replaced(groups, at, null) })
            add.current?.focus()
          }}
        />
      ))}
      <AddPart
        buttonRef={add}
        label="Add group"
        count={groups.length}
        max={inputLimits.scoringGroupCount}
        noun="groups"
        isHeld={isHeld}
        add={addGroup}
      />
    </>
  )
}

type GroupProps = PartsProps & { group: TypedGroup; at: number; remove: () => void }

function GroupPart(props: GroupProps) {
  const { content, group, at, signals, errors, isHeld, setOpenPart, change, remove } = props
  const { groups } = content
  const path = `content.groups.${at}`
  const add = useRef<HTMLButtonElement>(null)
  const allRules = rulesOf(content)
  const changeGroup = (part: Partial<TypedGroup>) =>
    change({ ...content, groups: replaced(groups, at, { ...group, ...part }) })
  const addRule = () => {
    const signal = signals.find(({ key }) => key === 'record.phones') ?? signals[0]
    if (signal === undefined) return
    const id = newPartId('rule', allRules)
    changeGroup({ rules: [...group.rules, { ...newCondition(id, signal), number: 1, points: 10 }] })
    setOpenPart(`rule ${id}`)
  }
  return (
    <section className={classes.part} aria-label={`Group ${group.name}`}>
      <div className={classes.fields}>
        <TextInput
          label="Group"
          maxLength={inputLimits.scoringName}
          value={group.name}
          readOnly={isHeld}
          error={errors[`${path}.name`]}
          onChange={(event) => changeGroup({ name: event.currentTarget.value })}
        />
        <Points
          label="Counts from"
          value={group.min}
          isHeld={isHeld}
          error={errors[`${path}.min`]}
          change={(min) => changeGroup({ min })}
        />
        <Points
          label="Counts up to"
          value={group.max}
          isHeld={isHeld}
          error={errors[`${path}.max`]}
          change={(max) => changeGroup({ max })}
        />
      </div>
      {group.rules.length === 0 ? (
        <p className={classes.note}>No rules yet. A group without rules counts 0 points.</p>
      ) : (
        <ul className={classes.list} aria-label={`Rules of ${group.name}`}>
          {group.rules.map((rule, place) => (
            <RulePart
              key={rule.id}
              {...props}
              rule={rule}
              place={place}
              changeGroup={changeGroup}
              focusAdd={() => add.current?.focus()}
            />
          ))}
        </ul>
      )}
      <AddPart
        buttonRef={add}
        label={`Add rule to ${group.name || 'the group'}`}
        count={allRules.length}
        max={inputLimits.scoringRuleCount}
        noun="rules in all groups"
        isHeld={isHeld}
        add={addRule}
      >
        {groups.length > 1 && (
          <Button variant="subtle" color="red" size="compact-sm" disabled={isHeld} onClick={remove}>
            Remove group {group.name}
          </Button>
        )}
      </AddPart>
    </section>
  )
}

type RuleProps = GroupProps & {
  rule: TypedRule
  place: number
  changeGroup: (part: Partial<TypedGroup>) => void
  focusAdd: () => void
}

function RulePart(props: RuleProps) {
  const { content, group, at, rule, place, signals, sentences, errors, isHeld, openPart, setOpenPart } = props
  const path = `content.groups.${at}.rules.${place}`
  const { rules } = group
  const part = `rule ${rule.id}`
  const changeRule = (next: Partial<TypedRule>) =>
    props.changeGroup({ rules: replaced(rules, place, { ...rule, ...next }) })
  const toGroup = (id: string) =>
    props.change({
      ...content,
      groups: content.groups.map((one) => {
        if (one.id === group.id) return { ...one, rules: replaced(rules, place, null) }
        return one.id === id ? { ...one, rules: [...one.rules, rule] } : one
      }),
    })
  const move = (by: -1 | 1) => () => props.changeGroup({ rules: moved(rules, place, by) })
  return (
    <PartRow
      noun="rule"
      sentence={sentences[rule.id] ?? rule.id}
      problems={problemsAt(errors, path)}
      isOpen={openPart === part}
      toggle={(isOpen) => setOpenPart(isOpen ? part : null)}
      moveUp={place === 0 || isHeld ? null : move(-1)}
      moveDown={place === rules.length - 1 || isHeld ? null : move(1)}
      remove={() => {
        if (isHeld) return
        props.changeGroup({ rules: replaced(rules, place, null) })
        props.focusAdd()
      }}
    >
      <ConditionFields
        condition={rule}
        path={path}
        signals={signals}
        errors={errors}
        isHeld={isHeld}
        change={changeRule}
      />
      <Points
        label="Points"
        value={rule.points}
        isHeld={isHeld}
        error={errors[`${path}.points`]}
        change={(points) => changeRule({ points })}
      />
      {content.groups.length > 1 && (
        <Select
          label="In the group"
          data={content.groups.map(({ id, name }) => ({ value: id, label: name || id }))}
          value={group.id}
          readOnly={isHeld}
          onChange={(id) => id !== null && toGroup(id)}
        />
      )}
    </PartRow>
  )
}

/** The gates, which decide eligibility and give no points. */
export function GateParts(props: PartsProps) {
  const { content, signals, sentences, errors, isHeld, openPart, setOpenPart, change } = props
  const { gates } = content
  const add = useRef<HTMLButtonElement>(null)
  const setGates = (next: TypedGate[]) => change({ ...content, gates: next })
  const addGate = () => {
    const signal = signals.find(({ key }) => key === 'record.state') ?? signals[0]
    if (signal === undefined) return
    const id = newPartId('gate', gates)
    setGates([...gates, { ...newCondition(id, signal), kind: 'requires' }])
    setOpenPart(`gate ${id}`)
  }
  return (
    <section className={classes.part} aria-label="Requirements">
      <h2>Requirements</h2>
      <p className={classes.note}>
        Requirements give no points. A prospect is eligible if it meets every requirement. Its eligibility is unknown
        while one cannot be checked.
      </p>
      <ul className={classes.list} aria-label="Requirements">
        {gates.map((gate, at) => {
          const part = `gate ${gate.id}`
          const path = `content.gates.${at}`
          const changeGate = (next: Partial<TypedGate>) => setGates(replaced(gates, at, { ...gate, ...next }))
          return (
            <PartRow
              key={gate.id}
              noun="requirement"
              sentence={sentences[gate.id] ?? gate.id}
              problems={problemsAt(errors, path)}
              isOpen={openPart === part}
              toggle={(isOpen) => setOpenPart(isOpen ? part : null)}
              moveUp={at === 0 || isHeld ? null : () => setGates(moved(gates, at, -1))}
              moveDown={at === gates.length - 1 || isHeld ? null : () => setGates(moved(gates, at, 1))}
              remove={() => {
                if (isHeld) return
                setGates(replaced(gates, at, null))
                add.current?.focus()
              }}
            >
              <Select
                label="The prospect"
                data={[
                  { value: 'requires', label: 'must match' },
                  { value: 'excludes', label: 'must not match' },
                ]}
                value={gate.kind}
                readOnly={isHeld}
                onChange={(kind) => kind !== null && changeGate({ kind })}
              />
              <ConditionFields
                condition={gate}
                path={path}
                signals={signals}
                errors={errors}
                isHeld={isHeld}
                change={changeGate}
              />
            </PartRow>
          )
        })}
      </ul>
      <AddPart
        buttonRef={add}
        label="Add requirement"
        count={gates.length}
        max={inputLimits.scoringGateCount}
        noun="gates"
        isHeld={isHeld}
        add={addGate}
      />
    </section>
  )
}

const LEAST_BANDS = 2

/** The priority bands, best first. */
export function BandParts({ content, errors, isHeld, change }: PartsProps) {
  const { bands } = content
  const add = useRef<HTMLButtonElement>(null)
  const setBands = (next: TypedBand[]) => change({ ...content, bands: next })
  const addBand = () => {
    const last = bands.at(-1)
    const band = { id: newPartId('band', bands), name: '', from: '' }
    setBands(last === undefined ? [band] : [...bands.slice(0, -1), band, last])
  }
  return (
    <section className={classes.part} aria-label="Priority bands">
      <h2>Priority bands</h2>
      <p className={classes.note}>From the highest score to the lowest. The lowest band begins at 0.</p>
      {bands.map((band, at) => {
        const path = `content.bands.${at}`
        const changeBand = (next: Partial<TypedBand>) => setBands(replaced(bands, at, { ...band, ...next }))
        return (
          <div key={band.id} className={classes.fields}>
            <TextInput
              label={`Band ${at + 1}`}
              maxLength={inputLimits.scoringName}
              value={band.name}
              readOnly={isHeld}
              error={errors[`${path}.name`] ?? errors[`${path}.id`]}
              onChange={(event) => changeBand({ name: event.currentTarget.value })}
            />
            <NumberField
              label={`Lowest score of band ${at + 1}`}
              {...bandRange}
              value={band.from}
              readOnly={isHeld}
              error={errors[`${path}.from`]}
              onChange={(from) => changeBand({ from })}
            />
            {bands.length > LEAST_BANDS && (
              <Button
                variant="subtle"
                color="red"
                size="compact-sm"
                disabled={isHeld}
                onClick={() => {
                  setBands(replaced(bands, at, null))
                  add.current?.focus()
                }}
              >
                Remove band {at + 1}
              </Button>
            )}
          </div>
        )
      })}
      <AddPart
        buttonRef={add}
        label="Add band"
        count={bands.length}
        max={inputLimits.scoringBandCount}
        noun="bands"
        isHeld={isHeld}
        add={addBand}
      />
    </section>
  )
}

type PointsProps = {
  label: string
  value: NumberValue
  isHeld: boolean
  error: string | undefined
  change: (next: NumberValue) => void
}

function Points({ label, value, isHeld, error, change }: PointsProps) {
  return (
    <NumberField
      label={label}
      description={`−${pointRange.max} to ${pointRange.max}, at most two decimals.`}
      {...pointRange}
      value={value}
      readOnly={isHeld}
      error={error}
      onChange={change}
    />
  )
}

type AddProps = {
  buttonRef: React.Ref<HTMLButtonElement>
  label: string
  count: number
  max: number
  noun: string
  isHeld: boolean
  add: () => void
  children?: ReactNode
}

/** Button that adds a part, with the current number and the maximum. */
function AddPart({ buttonRef, label, count, max, noun, isHeld, add, children }: AddProps) {
  return (
    <p className={classes.add}>
      <Button
        ref={buttonRef}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
        disabled={isHeld || count >= max}
        onClick={add}
      >
        {label}
      </Button>
      {children}
      <span className={classes.note}>
        {formatNumber(count)} of {formatNumber(max)} {noun}
      </span>
    </p>
  )
}
