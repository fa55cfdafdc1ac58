import { type ChangeEvent, useId } from 'react'
import classes from './data-table.module.css'

type SelectRowProps = {
  /** The cell that names the row. */
  nameId: string
  isSelected: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** The box of one row. Its label fills the cell, so that the target is as large as the cell. */
export function SelectRow({ nameId, isSelected, onChange }: SelectRowProps) {
  const id = useId()
  return (
    <label className={classes.select}>
      <input
        id={id}
        type="checkbox"
        aria-label="Select"
        aria-labelledby={`${id} ${nameId}`}
        checked={isSelected}
        onChange={onChange}
      />
    </label>
  )
}

type SelectAllProps = { isAll: boolean; isSome: boolean; onChange: (isSelected: boolean) => void }

/** The box in the head: selects all loaded rows, or none. */
export function SelectAll({ isAll, isSome, onChange }: SelectAllProps) {
  return (
    <label className={classes.select}>
      <input
        type="checkbox"
        aria-label="Select all loaded rows"
        checked={isAll}
        ref={(box) => {
          if (box !== null) box.indeterminate = isSome && !isAll
        }}
        onChange={() => onChange(!isAll)}
      />
    </label>
  )
}
