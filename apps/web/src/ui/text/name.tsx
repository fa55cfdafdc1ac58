import classes from './marks.module.css'
import { piecesOf } from './name-text.ts'

/** The name of a business, a person or a tenant, that cannot disturb what stands around it. See name-text.ts. */
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
