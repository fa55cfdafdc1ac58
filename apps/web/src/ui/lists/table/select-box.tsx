import { type ChangeEvent, useId } from 'react'
import classes from './data-table.module.css'

type SelectRowProps = {
  /** Id of the cell that names the row. */
  nameId: string
  isSelected: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** Checkbox of a row. Its label fills the cell, so that the whole cell is the target. */
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

/** Checkbox in the header: selects all loaded rows, or none. */
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
