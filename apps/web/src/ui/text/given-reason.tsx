import { Name } from './name.tsx'

/** Stands in an answer for text that the API withholds from the role of the reader. */
const WITHHELD = '•••'

/** A reason that somebody gave. One that is withheld says so: a screen reader would read three dots. */
export function GivenReason({ of, isQuoted = false }: { of: string; isQuoted?: boolean }) {
  if (of === WITHHELD) return <i>Your role cannot see the reason.</i>
  if (!isQuoted) return <Name of={of} />
  return (
    <>
      “<Name of={of} />”
    </>
  )
}
