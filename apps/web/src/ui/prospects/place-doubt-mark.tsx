import type { PlaceDoubt } from '@prospect/api-client'
import { IconInfoCircle } from '@tabler/icons-react'
import classes from '../text/marks.module.css'
import { nameText } from '../text/name-text.ts'

/** Mark in a list beside a place with a doubt: a sign, with the doubts on hover and for screen readers. The record shows them as text. */
export function PlaceDoubtMark({ doubts }: { doubts: readonly PlaceDoubt[] }) {
  if (doubts.length === 0) return null
  const words = doubts.map(({ text }) => nameText(text)).join('. ')
  return (
    <span className={classes.doubt} title={words}>
      <IconInfoCircle size={14} stroke={1.9} aria-hidden />
      <span className="pp-visually-hidden">Uncertain place: {words}</span>
    </span>
  )
}
