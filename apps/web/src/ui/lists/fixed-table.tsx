import { Button } from '@mantine/core'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { formatNumber } from '../text/format.ts'
import classes from './fixed-table.module.css'

type Props = ComponentProps<'table'> & {
  /** 'plain' stays a table on a narrow screen; the rows of 'stacked' become blocks there; 'bare' has no style. */
  look?: 'plain' | 'stacked' | 'bare'
}

/** A table of figures or values within a page. It is rendered completely, and its rows open no record. For lists, use `<ListScreen>`. */
export function FixedTable({ look = 'plain', className = '', ...rest }: Props) {
  return <table className={look === 'bare' ? className : `${classes[look]} ${className}`} {...rest} />
}

type ZeroRowsProps = { count: number; isShown: boolean; setShown: (isShown: boolean) => void }

/** Button below a table that shows and folds its rows of zeros. */
export function ZeroRowsButton({ count, isShown, setShown }: ZeroRowsProps) {
  return (
    <Button variant="subtle" color="gray" size="compact-xs" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
      {isShown ? 'Hide' : 'Show'} {formatNumber(count)} with 0
    </Button>
  )
}

/** Returns the rows of a table without those of zeros, and the button that shows them. A table of zeros only is not folded. */
export function useZeroRows<Row>(
  rows: readonly Row[],
  isZero: (row: Row) => boolean,
): { rows: readonly Row[]; button: ReactNode } {
  const [isShown, setShown] = useState(false)
  const filled = rows.filter((row) => !isZero(row))
  const count = rows.length - filled.length
  if (count === 0 || filled.length === 0) return { rows, button: null }
  return {
    rows: isShown ? rows : filled,
    button: <ZeroRowsButton count={count} isShown={isShown} setShown={setShown} />,
  }
}
