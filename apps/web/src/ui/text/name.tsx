import classes from './marks.module.css'
import { piecesOf } from './name-text.ts'

/** Name of a business, person or tenant. It cannot affect the text around it; see name-text.ts. */
export function Name({ of }: { of: string }) {
  const pieces = piecesOf(of)
  if (pieces.every((piece) => !piece.isHidden)) return <bdi>{of}</bdi>
  return (
    <bdi>
      {pieces.map((piece, index) =>
        piece.isHidden ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one name never move
          <span key={index} className={classes.hidden} title="Invisible character">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  )
}
