import { Radio } from '@mantine/core'
import type { Business, Fact, Identifier, MergeField, MergePreview } from '@prospect/api-client'
import { IconEqual } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { factsQuery } from '../../ui/prospects/record-queries.ts'
import { fieldName } from '../../ui/text/field-names.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { NormalizedValue } from '../../ui/text/normalized-value.tsx'
import { Difference, kindOf, RecordHead, Row } from './aligned-row.tsx'
import classes from './compare.module.css'
import { areNone, valueText } from './matching-words.ts'
import { type MergeDraft, type Missing, valueSourceOf } from './merge-draft.ts'
import { earlierValue, type Pair } from './pair-changes.ts'
import { ValueEvidence } from './value-evidence.tsx'

type Facts = readonly (Fact[] | undefined)[]

type Props = {
  pair: Pair
  earlier: Pair | null
  /** null if nothing can be chosen. */
  draft: MergeDraft | null
  missing: Missing
  chooseSurvivor: (id: string) => void
  choose: (field: MergeField, id: string) => void
}

/** Both records, field by field. On a narrow screen the values of a field are below each other, each with the number of its record. */
export function AlignedFields({ pair, earlier, draft, missing, chooseSurvivor, choose }: Props) {
  const { suggestion, preview } = pair
  const [a, b] = suggestion.businesses
  const ids = [a.id, b.id] as const
  const isAllKept = preview.sides.every(({ leftOut }) => areNone(leftOut))
  const facts = useQueries({ queries: ids.map((id) => factsQuery(id)) }).map(({ data }) => data)
  return (
    <section aria-labelledby="pair-fields">
      <h2 id="pair-fields" className={classes.part}>
        Field by field
      </h2>
      <div className={classes.aligned}>
        <Row
          label={draft === null ? 'Record' : 'Record to keep'}
          isHead
          error={missing.survivor}
          cells={[a, b].map((business, at) => (
            <RecordHead
              key={business.id}
              business={business}
              at={at}
              {...(draft === null
                ? {}
                : { isSurvivor: draft.survivorId === business.id, choose: () => chooseSurvivor(business.id) })}
            />
          ))}
        />
        {preview.fields
          .filter(({ values }) => values.some((value) => value !== null))
          .map((row) => (
            <FieldRow
              key={row.field}
              row={row}
              ids={ids}
              facts={facts}
              stands={draft === null ? null : valueSourceOf(preview.fields, row, ids, draft)}
              choose={draft !== null && row.differs ? (id) => choose(row.field, id) : null}
              error={missing[row.field]}
              was={(at) => earlierValue(earlier, pair, row.field, at)}
            />
          ))}
        {(['emails', 'phones', 'domains'] as const).map((name) => (
          <IdentifierRow key={name} name={name} pair={[a, b]} facts={facts} isAllKept={isAllKept} />
        ))}
        <TagRow pair={[a, b]} isAllKept={isAllKept} />
      </div>
    </section>
  )
}

type FieldRowProps = {
  row: MergePreview['fields'][number]
  ids: readonly [string, string]
  facts: Facts
  /** Id of the record whose value the survivor will have, or null if not decided. */
  stands: string | null
  choose: ((id: string) => void) | null
  error: string | undefined
  was: (at: number) => string | null | undefined
}

function FieldRow({ row: { field, values }, ids, facts, stands, choose, error, was }: FieldRowProps) {
  const label = fieldName(field)
  return (
    <Row
      id={`field-${field}`}
      label={label}
      note={<Difference kind={kindOf(values)} />}
      isDifferent={kindOf(values) === 'differs'}
      error={error}
      cells={ids.map((id, at) => {
        const value = values[at] ?? null
        const text = valueText(field, value)
        const before = was(at)
        return (
          <div
            key={id}
            data-unknown={value === null || undefined}
            data-stands={stands === id || undefined}
            data-choice={choose !== null || undefined}
          >
            {choose === null ? (
              <span>{text}</span>
            ) : (
              <Radio
                name={field}
                value={id}
                label={text}
                aria-label={`${text}, of record ${at + 1}`}
                checked={stands === id}
                onChange={() => choose(id)}
              />
            )}
            {before !== undefined && <small className={classes.was}>Changed: it was {valueText(field, before)}</small>}
            {value !== null && field !== 'assignee' && field !== 'pipelineState' && (
              <ValueEvidence
                what={label}
                value={value}
                fact={factOf(facts[at], field, value)}
                isKnown={facts[at] !== undefined}
              />
            )}
          </div>
        )
      })}
    />
  )
}

const factOf = (facts: Fact[] | undefined, field: string, value: string) =>
  facts?.find((fact) => fact.field === field && fact.value === value)

const evidenceFields = { emails: 'email', phones: 'phone', domains: 'domain' } as const

function IdentifierRow({
  name,
  pair,
  facts,
  isAllKept,
}: {
  name: keyof typeof evidenceFields
  pair: [Business, Business]
  facts: Facts
  isAllKept: boolean
}) {
  if (pair.every((one) => one[name].length === 0)) return null
  const isShared = (one: Identifier, at: number) => pair[1 - at]?.[name].some((other) => isSame(one, other)) === true
  const isDifferent = pair.some((business, at) => business[name].some((one) => !isShared(one, at)))
  return (
    <Row
      label={fieldName(name)}
      isDifferent={isDifferent}
      note={
        <>
          <Difference kind={isDifferent ? 'differs' : 'same'} />
          {isAllKept && <small>all kept</small>}
        </>
      }
      cells={pair.map((business, at) => (
        <ul key={business.id} className={classes.values} data-unknown={business[name].length === 0 || undefined}>
          {business[name].length === 0 && <li>None</li>}
          {business[name].map((one) => (
            <li key={one.value}>
              <NormalizedValue
                value={one.value}
                normalized={name === 'phones' ? one.normalized : null}
                className={undefined}
              />
              {one.label !== null && (
                <small>
                  {' '}
                  <Name of={one.label} />
                </small>
              )}
              {isShared(one, at) && (
                <small className={classes.difference}>
                  <IconEqual size={13} stroke={2} aria-hidden />
                  on both
                </small>
              )}
              <ValueEvidence
                what={fieldName(evidenceFields[name])}
                value={one.value}
                fact={factOf(facts[at], evidenceFields[name], one.value)}
                isKnown={facts[at] !== undefined}
              />
            </li>
          ))}
        </ul>
      ))}
    />
  )
}

/** True if two identifiers are equal by their normalized form. Withheld values have none, so their stored values are compared. */
const isSame = (a: Identifier, b: Identifier) =>
  a.normalized === null || b.normalized === null ? a.value === b.value : a.normalized === b.normalized

function TagRow({ pair, isAllKept }: { pair: [Business, Business]; isAllKept: boolean }) {
  if (pair.every(({ tags }) => tags.length === 0)) return null
  const [a, b] = pair.map(({ tags }) => tags.toSorted().join('\n'))
  return (
    <Row
      label={fieldName('tags')}
      isDifferent={a !== b}
      note={
        <>
          <Difference kind={a === b ? 'same' : 'differs'} />
          {isAllKept && <small>all kept</small>}
        </>
      }
      cells={pair.map(({ id, tags }) => (
        <div key={id} data-unknown={tags.length === 0 || undefined}>
          {tags.length === 0 ? 'None' : tags.map(nameText).join(', ')}
        </div>
      ))}
    />
  )
}
