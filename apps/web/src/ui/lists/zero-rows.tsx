import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../text/format.ts'

type Props = { count: number; isShown: boolean; setShown: (isShown: boolean) => void }

/** Button below a table that shows and folds its rows of zeros. */
export function ZeroRowsButton({ count, isShown, setShown }: Props) {
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
