import { Button, TextInput } from '@mantine/core'
import type { ScoringSignal } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { NumberField } from '../../../ui/fields/number-field.tsx'
import { Select } from '../../../ui/fields/select.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { formatNumber } from '../../../ui/text/format.ts'
import classes from '../scoring.module.css'
import { ConditionFields } from './condition-fields.tsx'
import { PartRow } from './part-row.tsx'
import type { RuleForm } from './rule-form.ts'
import {
  bandRange,
  newCondition,
  newPartId,
  partKey,
  pointRange,
  rulesOf,
  type TypedContent,
  type TypedGate,
  type TypedGroup,
  type TypedRule,
} from './typed-content.ts'

export type PartsProps = {
  content: TypedContent
  signals: readonly ScoringSignal[]
  sentences: Readonly<Record<string, string>>
  form: RuleForm
  /** Key of the part whose fields are open, from `partKey`. */
  openPart: string | null
  setOpenPart: (part: string | null) => void
}

const problemsAt = ({ errors }: RuleForm, path: string): string[] =>
  Object.entries(errors).flatMap(([at, message]) => (at.startsWith(`${path}.`) ? [message] : []))

/** All groups with their rules. */
export function GroupParts(props: PartsProps) {
  const { form, content } = props
  const { groups } = content
  const add = useRef<HTMLButtonElement>(null)
  return (
    <>
      {groups.map((group, at) => (
        <GroupPart
          key={group.id}
          {...props}
          group={group}
          at={at}
          remove={() => {
            form.removeListItem('content.groups', at)
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
        isHeld={form.isHeld}
        add={() =>
          form.insertListItem('content.groups', {
            id: newPartId('group', groups),
            name: '',
            min: 0,
            max: 100,
            rules: [],
          })
        }
      />
    </>
  )
}

type GroupProps = PartsProps & { group: TypedGroup; at: number; remove: () => void }

function GroupPart(props: GroupProps) {
  const { form, content, group, at, signals, setOpenPart, remove } = props
  const path = `content.groups.${at}`
  const add = useRef<HTMLButtonElement>(null)
  const allRules = rulesOf(content)
  const addRule = () => {
    const signal = signals.find(({ key }) => key === 'record.phones') ?? signals[0]
    if (signal === undefined) return
    const condition = newCondition(newPartId('rule', allRules), signal)
    form.insertListItem(`${path}.rules`, { ...condition, number: 1, points: 10 })
    setOpenPart(partKey('rule', condition))
  }
  return (
    <section className={classes.part} aria-label={`Group ${group.name}`}>
      <div className={classes.fields}>
        <TextInput label="Group" maxLength={inputLimits.scoringName} {...form.getInputProps(`${path}.name`)} />
        <Points label="Points count from" {...form.getInputProps(`${path}.min`)} />
        <Points label="Points count up to" {...form.getInputProps(`${path}.max`)} />
      </div>
      {group.rules.length === 0 ? (
        <p className={classes.note}>No rules yet. A group without rules counts 0 points.</p>
      ) : (
        <ul className={classes.list} aria-label={`Rules of ${group.name}`}>
          {group.rules.map((rule, place) => (
            <RulePart key={rule.id} {...props} rule={rule} place={place} focusAdd={() => add.current?.focus()} />
          ))}
        </ul>
      )}
      <AddPart
        buttonRef={add}
        label={`Add rule to ${group.name || 'the group'}`}
        count={allRules.length}
        max={inputLimits.scoringRuleCount}
        noun="rules in all groups"
        isHeld={form.isHeld}
        add={addRule}
      >
        {content.groups.length > 1 && (
          <Button variant="subtle" color="red" size="compact-sm" disabled={form.isHeld} onClick={remove}>
            Remove group {group.name}
          </Button>
        )}
      </AddPart>
    </section>
  )
}

type RuleProps = GroupProps & { rule: TypedRule; place: number; focusAdd: () => void }

function RulePart(props: RuleProps) {
  const { form, content, group, at, rule, place, signals } = props
  const list = `content.groups.${at}.rules`
  const path = `${list}.${place}`
  const toGroup = (id: string | null) => {
    const to = content.groups.findIndex((one) => one.id === id)
    if (to < 0 || to === at) return
    form.removeListItem(list, place)
    form.insertListItem(`content.groups.${to}.rules`, rule)
  }
  return (
    <Row {...props} noun="rule" part={rule} list={list} at={place} count={group.rules.length}>
      <ConditionFields form={form} condition={rule} path={path} signals={signals} />
      <Points label="Points" {...form.getInputProps(`${path}.points`)} />
      {content.groups.length > 1 && (
        <Select
          label="In the group"
          data={content.groups.map(({ id, name }) => ({ value: id, label: name || id }))}
          value={group.id}
          readOnly={form.isHeld}
          onChange={toGroup}
        />
      )}
    </Row>
  )
}

type RowProps = Pick<PartsProps, 'form' | 'sentences' | 'openPart' | 'setOpenPart'> & {
  noun: 'rule' | 'requirement'
  part: TypedRule | TypedGate
  /** Path of its list, and its place and the number of parts there. */
  list: string
  at: number
  count: number
  focusAdd: () => void
  children: ReactNode
}

/** A rule or a requirement in its list. */
function Row({ form, sentences, openPart, setOpenPart, noun, part, list, at, count, focusAdd, children }: RowProps) {
  const key = partKey(noun, part)
  const move = (to: number) =>
    form.isHeld || to < 0 || to >= count ? null : () => form.reorderListItem(list, { from: at, to })
  return (
    <PartRow
      noun={noun}
      sentence={sentences[part.id] ?? part.id}
      problems={problemsAt(form, `${list}.${at}`)}
      isOpen={openPart === key}
      toggle={(isOpen) => setOpenPart(isOpen ? key : null)}
      moveUp={move(at - 1)}
      moveDown={move(at + 1)}
      remove={() => {
        if (form.isHeld) return
        form.removeListItem(list, at)
        focusAdd()
      }}
    >
      {children}
    </PartRow>
  )
}

/** The requirements, which decide eligibility and give no points. */
export function GateParts(props: PartsProps) {
  const { form, content, signals, setOpenPart } = props
  const { gates } = content
  const add = useRef<HTMLButtonElement>(null)
  const addGate = () => {
    const signal = signals.find(({ key }) => key === 'record.state') ?? signals[0]
    if (signal === undefined) return
    const condition = newCondition(newPartId('gate', gates), signal)
    form.insertListItem('content.gates', { ...condition, kind: 'requires' })
    setOpenPart(partKey('requirement', condition))
  }
  return (
    <section className={classes.part} aria-label="Requirements">
      <h2>Requirements</h2>
      <p className={classes.note}>
        Requirements give no points. A prospect is eligible if it meets every requirement. While a requirement cannot be
        checked, the eligibility is unknown.
      </p>
      <ul className={classes.list} aria-label="Requirements">
        {gates.map((gate, at) => (
          <Row
            key={gate.id}
            {...props}
            noun="requirement"
            part={gate}
            list="content.gates"
            at={at}
            count={gates.length}
            focusAdd={() => add.current?.focus()}
          >
            <Select
              label="The prospect"
              data={[
                { value: 'requires', label: 'must match' },
                { value: 'excludes', label: 'must not match' },
              ]}
              {...form.getInputProps(`content.gates.${at}.kind`)}
            />
            <ConditionFields form={form} condition={gate} path={`content.gates.${at}`} signals={signals} />
          </Row>
        ))}
      </ul>
      <AddPart
        buttonRef={add}
        label="Add requirement"
        count={gates.length}
        max={inputLimits.scoringGateCount}
        noun="requirements"
        isHeld={form.isHeld}
        add={addGate}
      />
    </section>
  )
}

const LEAST_BANDS = 2

/** The priority bands, best first. */
export function BandParts({ form, content }: PartsProps) {
  const { bands } = content
  const add = useRef<HTMLButtonElement>(null)
  /** The lowest band stays the last one. */
  const addBand = () =>
    form.insertListItem(
      'content.bands',
      { id: newPartId('band', bands), name: '', from: '' },
      Math.max(bands.length - 1, 0),
    )
  return (
    <section className={classes.part} aria-label="Priority bands">
      <h2>Priority bands</h2>
      <p className={classes.note}>From the highest score to the lowest. The lowest band begins at 0.</p>
      {bands.map((band, at) => (
        <div key={band.id} className={classes.fields}>
          <TextInput
            label={`Band ${at + 1}`}
            maxLength={inputLimits.scoringName}
            {...form.getInputProps(`content.bands.${at}.name`)}
          />
          <NumberField
            label={`Lowest score of band ${at + 1}`}
            {...bandRange}
            {...form.getInputProps(`content.bands.${at}.from`)}
          />
          {bands.length > LEAST_BANDS && (
            <Button
              variant="subtle"
              color="red"
              size="compact-sm"
              disabled={form.isHeld}
              onClick={() => {
                form.removeListItem('content.bands', at)
                add.current?.focus()
              }}
            >
              Remove band {at + 1}
            </Button>
          )}
        </div>
      ))}
      <AddPart
        buttonRef={add}
        label="Add band"
        count={bands.length}
        max={inputLimits.scoringBandCount}
        noun="bands"
        isHeld={form.isHeld}
        add={addBand}
      />
    </section>
  )
}

type PointsProps = Omit<ComponentProps<typeof NumberField>, 'min' | 'max' | 'decimals'>

function Points(props: PointsProps) {
  return (
    <NumberField
      description={`−${pointRange.max} to ${pointRange.max}, at most two decimals.`}
      {...pointRange}
      {...props}
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
