import { Radio } from '@mantine/core'
import type { Business } from '@prospect/api-client'
import { IconCircleHalf2, IconEqual, IconEqualNot } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './compare.module.css'
import { PairMark } from './pair-mark.tsx'

type RowProps = {
  id?: string
  label: string
  /** Text under the label, such as 'differs' or 'all kept'. */
  note?: ReactNode
  cells: ReactNode[]
  isHead?: boolean
  isDifferent?: boolean
  error?: string | undefined
}

export function Row({ id, label, note, cells, isHead = false, isDifferent = false, error }: RowProps) {
  const labelId = useId()
  return (
    <fieldset
      id={id}
      className={classes.row}
      aria-labelledby={labelId}
      data-head={isHead || undefined}
      data-differs={isDifferent || undefined}
      data-missing={error !== undefined || undefined}
    >
      <div className={classes.label}>
        <div id={labelId}>
          <span className={classes.name}>{label}</span>
          {note}
        </div>
        {error !== undefined && (
          <span role="alert" className={classes.error}>
            {error}
          </span>
        )}
      </div>
      {cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the two sides never move
        <div key={at} className={classes.cell}>
          {!isHead && (
            <span className={classes.side} aria-hidden>
              {at + 1}
            </span>
          )}
          <div className={classes.content}>{cell}</div>
        </div>
      ))}
    </fieldset>
  )
}

type HeadProps = { business: Business; at: number; isSurvivor?: boolean; choose?: () => void }

export function RecordHead({ business, at, isSurvivor = false, choose }: HeadProps) {
  const choice = isSurvivor ? 'Kept' : 'Keep this one'
  return (
    <>
      <span className={classes.headName}>
        <span className={classes.number}>{at + 1}</span>
        <Link to="/prospects/$businessId" params={{ businessId: business.id }}>
          <Name of={business.name} />
        </Link>
        <PairMark of={business} />
      </span>
      <small>
        created <DateTime at={business.createdAt} as="date" /> by <Name of={business.createdBy.name} />, updated{' '}
        <DateTime at={business.updatedAt} />
      </small>
      {choose !== undefined && (
        <Radio
          name="survivor"
          value={business.id}
          label={choice}
          aria-label={`${choice}: record ${at + 1}, ${nameText(business.name)}`}
          checked={isSurvivor}
          onChange={choose}
        />
      )}
    </>
  )
}

const differences = {
  same: { Icon: IconEqual, words: 'same' },
  differs: { Icon: IconEqualNot, words: 'differs' },
  first: { Icon: IconCircleHalf2, words: 'only on record 1' },
  second: { Icon: IconCircleHalf2, words: 'only on record 2' },
} as const

/** Relation of two values, with icon and text instead of colour alone. */
export function Difference({ kind }: { kind: keyof typeof differences }) {
  const { Icon, words } = differences[kind]
  return (
    <small className={classes.difference} data-kind={kind}>
      <Icon size={13} stroke={2} aria-hidden />
      {words}
    </small>
  )
}

export function kindOf([a = null, b = null]: readonly (string | null)[]): keyof typeof differences {
  if (a === b) return 'same'
  if (a === null) return 'second'
  return b === null ? 'first' : 'differs'
}
